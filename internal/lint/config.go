// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// ConfigFile is the name of the configuration of a repository.
const ConfigFile = ".kilter.yaml"

// ConfigCode is the diagnostic code of a configuration that is not written as it must be.
const ConfigCode = "config"

// Config is what a repository says of its checks. The zero value says nothing.
type Config struct {
	// FailOn is one of FailLevels; "" for the default.
	FailOn string
	// KubeVersion is such as "1.34" or "v1.34.2"; "" for the default.
	KubeVersion string

	severities map[string]diag.Severity
	off        map[string]bool
	exceptions []*exception
}

// FailLevels are the severities that a check can fail for, worst first, and never.
func FailLevels() []string {
	return []string{diag.Error.String(), diag.Warning.String(), diag.Info.String(), "never"}
}

// IsOff reports whether the rule is switched off.
func (c *Config) IsOff(rule string) bool { return c != nil && c.off[rule] }

// Grade gives findings the severities that the configuration sets for their rules.
func (c *Config) Grade(findings []Finding) {
	if c == nil {
		return
	}
	for i := range findings {
		if s, ok := c.severities[findings[i].Code]; ok {
			findings[i].Severity = s
		}
	}
}

// ParseConfig reads a configuration. The error is a diag.List of everything that is wrong.
func ParseConfig(f *source.File, rules *Rules) (*Config, error) {
	l := &loader{Reader: manifest.Reader{Code: ConfigCode}, rules: rules}
	c := &Config{severities: map[string]diag.Severity{}, off: map[string]bool{}}
	docs, errs := manifest.Parse(f)
	l.Errs.Add(errs)
	switch {
	case len(docs) == 1 && docs[0].Shape == manifest.Map:
		l.config(docs[0], c)
	case len(docs) > 0 || len(errs) == 0:
		l.Errorf(source.Span{File: f}, "a configuration is one document, a map")
	}
	return c, l.Errs.Err()
}

func (l *loader) config(root *manifest.Node, c *Config) {
	l.Keys(root, "apiVersion", "kind", "failOn", "kubeVersion", "rules", "exceptions")
	l.Constant(root, "apiVersion", APIVersion)
	l.Constant(root, "kind", "Config")
	if c.FailOn = l.Text(root, "failOn", false); c.FailOn != "" && !slices.Contains(FailLevels(), c.FailOn) {
		d := l.Errorf(root.Get("failOn").Span, "failOn is error, warning, info or never, not %q", c.FailOn)
		d.Hint = diag.DidYouMean(c.FailOn, FailLevels())
	}
	c.KubeVersion = l.kubeVersion(root)
	if settings := l.Optional(root, "rules", manifest.Map); settings != nil {
		for _, f := range settings.Fields {
			l.setting(f, c)
		}
	}
	for _, item := range l.List(root, "exceptions", false) {
		c.exceptions = append(c.exceptions, l.exception(item))
	}
}

// kubeVersion also takes 1.34 without quotes, which is a number.
func (l *loader) kubeVersion(root *manifest.Node) string {
	n := root.Get("kubeVersion")
	if n == nil {
		return ""
	}
	text := n.Text()
	if n.Shape == manifest.Float {
		text = n.Span.Text()
	}
	if problem, hint := kube.Problem(text); problem != "" {
		l.Errorf(n.Span, "kubeVersion: %s", problem).Hint = hint
	}
	return text
}

// setting reads "RULE: SEVERITY" and "RULE: off", which YAML reads as false.
func (l *loader) setting(f manifest.Field, c *Config) {
	l.ruleName(f.Key, f.KeySpan)
	text := f.Value.Text()
	if f.Value != nil && f.Value.Value == false || text == "off" {
		c.off[f.Key] = true
		return
	}
	if s, ok := severityOf(text); ok {
		c.severities[f.Key] = s
		return
	}
	at := f.KeySpan
	if f.Value != nil && f.Value.Span.File != nil {
		at = f.Value.Span
	}
	l.Errorf(at, "a rule is error, warning, info or off").Hint =
		diag.DidYouMean(text, []string{"error", "warning", "info", "off"})
}

// ruleName reports a name that no rule has.
func (l *loader) ruleName(name string, at source.Span) {
	if l.rules.Find(name) == nil {
		l.Errorf(at, "there is no rule %q", name).Hint = l.rules.DidYouMean(name)
	}
}

// DidYouMean says what to do about a name that no rule has.
func (r *Rules) DidYouMean(name string) string {
	if hint := diag.DidYouMean(name, r.Names()); hint != "" {
		return hint
	}
	return `see "kilter rule list"`
}

func (l *loader) exception(n *manifest.Node) *exception {
	e := &exception{span: n.Span}
	if n.Shape != manifest.Map {
		l.Errorf(n.Span, "an exception is a map with rules, and which findings of them it is for")
		return e
	}
	l.Keys(n, "rules", "paths", "kinds", "names", "namespaces", "until", "reason")
	for _, item := range l.List(n, "rules", true) {
		l.ruleName(item.Text(), item.Span)
		e.rules = append(e.rules, named{item.Text(), item.Span})
	}
	e.paths = l.patterns(n, "paths")
	e.names = l.patterns(n, "names")
	e.namespaces = l.patterns(n, "namespaces")
	for _, item := range l.List(n, "kinds", false) {
		if l.isKind(item) {
			e.kinds = append(e.kinds, item.Text())
		}
	}
	e.reason = l.Text(n, "reason", false)
	if e.until = l.Text(n, "until", false); e.until != "" {
		e.untilSpan = n.Get("until").Span
		if !isDate(e.until) {
			l.Errorf(e.untilSpan, "until is a date such as 2027-01-31, not %q", e.until).Hint =
				"write the year, the month and the day, with - between them"
		}
	}
	return e
}

// isKind reports whether an item is written like a kind, and what is wrong otherwise.
func (l *loader) isKind(n *manifest.Node) bool {
	if kindText.MatchString(n.Text()) {
		return true
	}
	kinds := map[string]bool{}
	for _, rule := range l.rules.All {
		for _, k := range rule.Kinds {
			kinds[k.Kind], kinds[k.String()] = true, true
		}
	}
	l.Errorf(n.Span, "kinds are such as Deployment or apps/Deployment").Hint = diag.DidYouMean(n.Text(), slices.Sorted(maps.Keys(kinds)))
	return false
}

var kindText = regexp.MustCompile(`^([a-z0-9.-]+/)?[A-Z][A-Za-z0-9]*$`)

// patterns reads a list of globs.
func (l *loader) patterns(n *manifest.Node, key string) []string {
	var all []string
	for _, item := range l.List(n, key, false) {
		text := item.Text()
		_, err := path.Match(text, "")
		switch {
		case item.Shape != manifest.String || text == "":
			l.Errorf(item.Span, "%s are text", key)
		case err != nil:
			l.Errorf(item.Span, "%q is no pattern: a [ is not closed, or a \\ ends it", text)
		case key == "paths" && (strings.HasPrefix(text, "/") || strings.HasPrefix(path.Clean(text), "..")):
			l.Errorf(item.Span, "%q leads out of the folder of this file, which paths are relative to", text)
		default:
			all = append(all, text)
		}
	}
	return all
}

// isDate reports whether s is YYYY-MM-DD; dates of that form compare as text.
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
