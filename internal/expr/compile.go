// SPDX-License-Identifier: Apache-2.0

package expr

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/hole"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Code is the diagnostic code of everything that is wrong inside a hole.
const Code = "expr"

// Template compiles a string scalar of a template file: text with any number of holes.
// It is nil after an error, and when a hole refers to a variable that did not compile.
func (e *Env) Template(n *manifest.Node) (*Template, diag.List) {
	var errs diag.List
	t := &Template{Span: n.Span}
	var args []Tree
	pieces := hole.Split(n.Text())
	t.Whole = len(pieces) == 1 && pieces[0].Hole
	for _, p := range pieces {
		text := n.Text()[p.Start:p.End]
		if !p.Hole {
			t.parts = append(t.parts, part{text: text})
			args = append(args, &Literal{text})
			continue
		}
		span := n.At(p.Start, p.End)
		if p.Open {
			errs.Errorf(n.At(p.Start-2, p.End), Code, "hole is not closed").Hint = "add the missing }, or write ${\"${\"} for the text ${"
			continue
		}
		c := e.compile(n, p.Start, p.End, &errs)
		if c == nil {
			continue
		}
		if !t.Whole && !printable(c.tree.Type().Kind) {
			errs.Errorf(span, Code, "a list or map cannot stand inside text").Hint = "let the hole be the whole value"
		}
		t.parts = append(t.parts, part{span: span, hole: c})
		args = append(args, c.tree)
	}
	if len(errs) > 0 || len(args) < len(pieces) {
		return nil, errs
	}
	t.Tree = args[0]
	if len(args) > 1 {
		t.Tree = concat(args)
	}
	return t, nil
}

// Expression compiles a scalar that is CEL as a whole, without ${ and }.
func (e *Env) Expression(n *manifest.Node) (*Template, diag.List) {
	var errs diag.List
	c := e.compile(n, 0, len(n.Text()), &errs)
	if c == nil {
		return nil, errs
	}
	t := &Template{Span: n.Span, Tree: c.tree, Whole: true, parts: []part{{span: n.Span, hole: c}}}
	if e.self != nil {
		t.self = e.self.Path
		if e.self.Optional() {
			self := &Ref{Path: strings.Split("params."+t.self, "."), Format: e.self.Format, T: typeOf(e.self)}
			t.Tree = Either(Negate(call(Has, Bool, self)), c.tree)
		}
	}
	return t, errs
}

func printable(k Kind) bool { return k == String || k == Int || k == Bool }

func concat(args []Tree) Tree {
	t := Type{Kind: String}
	for _, a := range args {
		t.Optional = t.Optional || a.Type().Optional
	}
	return &Call{Op: Concat, Args: args, T: t}
}

// compiled is a hole that is well-formed.
type compiled struct {
	tree Tree
	// program plans the evaluation, when it is first wanted: a planned hole costs as much as a
	// parsed one, and most renderings evaluate half of the holes.
	program func() (cel.Program, error)
	ref     *Ref // the whole of it, which needs no program; nil for others
}

// compile checks and lowers the bytes [start, end) of n's decoded text. It returns nil
// when that adds an error to errs. What is written twice is compiled once.
func (e *Env) compile(n *manifest.Node, start, end int, errs *diag.List) *compiled {
	text := n.Text()[start:end]
	if strings.TrimSpace(text) == "" {
		errs.Errorf(n.At(start, end), Code, "hole is empty").Hint = "write an expression such as params.replicas"
		return nil
	}
	if c := e.compiled[text]; c != nil {
		return c
	}
	for _, name := range e.invalid {
		if strings.Contains(text, name) {
			return nil
		}
	}
	if c := e.plain(text); c != nil {
		e.compiled[text] = c
		return c
	}
	ast, issues := e.cel.Compile(text)
	if issues != nil && issues.Err() != nil {
		for _, err := range issues.Errors() {
			e.report(n, start, text, err, errs)
		}
		return nil
	}
	before := len(*errs)
	l := &lowerer{env: e, ast: ast.NativeRep(), errs: errs, at: func(from, to int) source.Span {
		return n.At(start+from, start+to)
	}, text: text}
	tree := l.lower(ast.NativeRep().Expr(), nil)
	if len(*errs) > before {
		return nil
	}
	c := &compiled{tree: tree, program: sync.OnceValues(func() (cel.Program, error) { return e.planner.Program(ast) })}
	e.compiled[text] = c
	return c
}

