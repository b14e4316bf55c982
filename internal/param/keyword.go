// SPDX-License-Identifier: Apache-2.0

package param

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// keywords says which keyword goes with which types; none: with all.
var keywords = []struct {
	name  string
	types []Type
}{
	{"type", nil},
	{"description", nil},
	{"default", nil},
	{"x-kubernetes-validations", nil},
	{"x-kubernetes-preserve-unknown-fields", []Type{Any, Object}},
	{"format", []Type{String}},
	{"enum", []Type{String}},
	{"pattern", []Type{String}},
	{"not", []Type{String}},
	{"minLength", []Type{String}},
	{"maxLength", []Type{String}},
	{"minimum", []Type{Integer}},
	{"maximum", []Type{Integer}},
	{"items", []Type{Array}},
	{"minItems", []Type{Array}},
	{"maxItems", []Type{Array}},
	{"x-kubernetes-list-type", []Type{Array}},
	{"x-kubernetes-list-map-keys", []Type{Array}},
	{"properties", []Type{Object}},
	{"required", []Type{Object}},
	{"additionalProperties", []Type{Object}},
}

// keyword reads one field of a schema into s. known says that the type of s is.
func (p *parser) keyword(s *Schema, f manifest.Field, at place, known bool) {
	var names []string
	for _, k := range keywords {
		names = append(names, k.name)
		if k.name != f.Key {
			continue
		}
		if known && k.types != nil && !slices.Contains(k.types, s.Type) {
			d := p.errorf(f.KeySpan, "%s does not apply to type %s", f.Key, s.Type)
			if s.Type == Any {
				d.Message = f.Key + " has no effect next to x-kubernetes-preserve-unknown-fields"
			}
			if f.Key == "required" {
				d.Hint = optionalHint
			}
			return
		}
		if known || k.types == nil {
			p.read(s, f, at)
		}
		return
	}
	hint := diag.DidYouMean(f.Key, names)
	switch f.Key {
	case "nullable":
		hint = "leave it out: a parameter without a default is optional, and null means absent"
	case "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "oneOf", "anyOf", "allOf", "minProperties", "maxProperties", "uniqueItems":
		hint = "write x-kubernetes-validations: [{rule: CEL over self, message: text}]"
	case "example", "examples", "title":
		hint = "say it in the description"
	}
	p.errorf(f.KeySpan, "unknown keyword %q of %s", f.Key, at).Hint = hint
}

func (p *parser) read(s *Schema, f manifest.Field, at place) {
	switch f.Key {
	case "description":
		s.Description = strings.TrimSpace(p.text(f))
	case "x-kubernetes-validations":
		s.Rules = p.rules(f, at)
	case "x-kubernetes-preserve-unknown-fields":
		if f.Value.Shape != manifest.Bool || f.Value.Value != true {
			p.errorf(f.Value.Span, "%s must be true or left out", f.Key)
		}
	case "format":
		s.Format = p.format(f)
	case "enum":
		s.Enum = p.texts(f)
	case "pattern":
		s.Pattern = p.pattern(f)
	case "not":
		s.NotPattern, s.NotMessage = p.not(f)
	case "minimum":
		s.Minimum = p.integer(f, -MaxInteger)
	case "maximum":
		s.Maximum = p.integer(f, -MaxInteger)
	case "minLength":
		s.MinLength = p.integer(f, 0)
	case "maxLength":
		s.MaxLength = p.integer(f, 0)
	case "minItems":
		s.MinItems = p.integer(f, 0)
	case "maxItems":
		s.MaxItems = p.integer(f, 0)
	case "x-kubernetes-list-type":
		if f.Value.Value != "map" {
			p.errorf(spanOr(f.Value, f.KeySpan), "%s must be map or left out", f.Key)
		}
	case "x-kubernetes-list-map-keys":
		s.Key = p.key(f, at)
	case "items":
		s.Items = p.schema(f.Value, place{path: at.path + "[]", span: f.KeySpan, nested: true})
	case "additionalProperties":
		s.Values = p.values(f, at)
	case "properties":
		s.Properties = p.properties(f, at)
	case "required":
		s.Required = p.required(f, at)
	}
}

func (p *parser) text(f manifest.Field) string {
	text, ok := f.Value.Value.(string)
	switch {
	case !ok:
		p.errorf(spanOr(f.Value, f.KeySpan), "%s must be a string", f.Key).Hint = quoteHint(f.Value)
	case strings.TrimSpace(text) == "":
		p.errorf(spanOr(f.Value, f.KeySpan), "%s is empty", f.Key)
	}
	return text
}

func (p *parser) integer(f manifest.Field, low int64) *int64 {
	i, ok := whole(f.Value)
	switch {
	case !ok:
		p.errorf(spanOr(f.Value, f.KeySpan), "%s must be an integer", f.Key)
		return nil
	case i > MaxInteger || i < -MaxInteger:
		p.errorf(f.Value.Span, "%s is beyond ±%d, which Helm cannot read without loss", f.Key, int64(MaxInteger))
		return nil
	case i < low:
		p.errorf(f.Value.Span, "%s must be at least %d", f.Key, low)
		return nil
	}
	return &i
}

