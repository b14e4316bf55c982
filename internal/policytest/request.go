// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"kilter.dev/kilter/internal/admission"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// fields are those of a request.yaml.
var fields = []string{"operation", "object", "oldObject", "params", "namespaceObject", "userInfo", "namespace", "name", "subResource", "options"}

// request puts the request of a case together.
func (c *Case) request() (admission.Request, diag.List) {
	var r admission.Request
	var errs diag.List
	all := manifest.NewMap()
	if f := c.files["request.yaml"]; f != nil {
		n, problems := document(f)
		errs.Add(problems)
		if n != nil {
			all = n
		}
	}
	reader := manifest.Reader{Code: Code}
	reader.Keys(all, fields...)
	for _, of := range []struct {
		key string
		to  **manifest.Object
	}{{"object", &r.Object}, {"oldObject", &r.Old}, {"params", &r.Params}, {"namespaceObject", &r.NamespaceObject}} {
		part := all.Get(of.key)
		if f := c.files[of.key+".yaml"]; f != nil {
			if part != nil {
				reader.Errorf(part.Span, "%s is in %s, too", of.key, f.Name)
			}
			n, problems := document(f)
			errs.Add(problems)
			part = n
		}
		if part != nil {
			o, problems := objectOf(part)
			errs.Add(problems)
			*of.to = o
		}
	}
	r.Namespace, r.SubResource = reader.Text(all, "namespace", false), reader.Text(all, "subResource", false)
	if user := reader.Optional(all, "userInfo", manifest.Map); user != nil {
		r.User = admission.User{Name: reader.Text(user, "username", false), UID: reader.Text(user, "uid", false)}
		for _, g := range reader.List(user, "groups", false) {
			r.User.Groups = append(r.User.Groups, g.Text())
		}
	}
	c.operation(&reader, all, r)
	errs.Add(reader.Errs)
	return r, errs
}

// operation checks what follows from the objects: nothing else can be asked for.
func (c *Case) operation(reader *manifest.Reader, all *manifest.Node, r admission.Request) {
	operation := ""
	switch {
	case r.Object != nil && r.Old != nil:
		operation = "UPDATE"
	case r.Object != nil:
		operation = "CREATE"
	case r.Old != nil:
		operation = "DELETE"
	default:
		reader.Errorf(source.Span{File: source.New(c.File, "")}, "the case has no object")
		return
	}
	given := reader.Text(all, "operation", false)
	switch {
	case given == "CONNECT":
		reader.Errorf(all.Get("operation").Span, "CONNECT cannot be tried, only CREATE, UPDATE and DELETE")
	case given != "" && given != operation:
		reader.Errorf(all.Get("operation").Span, "operation is %s, but with these objects it is %s", given, operation)
	}
}

// document is the only document of a file, a map.
func document(f *source.File) (*manifest.Node, diag.List) {
	docs, errs := manifest.Parse(f)
	if errs.Err() == nil && (len(docs) != 1 || docs[0].Shape != manifest.Map) {
		errs.Errorf(source.Span{File: f}, Code, "the file holds one document, a map")
	}
	if errs.Err() != nil {
		return nil, errs
	}
	return docs[0], errs
}

func object(f *source.File) (*manifest.Object, diag.List) {
	n, errs := document(f)
	if errs.Err() != nil {
		return nil, errs
	}
	return objectOf(n)
}

func objectOf(n *manifest.Node) (*manifest.Object, diag.List) {
	objects, errs := manifest.Objects([]*manifest.Node{n})
	if len(objects) == 1 {
		return objects[0], errs
	}
	if errs.Err() == nil {
		errs.Errorf(n.Span, Code, "this is no object: apiVersion and kind are needed")
	}
	return nil, errs
}

func nativeOf(o *manifest.Object) map[string]any {
	value, _ := manifest.Native(o.Node).(map[string]any)
	return value
}