var (
	undefinedField = regexp.MustCompile(`^undefined field '(.*)'$`)
	undeclared     = regexp.MustCompile(`^undeclared reference to '(.*)' \(in container ''\)$`)
	noOverload     = regexp.MustCompile(`^found no matching overload for '(.*)' applied to '(.*)'$`)
	expecting      = regexp.MustCompile(` expecting (\{.*\}|'.*')$`)
	syntaxError    = regexp.MustCompile(`^Syntax error: `)
)

// report turns an error of cel-go into a diagnostic at its place in the file.
func (e *Env) report(n *manifest.Node, start int, text string, err *cel.Error, errs *diag.List) {
	from, to := anchor(text, offset(text, err.Location))
	message, hint := err.Message, ""
	switch {
	case undefinedField.MatchString(message):
		name := undefinedField.FindStringSubmatch(message)[1]
		message, hint = "unknown parameter \""+name+"\"", diag.DidYouMean(name, e.fieldNames())
	case undeclared.MatchString(message):
		name := undeclared.FindStringSubmatch(message)[1]
		rest := text[min(from+len(name)+1, len(text)):]
		switch word := rest[:wordLen(rest)]; {
		case name == "variables" && word != "":
			from += len("variables.")
			to = from + len(word)
			message, hint = "unknown variable \""+word+"\"", diag.DidYouMean(word, e.variableNames())
		case name == "workload" && word != "":
			from += len("workload.")
			to = from + len(word)
			message, hint = "a workload has no \""+word+"\"", "it has workload.name and workload.namespace"
		default:
			message, hint = "unknown name \""+name+"\"", diag.DidYouMean(name, e.names)
		}
	case noOverload.MatchString(message):
		m := noOverload.FindStringSubmatch(message)
		message = "operator or function " + plainOperator(m[1]) + " does not take " + m[2]
	case syntaxError.MatchString(message):
		message = "not a CEL expression: " + expecting.ReplaceAllString(strings.TrimPrefix(message, "Syntax error: "), "")
	}
	errs.Errorf(n.At(start+from, start+to), Code, "%s", message).Hint = hint
}

var rootNames = []string{"params", "variables", "workload", "kube", "has", "size", "string", "quantity", "hash", "sha256", "file", "optional"}

func (e *Env) fieldNames() []string {
	var names []string
	if e.schema == nil {
		return nil
	}
	for _, leaf := range e.schema.Leaves() {
		names = append(names, strings.Split(leaf.Path, ".")...)
	}
	return names
}

func (e *Env) variableNames() []string {
	var names []string
	for name := range e.variables {
		names = append(names, name)
	}
	return names
}

// plainOperator turns cel-go's "_+_" into "+".
func plainOperator(name string) string { return strings.Trim(name, "_@") }

// offset is the byte in text of a location: 1-based line, 0-based column in runes.
func offset(text string, at common.Location) int {
	i := 0
	for line := 1; line < at.Line(); line++ {
		next := strings.IndexByte(text[i:], '\n')
		if next < 0 {
			break
		}
		i += next + 1
	}
	for col := 0; col < at.Column() && i < len(text); col++ {
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return min(i, len(text))
}

// anchor is the word to underline for a position that cel-go gives: it points at the dot
// of a selection and at the parenthesis of a call.
func anchor(text string, at int) (from, to int) {
	switch {
	case at < len(text) && text[at] == '.':
		at++
		for at < len(text) && (text[at] == '?' || text[at] == ' ') {
			at++
		}
	case at < len(text) && text[at] == '(':
		for at > 0 && isWord(text[at-1]) {
			at--
		}
	}
	return at, min(at+max(wordLen(text[at:]), 1), len(text))
}

func wordLen(s string) int {
	i := 0
	for i < len(s) && isWord(s[i]) {
		i++
	}
	return i
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
