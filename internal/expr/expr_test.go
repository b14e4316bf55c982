// SPDX-License-Identifier: Apache-2.0

package expr_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/source"
)

const schema = `
type: object
properties:
  port: {type: integer, default: 8000, description: d}
  name: {type: string, default: "é{}", description: d}
  on: {type: object, properties: {enabled: {type: boolean, default: true, description: d}}}
  memory: {type: string, format: quantity, default: 1.5Gi, description: d}
  dtype: {type: string, description: d}
  limit: {type: integer, description: d}
  hosts: {type: array, items: {type: string}, default: [a, b], description: d}
  labels: {type: object, additionalProperties: {type: string}, default: {}, description: d}
  affinity: {type: object, x-kubernetes-preserve-unknown-fields: true, description: d}
`

func newEnv(t testing.TB) (*expr.Env, *param.Schema) {
	t.Helper()
	s, errs := param.Parse(parse(t, strings.ReplaceAll(schema, "  on:", "  feature:")))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	env, err := expr.NewEnv(s, map[string]string{"start.sh": "#!/bin/sh\n"})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		name string
		kind expr.Kind
	}{{"grace", expr.Int}, {"url", expr.String}} {
		if env, err = env.WithVariable(v.name, v.kind, true); err != nil {
			t.Fatal(err)
		}
	}
	return env, s
}

func parse(t testing.TB, text string) *manifest.Node {
	t.Helper()
	docs, errs := manifest.Parse(source.New("t.yaml", text))
	if len(errs) > 0 || len(docs) != 1 {
		t.Fatalf("parse %q: %d documents, %v", text, len(docs), errs)
	}
	return docs[0]
}

// nothing is the value of a template that evaluates to nothing.
const nothing = "(nothing)"

