// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A schema is what a chart's values.schema.json says of a value.
type schema struct {
	Type       any // a name or a list of names
	Properties map[string]schema
	Items      *schema
	Enum       []any
	Minimum    *float64
	Maximum    *float64
	MinLength  int
	MaxLength  *int
	Pattern    string
}

// TestSchema: whatever a parameter's type or checks exclude, and every key that no
// parameter has, is refused at its place, by both versions of Helm.
func TestSchema(t *testing.T) {
	for _, profile := range profiles(t) {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			var s schema
			decode(t, filepath.Join("..", "charts", profile, "values.schema.json"), &s)
			for round := 0; ; round++ {
				var wanted []string
				values := s.bad("", round, &wanted)
				if len(wanted) == 0 {
					break
				}
				for _, helm := range helms {
					said := refused(t, helm, profile, refusal{Values: values})
					for _, want := range wanted {
						if !strings.Contains(said, want) {
							t.Errorf("%s does not say %q of %v:\n%s", helm, want, values, said)
						}
					}
				}
			}
		})
	}
}

// bad returns values that hold, for every parameter in s that has so many, the bad value
// of the number round, and adds what must be said of each. In round 0 each group has an
// unknown key too.
func (s schema) bad(path string, round int, wanted *[]string) map[string]any {
	values := map[string]any{}
	if round == 0 {
		values["noSuchKey"] = 1
		*wanted = append(*wanted, fmt.Sprintf("at '%s': additional properties 'noSuchKey' not allowed", path))
	}
	for name, p := range s.Properties {
		at := path + "/" + name
		if p.Properties != nil {
			values[name] = p.bad(at, round, wanted)
		} else if all := p.excluded(); round < len(all) {
			values[name] = all[round]
			*wanted = append(*wanted, "at '"+at)
		}
	}
	return values
}

// excluded returns one value for each thing that s excludes.
func (s schema) excluded() []any {
	bad := []any{s.otherType()}
	if s.Enum != nil {
		bad = append(bad, "no-such-value")
	}
	if s.Minimum != nil {
		bad = append(bad, int64(*s.Minimum)-1)
	}
	if s.Maximum != nil {
		bad = append(bad, int64(*s.Maximum)+1)
	}
	if s.MinLength > 0 {
		bad = append(bad, "")
	}
	if s.MaxLength != nil {
		bad = append(bad, strings.Repeat("a", *s.MaxLength+1))
	}
	for _, text := range []string{" ", "-", ""} {
		if s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(text) {
			bad = append(bad, text)
			break
		}
	}
	if s.Items != nil && s.Items.Type != nil {
		bad = append(bad, []any{s.Items.otherType()})
	}
	return bad
}

// otherType returns a value of a type that s does not allow.
func (s schema) otherType() any {
	allowed := fmt.Sprint(s.Type)
	for _, c := range []struct {
		name  string
		value any
	}{{"string", "text"}, {"boolean", true}, {"array", []any{"item"}}} {
		if !slices.Contains(strings.Fields(strings.Trim(allowed, "[]")), c.name) {
			return c.value
		}
	}
	return map[string]any{}
}
