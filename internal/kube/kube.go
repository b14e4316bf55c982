// SPDX-License-Identifier: Apache-2.0

// Package kube knows the objects of Kubernetes. Check says what the API server would not
// read of an object; what it would refuse for other reasons is not looked at.
package kube

import (
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// Code is the diagnostic code of a field that Kubernetes does not know or cannot read.
const Code = "kubernetes"

// Check reports every unknown field of an object, or else its first field of a wrong
// type, at the field's place. Kinds that Kubernetes does not define are not checked.
func Check(o *manifest.Object) diag.List {
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, json.SerializerOptions{Strict: true})
	_, _, err := decoder.Decode([]byte(manifest.JSON(o.Node)), nil, nil)
	if err == nil || runtime.IsNotRegisteredError(err) {
		return nil
	}
	var list diag.List
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		for _, err := range strict.Errors() {
			unknown(&list, o, err)
		}
		return list
	}
	wrongType(&list, o, err)
	return list
}

var unknownField = regexp.MustCompile(`^unknown field "(.*)"$`)

func unknown(list *diag.List, o *manifest.Object, err error) {
	m := unknownField.FindStringSubmatch(err.Error())
	if m == nil {
		list.Errorf(o.Node.Span, Code, "%s: %v", o.Kind, err)
		return
	}
	at := o.Node
	for _, key := range steps(m[1]) {
		if next := at.Get(key); next != nil {
			at = next
		}
	}
	list.Errorf(at.Span, Code, "%s has no field %s", o.Kind, m[1])
}

var index = regexp.MustCompile(`\[([0-9]+)\]`)

// steps are the keys of a path such as spec.containers[0].image.
func steps(path string) []string { return strings.Split(index.ReplaceAllString(path, ".$1"), ".") }

var mismatch = regexp.MustCompile(`cannot unmarshal (\w+) into Go struct field \w+\.([\w.]+) of type (\S+)$`)

func wrongType(list *diag.List, o *manifest.Object, err error) {
	m := mismatch.FindStringSubmatch(err.Error())
	if m == nil {
		list.Errorf(o.Node.Span, Code, "%s: %v", o.Kind, err)
		return
	}
	got, path, want := m[1], m[2], goType(m[3])
	at := o.Node
	if n := find(o.Node, strings.Split(path, "."), got); n != nil {
		at = n
	}
	d := list.Errorf(at.Span, Code, "%s of %s must be %s, not %s", path, o.Kind, want, nouns[got])
	if want == nouns["string"] {
		d.Hint = "write ${string(...)} for an integer or boolean, or quote the constant"
	}
}

// nouns are JSON's types in the words of users.
var nouns = map[string]string{
	"string": "a string", "number": "a number", "bool": "true or false", "array": "a list", "object": "a map",
}

// goType is a Go type in the words of users.
func goType(name string) string {
	switch {
	case name == "string":
		return nouns["string"]
	case name == "bool":
		return nouns["bool"]
	case strings.HasPrefix(name, "int"), strings.HasPrefix(name, "uint"), strings.HasPrefix(name, "float"):
		return nouns["number"]
	case strings.HasPrefix(name, "[]"):
		return nouns["array"]
	case strings.HasPrefix(name, "map["):
		return nouns["object"]
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	return "a map (" + strconv.Quote(name) + ")"
}

// find returns the first node of the given JSON type at path, which steps over lists and
// may end at an item or at a value of a map.
func find(n *manifest.Node, path []string, jsonType string) *manifest.Node {
	if n == nil {
		return nil
	}
	if len(path) == 0 && typeOf(n) == jsonType {
		return n
	}
	if n.Shape == manifest.List {
		for _, item := range n.Items {
			if found := find(item, path, jsonType); found != nil {
				return found
			}
		}
		return nil
	}
	if len(path) > 0 {
		return find(n.Get(path[0]), path[1:], jsonType)
	}
	for _, f := range n.Fields {
		if found := find(f.Value, nil, jsonType); found != nil {
			return found
		}
	}
	return nil
}

func typeOf(n *manifest.Node) string {
	switch n.Shape {
	case manifest.String:
		return "string"
	case manifest.Int, manifest.Float:
		return "number"
	case manifest.Bool:
		return "bool"
	case manifest.List:
		return "array"
	case manifest.Map:
		return "object"
	}
	return "null"
}