var constructs = []struct {
	text string
	tree string
	want any
}{
	{`plain`, `"plain"`, "plain"},
	{`${params.port}`, `params.port`, int64(8000)},
	{`--port=${params.port}`, `concat("--port=", params.port)`, "--port=8000"},
	{`${params.feature.enabled}`, `params.feature.enabled`, true},
	{`${params.name}`, `params.name`, "é{}"},
	{`${params.hosts}`, `params.hosts`, []any{"a", "b"}},
	{`${params.labels}`, `params.labels`, map[string]any{"k": "v"}},
	{`${params.?dtype}`, `opt(params.dtype)`, nothing},
	{`--dtype=${params.?dtype}`, `concat("--dtype=", opt(params.dtype))`, nothing},
	{`${params.?port}`, `some(params.port)`, int64(8000)},
	{`${params.?limit.orValue(7) + 1}`, `+(orValue(opt(params.limit), 7), 1)`, int64(8)},
	{`${has(params.limit)}`, `has(params.limit)`, false},
	{`${has(params.port)}`, `true`, true},
	{`${has(params.limit) && params.limit > 3}`, `&&(has(params.limit), >(params.limit, 3))`, false},
	{`${has(params.limit) ? params.limit : 2}`, `?:(has(params.limit), params.limit, 2)`, int64(2)},
	{`${!has(params.limit) ? 2 : params.limit}`, `?:(!(has(params.limit)), 2, params.limit)`, int64(2)},
	{`${params.port > 1 ? optional.of(params.name) : optional.none()}`, `?:(>(params.port, 1), some(params.name), none())`, "é{}"},
	{`${params.port < 1 ? optional.of(params.name) : optional.none()}`, `?:(<(params.port, 1), some(params.name), none())`, nothing},
	{`${(params.port + 9) / 10 - 1 * 2 % 3}`, `-(/(+(params.port, 9), 10), %(*(1, 2), 3))`, int64(798)},
	{`${-params.port}`, `neg(params.port)`, int64(-8000)},
	{`${[params.port, 3].max()}`, `max(params.port, 3)`, int64(8000)},
	{`${[params.port, 3].min()}`, `min(params.port, 3)`, int64(3)},
	{`${params.port == 8000 || params.port != 1 || params.port <= 2 || params.port >= 2}`, `||(||(==(params.port, 8000), !=(params.port, 1)), ||(<=(params.port, 2), >=(params.port, 2)))`, true},
	{`${"a" + params.name + string(params.port)}`, `concat("a", params.name, string(params.port))`, "aé{}8000"},
	{`${string(true)}`, `string(true)`, "true"},
	{`${params.name in ["a", "b"]}`, `oneof(params.name, "a", "b")`, false},
	{`${params.port in [1, 8000]}`, `oneof(params.port, 1, 8000)`, true},
	{`${"a" in params.hosts}`, `inlist("a", params.hosts)`, true},
	{`${"k" in params.labels}`, `inmap("k", params.labels)`, true},
	{`${size(params.hosts) + size(params.labels) + size(params.name)}`, `+(+(size(params.hosts), size(params.labels)), size(params.name))`, int64(6)},
	{`${params.name.startsWith("é") && params.name.endsWith("}") && params.name.contains("{") && params.name.matches("^.{3}$")}`,
		`&&(&&(startsWith(params.name, "é"), endsWith(params.name, "}")), &&(contains(params.name, "{"), matches(params.name, "^.{3}$")))`, true},
	{`${quantity(params.memory).asInteger() / 1048576}`, `/(quantity(params.memory), 1048576)`, int64(1536)},
	{`${hash("a")}`, `hash("a")`, "ca978112"},
	{`${sha256("a")}`, `sha256("a")`, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
	{`${hash(params.hosts)}`, `hash(json(params.hosts))`, "0473ef2d"},
	{`${json(params.hosts)}`, `json(params.hosts)`, `["a","b"]`},
	{`${json(params.labels)}`, `json(params.labels)`, `{"k":"v"}`},
	{`${sha256(params.labels)}`, `sha256(json(params.labels))`, "666c1aa02e8068c6d5cc1d3295009432c16790bec28ec8ce119d0d1a18d61319"},
	{`${file("start.sh")}`, `"#!/bin/sh\n"`, "#!/bin/sh\n"},
	{`${kube.atLeast("1.35")}`, `atLeast("1.35")`, false},
	{`${kube.atLeast("1.34")}`, `atLeast("1.34")`, true},
	{`${workload.name}.${workload.namespace}`, `concat(workload.name, ".", workload.namespace)`, "web.prod"},
	{`${variables.grace + 1}`, `+(variables.grace, 1)`, int64(91)},
	{`${"${X}"}`, `"${X}"`, "${X}"},
	{`${'}'}${"{"}`, `concat("}", "{")`, "}{"},
	{`a$b {c} $ {d}`, `"a$b {c} $ {d}"`, "a$b {c} $ {d}"},
}

func TestConstructs(t *testing.T) {
	env, s := newEnv(t)
	values, errs := s.Check(parse(t, "labels: {k: v}"))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	scope := &expr.Scope{
		Params: values, Variables: map[string]any{"grace": int64(90), "url": "u"},
		Name: "web", Namespace: "prod", KubeVersion: "1.34",
	}
	for _, c := range constructs {
		tmpl, errs := env.Template(manifest.NewString(c.text))
		if len(errs) > 0 {
			t.Errorf("%s: %v", c.text, errs)
			continue
		}
		if got := expr.Key(tmpl.Tree); got != c.tree {
			t.Errorf("%s:\n got tree %s\nwant tree %s", c.text, got, c.tree)
		}
		got, present, err := tmpl.Eval(scope)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if !present {
			got = nothing
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

// Each mistake is refused at the marked place: the text between « and ».
var mistakes = []struct{ text, message, hint string }{
	{`${params.«prot»}`, `unknown parameter "prot"`, `did you mean "port"?`},
	{`${«parms».port}`, `unknown name "parms"`, `did you mean "params"?`},
	{`${variables.«grce»}`, `unknown variable "grce"`, `did you mean "grace"?`},
	{`${workload.«nam»}`, `a workload has no "nam"`, "workload.namespace"},
	{`a «${params.port»`, `hole is not closed`, "add the missing"},
	{`${«»}`, `hole is empty`, "params.replicas"},
	{`${1 + «»}`, `not a CEL expression`, ""},
	{`a ${«params.hosts»}`, `cannot stand inside text`, "whole value"},
	{`${params.«dtype» == "a"}`, `dtype may be absent`, "params.?dtype"},
	{`${params.«feature»}`, `feature is a group of parameters`, "use its fields"},
	{`${params.hosts.«map»(h, h)}`, `macros such as map`, "expressions.md"},
	{`${params.hosts.«exists»(h, h == "a")}`, `macros such as map`, "expressions.md"},
	{`${«[»1, 2]}`, `a list literal stands only in`, "expressions.md"},
	{`${«{»"a": 1}}`, `a map literal cannot`, "as YAML"},
	{`${params.hosts«[»0]}`, `[_]`, "expressions.md"},
	{`${params.port «/» params.port}`, `only a constant other than 0 can divide`, "multiply"},
	{`${params.port «/» 0}`, `only a constant other than 0 can divide`, "multiply"},
	{`${params.hosts «+» params.hosts}`, `only integers and strings can be added`, "second item"},
	{`${params.hosts «==» params.hosts}`, `cannot be compared`, "size()"},
	{`${params.name «<» "b"}`, `cannot be expressed`, "expressions.md"},
	{`${«1.5» < 2.0}`, `only strings, integers and booleans can be literals`, "expressions.md"},
	{`${params.name.«upperAscii»()}`, `upperAscii`, "expressions.md"},
	{`${params.dtype.«orValue»("")}`, `orValue does not take`, ""},
	{`${params.name.«matches»(params.name)}`, `a pattern must be a constant`, "string literal"},
	{`${«json»(params.name)}`, `does not take`, ""},
	{`${«json»(params.?dtype)}`, `does not take`, ""},
	{`${«hash»(params.port)}`, `does not take`, ""},
	{`${«hash»(params.?dtype)}`, `does not take`, ""},
	{`${«file»(params)}`, `does not take`, ""},
	{`${file(«"strt.sh"»)}`, `no file files/strt.sh`, `did you mean "start.sh"?`},
	{`${kube.atLeast(«"latest"»)}`, `"latest" is not a Kubernetes minor version`, "1.35"},
	{`${params.name.«atLeast»("1.35")}`, `atLeast belongs to kube`, "kube.atLeast"},
	{`${params.port «+» "a"}`, `does not take`, ""},
	{`${quantity(params.memory).«add»(quantity("1Gi"))}`, `add`, "expressions.md"},
	{`${params.«name».asInteger()}`, `asInteger takes quantity(text)`, ""},
	{`${params.?affinity.?nodeAffinity}`, `unknown parameter "affinity.nodeAffinity"`, ""},
}

func TestMistakes(t *testing.T) {
	env, _ := newEnv(t)
	for _, m := range mistakes {
		before, rest, marked := strings.Cut(m.text, "«")
		inside, after, _ := strings.Cut(rest, "»")
		text := before + inside + after
		_, errs := env.Template(parse(t, "'"+strings.ReplaceAll(text, "'", "''")+"'"))
		if len(errs) == 0 {
			t.Errorf("%s: no error", text)
			continue
		}
		if !anyContains(errs[0].Message, strings.Split(m.message, "|")) {
			t.Errorf("%s: message %q, want %q", text, errs[0].Message, m.message)
		}
		if !strings.Contains(errs[0].Hint, m.hint) {
			t.Errorf("%s: hint %q, want %q", text, errs[0].Hint, m.hint)
		}
		if _, col := errs[0].Span.Position(); marked && col != len([]rune(before))+2 {
			t.Errorf("%s: error at column %d, want %d\n%v", text, col, len([]rune(before))+2, errs)
		}
	}
}

func anyContains(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// TestSplit holds presence and value of optional trees together with what they mean.
func TestSplit(t *testing.T) {
	env, _ := newEnv(t)
	for _, c := range []struct{ text, presence, value string }{
		{`${params.port}`, `true`, `params.port`},
		{`${params.?dtype}`, `has(params.dtype)`, `params.dtype`},
		{`a${params.?dtype}b${params.?limit}`, `&&(has(params.dtype), has(params.limit))`, `concat("a", params.dtype, "b", params.limit)`},
		{`${params.port > 1 ? optional.of(1) : optional.none()}`, `>(params.port, 1)`, `1`},
		{`${params.port > 1 ? optional.none() : params.?limit}`, `&&(!(>(params.port, 1)), has(params.limit))`, `params.limit`},
		{`${params.port > 1 ? optional.of(1) : params.?limit}`, `||(>(params.port, 1), &&(!(>(params.port, 1)), has(params.limit)))`, `?:(>(params.port, 1), 1, params.limit)`},
		{`${params.?limit.orValue(3)}`, `true`, `?:(has(params.limit), params.limit, 3)`},
	} {
		tmpl, errs := env.Template(manifest.NewString(c.text))
		if len(errs) > 0 {
			t.Fatalf("%s: %v", c.text, errs)
		}
		p, v := expr.Split(tmpl.Tree)
		if diff := cmp.Diff([]string{c.presence, c.value}, []string{expr.Key(p), expr.Key(v)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

// TestNothing: the kind of a conditional is that of the branch that is something.
func TestNothing(t *testing.T) {
	env, _ := newEnv(t)
	for text, want := range map[string]expr.Kind{
		`${params.port > 1 ? (params.port > 2 ? optional.none() : optional.none()) : optional.of(params.hosts)}`: expr.List,
		`${params.port > 1 ? optional.of(params.port) : optional.none()}`:                                        expr.Int,
		`${optional.none()}`: expr.Nothing,
	} {
		tmpl, errs := env.Template(manifest.NewString(text))
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		if got := tmpl.Tree.Type(); got.Kind != want || !got.Optional {
			t.Errorf("%s: kind %v, optional %v", text, got.Kind, got.Optional)
		}
	}
}

// FuzzTemplate: no text makes the compiler panic, and every error stands inside the text.
func FuzzTemplate(f *testing.F) {
	for _, c := range constructs {
		f.Add(c.text)
	}
	for _, m := range mistakes {
		f.Add(m.text)
	}
	f.Add("${r'\\'}${\"\"\"}\"\"\"}")
	env, _ := newEnv(f)
	f.Fuzz(func(t *testing.T, text string) {
		file := source.New("t.txt", text)
		tmpl, errs := env.Template(manifest.NewText(file))
		checkInside(t, file, errs)
		if tmpl == nil && len(errs) == 0 {
			t.Fatal("neither a template nor an error")
		}
	})
}

func checkInside(t *testing.T, file *source.File, errs diag.List) {
	t.Helper()
	for _, d := range errs {
		if d.Span.File != file || d.Span.Start < 0 || d.Span.End > len(file.Text) || d.Span.Start > d.Span.End {
			t.Fatalf("error outside the text: %+v", d)
		}
	}
}
