// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"reflect"
	"sync"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// indexes are of the lists that were last searched. An expression that asks for the place of
// each item of a list in it, to find those that are there twice, takes as long as the list is,
// and not as its square.
type indexes struct{ recent sync.Pool }

// index is where texts are in a list.
type index struct {
	list        ref.Val
	first, last map[types.String]types.Int
}

// fewItems is how many are searched without an index.
const fewItems = 16

// places makes calls of indexOf and lastIndexOf use indexes.
func (x *indexes) places(i interpreter.Interpretable) (interpreter.Interpretable, error) {
	call, ok := i.(interpreter.InterpretableCall)
	if !ok || len(call.Args()) != 2 {
		return i, nil
	}
	switch call.Function() {
	case "indexOf":
		return &placeOf{call, func(in *index) map[types.String]types.Int { return in.first }, x}, nil
	case "lastIndexOf":
		return &placeOf{call, func(in *index) map[types.String]types.Int { return in.last }, x}, nil
	}
	return i, nil
}

// placeOf is a call that uses an index where the call is about a text in a long list.
type placeOf struct {
	interpreter.InterpretableCall
	end     func(*index) map[types.String]types.Int
	indexes *indexes
}

// Exec implements interpreter.InterpretableV2.
func (p *placeOf) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	list, isList := p.Args()[0].Exec(frame).(traits.Lister)
	if !isList || reflect.TypeOf(list).Kind() != reflect.Pointer || list.Size().(types.Int) <= fewItems {
		return p.InterpretableCall.Exec(frame)
	}
	item, isText := p.Args()[1].Exec(frame).(types.String)
	if !isText {
		return p.InterpretableCall.Exec(frame)
	}
	in := p.indexes.of(list)
	defer p.indexes.recent.Put(in)
	if at, ok := p.end(in)[item]; ok {
		return at
	}
	return types.Int(-1)
}

// of returns the index of a list, which nobody else has meanwhile.
func (x *indexes) of(list traits.Lister) *index {
	if in, ok := x.recent.Get().(*index); ok && in.list == ref.Val(list) {
		return in
	}
	in := &index{list, map[types.String]types.Int{}, map[types.String]types.Int{}}
	for i := range list.Size().(types.Int) {
		if text, ok := list.Get(i).(types.String); ok {
			if _, ok := in.first[text]; !ok {
				in.first[text] = i
			}
			in.last[text] = i
		}
	}
	return in
}
