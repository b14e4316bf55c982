// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"maps"
	"reflect"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"kilter.dev/kilter/internal/workload"
)

// ordered adapts native values as types.DefaultTypeAdapter does, but for maps: CEL goes
// over their keys in order, so that messages are the same in each run. What could not be read
// is an error of what looks at it.
type ordered struct{}

// NativeToValue implements types.Adapter.
func (ordered) NativeToValue(v any) ref.Val {
	switch x := v.(type) {
	case map[string]any:
		return orderedMap(x)
	case []any:
		return types.NewDynamicList(ordered{}, x)
	case workload.Unread:
		return types.WrapErr(x)
	}
	return types.DefaultTypeAdapter.NativeToValue(v)
}

// orderedMap is a map of CEL that costs nothing to make: an expression goes through many of
// them on its way to one field.
type orderedMap map[string]any

// mapper is the map as CEL has it.
func (m orderedMap) mapper() traits.Mapper {
	return types.NewStringInterfaceMap(ordered{}, m)
}

// Find implements traits.Mapper.
func (m orderedMap) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if v, found := m[string(name)]; ok && found {
		return ordered{}.NativeToValue(v), true
	}
	return nil, false
}

// Get implements traits.Indexer.
func (m orderedMap) Get(key ref.Val) ref.Val { return m.mapper().Get(key) }

// Contains implements traits.Container.
func (m orderedMap) Contains(key ref.Val) ref.Val { return m.mapper().Contains(key) }

// Iterator implements traits.Iterable.
func (m orderedMap) Iterator() traits.Iterator {
	return types.NewStringList(ordered{}, slices.Sorted(maps.Keys(m))).Iterator()
}

// Size implements traits.Sizer.
func (m orderedMap) Size() ref.Val { return types.Int(len(m)) }

// ConvertToNative implements ref.Val.
func (m orderedMap) ConvertToNative(t reflect.Type) (any, error) {
	return m.mapper().ConvertToNative(t)
}

// ConvertToType implements ref.Val.
func (m orderedMap) ConvertToType(t ref.Type) ref.Val { return m.mapper().ConvertToType(t) }

// Equal implements ref.Val.
func (m orderedMap) Equal(other ref.Val) ref.Val { return m.mapper().Equal(other) }

// Type implements ref.Val.
func (orderedMap) Type() ref.Type { return types.MapType }

// Value implements ref.Val.
func (m orderedMap) Value() any { return map[string]any(m) }
