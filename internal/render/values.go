// SPDX-License-Identifier: Apache-2.0

package render

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/strvals"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// ValueFlags are the value flags of a command line, as Helm reads them. Files come
// first, then --set-json, --set and --set-string, each kind in the order given; what
// comes later wins. Maps are merged, lists are replaced, null is kept: it deletes a
// default.
type ValueFlags struct {
	Base      map[string]any // what the flags are laid over; Values may change it
	Files     []*source.File // -f, as ReadFile reads them
	SetJSON   []string       // --set-json: a.b=JSON, or a JSON object
	Set       []string       // --set: a.b=c, a={b,c}, a[0].b=c; a number or boolean is one
	SetString []string       // --set-string: the same, always strings
}

// Values returns what Helm would make of the flags, with Helm's types: numbers are
// float64 when they come from a file or from JSON, and int64 when they come from --set.
// The list holds all errors; each names its file or flag.
func Values(f ValueFlags) (map[string]any, diag.List) {
	var list diag.List
	values := mergeMaps(map[string]any{}, f.Base)
	for _, file := range f.Files {
		read, err := chartutil.ReadValues([]byte(strings.TrimPrefix(file.Text, "\ufeff")))
		if err != nil {
			list.Add(badValues(file, err))
			continue
		}
		values = mergeMaps(values, read)
	}
	for _, flag := range f.flags() {
		flag.into(values, &list)
	}
	return values, list
}

// badValues says where a values file is wrong, in the words of Helm if need be.
func badValues(file *source.File, err error) diag.List {
	nodes, list := manifest.Parse(file)
	if list.Err() != nil {
		return list
	}
	if len(nodes) > 0 && nodes[0].Shape != manifest.Map {
		list = nil
		list.Errorf(nodes[0].Span, "values", "values are a map of names, this is %s", nodes[0].Shape.Article())
		return list
	}
	return failed("values", "%s: %v", file.Name, err)
}

// mergeMaps is Helm's merge of two values files.
func mergeMaps(a, b map[string]any) map[string]any {
	out := make(map[string]any, len(a)+len(b))
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		from, ok := v.(map[string]any)
		into, ok2 := out[k].(map[string]any)
		if ok && ok2 {
			v = mergeMaps(into, from)
		}
		out[k] = v
	}
	return out
}

// setFlag is one --set, --set-string or --set-json.
type setFlag struct {
	name, value string
	parse       func(string, map[string]any) error
}

// flags are the flags in the order in which they apply.
func (f ValueFlags) flags() []setFlag {
	var flags []setFlag
	for _, v := range f.SetJSON {
		flags = append(flags, setFlag{"--set-json", v, parseJSON})
	}
	for _, v := range f.Set {
		flags = append(flags, setFlag{"--set", v, strvals.ParseInto})
	}
	for _, v := range f.SetString {
		flags = append(flags, setFlag{"--set-string", v, strvals.ParseIntoString})
	}
	return flags
}

// parseJSON takes Helm's a.b=JSON and, as Helm 4 does, a whole JSON object.
func parseJSON(text string, into map[string]any) error {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return strvals.ParseJSON(text, into)
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		return err
	}
	for k, v := range mergeMaps(into, object) {
		into[k] = v
	}
	return nil
}

// into applies the flag to values; a wrong flag may have been applied in part.
func (s setFlag) into(values map[string]any, list *diag.List) bool {
	err := s.apply(values)
	if err == nil {
		return true
	}
	d := list.Errorf(source.Span{}, "values", "%s %q: %s", s.name, s.value, plainFlagError(err))
	switch {
	case s.name == "--set-json":
		d.Hint = `write --set-json 'name=["a", 1]', with the value as JSON`
	case !strings.Contains(s.value, "="):
		d.Hint = fmt.Sprintf("write %s name=value", s.name)
	}
	return false
}

func (s setFlag) apply(values map[string]any) (err error) {
	defer recovered(&err)
	return s.parse(s.value, values)
}

var noValue = regexp.MustCompile(`^key (?:map )?("[^"]*") has no value.*$`)

func plainFlagError(err error) string {
	return lower(noValue.ReplaceAllString(strings.TrimSpace(err.Error()), "key $1 has no value"))
}
