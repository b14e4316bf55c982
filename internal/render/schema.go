// SPDX-License-Identifier: Apache-2.0

package render

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"helm.sh/helm/v3/pkg/chart"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// Schemas remembers compiled schemas of values, for those who render many charts: to compile
// one takes as long as the rest of a rendering. Several goroutines may use it at once.
type Schemas struct{ compiled sync.Map } // *jsonschema.Schema by text

// compile compiles text, once where s is not nil.
func (s *Schemas) compile(text []byte) (*jsonschema.Schema, error) {
	if s == nil {
		return compileSchema(text)
	}
	if known, ok := s.compiled.Load(string(text)); ok {
		return known.(*jsonschema.Schema), nil
	}
	schema, err := compileSchema(text)
	if err == nil {
		s.compiled.Store(string(text), schema)
	}
	return schema, err
}

// check checks values against the schema of c and those of its subcharts, as
// Helm does. path is that of values in the user's values, "" or "redis.".
func (s *Schemas) check(c *chart.Chart, values map[string]any, path string) diag.List {
	var list diag.List
	if c.Schema != nil {
		list.Add(s.checkOne(c, values, path))
	}
	for _, sub := range c.Dependencies() {
		raw, ok := values[sub.Name()]
		if !ok || raw == nil {
			continue
		}
		below, ok := raw.(map[string]any)
		if !ok {
			list.Errorf(source.Span{}, "values", "value %s%s: want a map of values for the chart %q", path, sub.Name(), sub.Name())
			continue
		}
		list.Add(s.check(sub, below, path+sub.Name()+"."))
	}
	return list
}

func (s *Schemas) checkOne(c *chart.Chart, values map[string]any, path string) diag.List {
	schema, err := s.compile(c.Schema)
	var elsewhere *jsonschema.LoadURLError
	if errors.As(err, &elsewhere) {
		var list diag.List
		list.Warnf(source.Span{}, "values-schema", "values.schema.json of chart %q refers to other files: values not checked", c.Name())
		return list
	}
	if err != nil {
		return failed("values-schema", "values.schema.json of chart %q: %v", c.Name(), err)
	}
	var invalid *jsonschema.ValidationError
	if err := schema.Validate(values); errors.As(err, &invalid) {
		var list diag.List
		violations(&list, path, *invalid.DetailedOutput())
		for i := range list {
			list[i].Hint = fmt.Sprintf("see values.schema.json of chart %q", c.Name())
		}
		return list
	}
	return nil
}

// nowhere loads no schema: neither other files nor the network are read.
type nowhere struct{}

func (nowhere) Load(string) (any, error) { return nil, errors.ErrUnsupported }

// compileSchema compiles text. Schemas are foreign: a panic becomes an error.
func compileSchema(text []byte) (schema *jsonschema.Schema, err error) {
	defer recovered(&err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	const name = "file:///values.schema.json"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(nowhere{})
	if err := compiler.AddResource(name, doc); err != nil {
		return nil, err
	}
	return compiler.Compile(name)
}

// violations adds the innermost causes of u, in the order of the schema.
func violations(list *diag.List, path string, u jsonschema.OutputUnit) {
	for _, cause := range u.Errors {
		violations(list, path, cause)
	}
	if len(u.Errors) > 0 || u.Error == nil {
		return
	}
	where := path + strings.ReplaceAll(strings.TrimPrefix(u.InstanceLocation, "/"), "/", ".")
	if where == "" {
		where = "values"
	} else {
		where = "value " + strings.TrimSuffix(where, ".")
	}
	list.Errorf(source.Span{}, "values-schema", "%s: %s", where, u.Error.String())
}
