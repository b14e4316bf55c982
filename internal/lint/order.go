// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"maps"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// ordered adapts native values as types.DefaultTypeAdapter does, but for maps: CEL goes
// over their keys in order, so that messages are the same in each run.
type ordered struct{}

// NativeToValue implements types.Adapter.
func (ordered) NativeToValue(v any) ref.Val {
	switch x := v.(type) {
	case map[string]any:
		return orderedMap{types.NewStringInterfaceMap(ordered{}, x), x}
	case []any:
		return types.NewDynamicList(ordered{}, x)
	}
	return types.DefaultTypeAdapter.NativeToValue(v)
}

type orderedMap struct {
	traits.Mapper
	native map[string]any
}

// Iterator implements traits.Iterable.
func (m orderedMap) Iterator() traits.Iterator {
	return types.NewStringList(ordered{}, slices.Sorted(maps.Keys(m.native))).Iterator()
}