func (p *parser) format(f manifest.Field) string {
	text := p.text(f)
	if text == "" || text == Quantity || text == Decimal {
		return text
	}
	p.errorf(f.Value.Span, "unknown format %q", text).Hint =
		cmp.Or(diag.DidYouMean(text, []string{Quantity, Decimal}), "the formats are quantity and decimal; use pattern for others")
	return ""
}

// texts reads a list of different strings.
func (p *parser) texts(f manifest.Field) []string {
	if f.Value.Shape != manifest.List || len(f.Value.Items) == 0 {
		p.errorf(spanOr(f.Value, f.KeySpan), "%s must be a list of strings", f.Key)
		return nil
	}
	var texts []string
	before := len(p.errs)
	for _, item := range f.Value.Items {
		text, ok := item.Value.(string)
		switch {
		case !ok:
			p.errorf(spanOr(item, f.KeySpan), "%s must be a list of strings", f.Key).Hint = quoteHint(item)
		case slices.Contains(texts, text):
			p.errorf(item.Span, "%s lists %q twice", f.Key, text)
		default:
			texts = append(texts, text)
		}
	}
	if len(p.errs) > before {
		return nil
	}
	return texts
}

const optionalHint = "leave it out: a parameter with a default is always there, one without is optional"

// required is for the items of a list and the values of a map; what a parameter lacks, its
// default says.
func (p *parser) required(f manifest.Field, at place) []string {
	if !at.nested {
		p.errorf(f.KeySpan, "required does not apply to parameters, only to the items of a list").Hint = optionalHint
		return nil
	}
	return p.texts(f)
}

func (p *parser) pattern(f manifest.Field) string {
	text := p.text(f)
	if _, err := regexp.Compile(text); err != nil {
		p.errorf(f.Value.Span, "%s is not a regular expression: %s", f.Key, strings.TrimPrefix(err.Error(), "error parsing regexp: ")).Hint =
			"write it in RE2 syntax, without look-around and back-references"
		return ""
	}
	return text
}

// not reads {pattern, description}: the description says in words what the pattern means.
func (p *parser) not(f manifest.Field) (pattern, message string) {
	for _, field := range f.Value.Fields {
		switch field.Key {
		case "pattern":
			pattern = p.pattern(field)
		case "description":
			message = strings.TrimSpace(p.text(field))
		default:
			pattern = ""
		}
	}
	if f.Value.Shape != manifest.Map || f.Value.Get("pattern") == nil || len(f.Value.Fields) > 1 && message == "" {
		p.errorf(spanOr(f.Value, f.KeySpan), "not must be {pattern: …}, perhaps with a description").Hint =
			"write other conditions in x-kubernetes-validations"
	}
	return pattern, message
}

func (p *parser) values(f manifest.Field, at place) *Schema {
	if f.Value.Shape == manifest.Bool {
		d := p.errorf(f.Value.Span, "additionalProperties must be a schema")
		d.Hint = "leave it out: objects with properties are closed anyway"
		if f.Value.Value == true {
			d.Hint = "write x-kubernetes-preserve-unknown-fields: true instead"
		}
		return nil
	}
	return p.schema(f.Value, place{path: at.path + ".*", span: f.KeySpan, nested: true})
}

func (p *parser) properties(f manifest.Field, at place) []*Schema {
	if f.Value.Shape != manifest.Map {
		p.errorf(spanOr(f.Value, f.KeySpan), "properties must be a map from names to schemas")
		return nil
	}
	var properties []*Schema
	for _, f := range f.Value.Fields {
		p.name(f, at)
		properties = append(properties, p.schema(f.Value, place{
			name: f.Key, path: join(at.path, f.Key), span: f.KeySpan, nested: at.nested,
		}))
	}
	return properties
}

var (
	camelCase = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)
	// yamlWords are what YAML 1.1, and so Helm, reads as booleans and null.
	yamlWords = []string{"yes", "no", "on", "off", "y", "n", "true", "false", "null"}
	// helmNames are values that Helm or its users' habits give a meaning in every chart.
	helmNames = []string{"global", "fullnameOverride"}
)

func (p *parser) name(f manifest.Field, at place) {
	written := cmp.Or(strings.Trim(f.KeySpan.Text(), `"'`), f.Key) // the YAML parser reads on as true
	switch {
	case slices.Contains(yamlWords, f.Key) || slices.Contains(yamlWords, strings.ToLower(written)):
		p.errorf(f.KeySpan, "%q cannot be the name of a parameter: YAML reads it as a boolean or null", written).Hint =
			"choose a longer name"
	case !camelCase.MatchString(f.Key):
		p.errorf(f.KeySpan, "%q cannot be the name of a parameter", f.Key).Hint =
			"names are camelCase letters and digits, such as maxModelLen"
	case at.root && slices.Contains(helmNames, f.Key):
		p.errorf(f.KeySpan, "%q cannot be the name of a parameter: it belongs to Helm", f.Key).Hint = "choose another name"
	}
}
