// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// Native returns n as map[string]any, []any, int64, float64, string, bool or nil.
func Native(n *Node) any {
	switch n.shape() {
	case Null:
		return nil
	case Map:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key] = Native(f.Value)
		}
		return m
	case List:
		l := make([]any, len(n.Items))
		for i, item := range n.Items {
			l[i] = Native(item)
		}
		return l
	}
	return n.Value
}

// FromNative returns v as a made node; keys of maps are sorted. It takes what JSON and
// YAML decoders make, and maps and slices of it: nil, bool, string, any integer, floats,
// json.Number, and maps whose keys are scalars. A number that no int64 holds becomes a
// Float. Anything else, NaN and the infinities are errors.
func FromNative(v any) (*Node, error) { return fromNative(reflect.ValueOf(v), 0) }

func fromNative(v reflect.Value, depth int) (*Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("value is nested more than %d levels deep", maxDepth)
	}
	for v.IsValid() && (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) {
		v = v.Elem()
	}
	if !v.IsValid() {
		return &Node{}, nil
	}
	if number, ok := v.Interface().(json.Number); ok {
		return fromNumber(string(number))
	}
	switch v.Kind() {
	case reflect.Bool:
		return NewBool(v.Bool()), nil
	case reflect.String:
		return NewString(v.String()), nil
	case reflect.Float32, reflect.Float64:
		return fromFloat(v.Float())
	case reflect.Map:
		return fromMap(v, depth)
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return &Node{}, nil
		}
		return fromSlice(v, depth)
	}
	switch {
	case v.CanInt():
		return NewInt(v.Int()), nil
	case v.CanUint() && v.Uint() <= math.MaxInt64:
		return NewInt(int64(v.Uint())), nil
	case v.CanUint():
		return fromFloat(float64(v.Uint()))
	}
	return nil, fmt.Errorf("a value of type %s cannot be written as YAML", v.Type())
}

// fromNumber reads a JSON number as the API server does: an integer where it is one.
func fromNumber(text string) (*Node, error) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return NewInt(i), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is not a number", text)
	}
	return fromFloat(f)
}

func fromFloat(f float64) (*Node, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%v cannot be written as a number", f)
	}
	return &Node{Shape: Float, Value: f}, nil
}

func fromSlice(v reflect.Value, depth int) (*Node, error) {
	n := &Node{Shape: List, Items: make([]*Node, v.Len())}
	for i := range n.Items {
		item, err := fromNative(v.Index(i), depth+1)
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		n.Items[i] = item
	}
	return n, nil
}

func fromMap(v reflect.Value, depth int) (*Node, error) {
	if v.IsNil() {
		return &Node{}, nil
	}
	values := make(map[string]reflect.Value, v.Len())
	keys := make([]string, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		key, err := nativeKey(it.Key())
		if err != nil {
			return nil, err
		}
		if _, ok := values[key]; ok {
			return nil, fmt.Errorf("key %q is there twice", key)
		}
		values[key] = it.Value()
		keys = append(keys, key)
	}
	slices.Sort(keys)
	n := &Node{Shape: Map, Fields: make([]Field, len(keys))}
	for i, key := range keys {
		value, err := fromNative(values[key], depth+1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		n.Fields[i] = Field{Key: key, Value: value}
	}
	return n, nil
}

func nativeKey(k reflect.Value) (string, error) {
	key, err := fromNative(k, 0)
	if err != nil {
		return "", err
	}
	switch key.Shape {
	case String:
		return key.Text(), nil
	case Bool, Int, Float:
		return scalarText(key), nil
	}
	return "", fmt.Errorf("a key must be a string, not %s", key.Shape.Article())
}

// Equal reports whether a and b are the same value. The order of keys and spans do not
// count, and an integer equals the number of the same size.
func Equal(a, b *Node) bool {
	shape := a.shape()
	if shape != b.shape() {
		return a.isNumber() && b.isNumber() && equalNumbers(a.Value, b.Value)
	}
	switch shape {
	case Null:
		return true
	case Map:
		return equalMaps(a, b)
	case List:
		return slices.EqualFunc(a.Items, b.Items, Equal)
	}
	return a.Value == b.Value
}

func equalMaps(a, b *Node) bool {
	if len(a.Fields) != len(b.Fields) {
		return false
	}
	var byKey map[string]*Node // made only where the order differs
	for i, f := range a.Fields {
		other := b.Fields[i].Value
		if b.Fields[i].Key != f.Key {
			if byKey == nil {
				byKey = make(map[string]*Node, len(b.Fields))
				for _, g := range b.Fields {
					byKey[g.Key] = g.Value
				}
			}
			var ok bool
			if other, ok = byKey[f.Key]; !ok {
				return false
			}
		}
		if !Equal(f.Value, other) {
			return false
		}
	}
	return true
}

func (n *Node) isNumber() bool { return n.shape() == Int || n.shape() == Float }

// equalNumbers compares an int64 with a float64, either way round, exactly.
func equalNumbers(a, b any) bool {
	i, isInt := a.(int64)
	f, _ := b.(float64)
	if !isInt {
		i, _ = b.(int64)
		f, _ = a.(float64)
	}
	return f >= -1<<63 && f < 1<<63 && f == math.Trunc(f) && int64(f) == i
}
