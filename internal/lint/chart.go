// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// kubeVersionCompare is the rule about what clusters call their version: "26+" is a minor
// version, v1.29.3-eks-1a2b3c a whole one.
const kubeVersionCompare = "kube-version-compare"

// Chart judges the files of a Helm chart as they are written, which says more than what
// they render to: Chart.yaml and everything in templates, at any depth of the path. Other
// files are left out. The findings are about no object.
func (r *Rules) Chart(files []*source.File, o Options) []Finding {
	rule := r.chosen(kubeVersionCompare, o)
	if rule == nil {
		return nil
	}
	var findings []Finding
	for _, f := range files {
		var list diag.List
		switch {
		case path.Base(f.Name) == "Chart.yaml":
			list = supportedVersions(f)
		case slices.Contains(strings.Split(path.Dir(f.Name), "/"), "templates"):
			list = templateVersions(f)
		}
		for _, d := range list {
			d.Code, d.Severity = rule.Name, rule.Severity
			findings = append(findings, Finding{Diagnostic: d})
		}
	}
	return findings
}

// chosen returns the rule, nil when it is not to run.
func (r *Rules) chosen(name string, o Options) *Rule {
	if o.Only != nil && !o.Only(name) {
		return nil
	}
	return r.Find(name)
}

// supportedVersions looks at kubeVersion in Chart.yaml.
func supportedVersions(f *source.File) diag.List {
	docs, _ := manifest.Parse(f)
	if len(docs) == 0 {
		return nil
	}
	n := docs[0].Get("kubeVersion")
	if n.Text() == "" || takesSuffix(n.Text()) {
		return nil
	}
	var list diag.List
	d := list.Errorf(n.Span, "", "kubeVersion %q is met by no cluster whose version has a suffix, such as v1.34.2-eks-113cf36: Helm refuses the chart there", n.Text())
	d.Hint, d.Path = fmt.Sprintf("write %q", withSuffix(n.Text())), "kubeVersion"
	return list
}

// An action of a template; a comment is one, too.
var action = regexp.MustCompile(`(?s)\{\{-?\s*/\*.*?\*/\s*-?\}\}|\{\{.*?\}\}`)

var (
	minor      = regexp.MustCompile(`\.?KubeVersion\.Minor\b`)
	asNumber   = regexp.MustCompile(`\b(int|int64|float64|atoi|toDecimal|eq|ne|lt|le|gt|ge)\b`)
	cleaned    = regexp.MustCompile(`\b(trimSuffix|trimAll|replace|regexReplaceAll|regexReplaceAllLiteral|regexFind)\b`)
	constraint = regexp.MustCompile("\\bsemverCompare\\s+(?:\"([^\"]*)\"|`([^`]*)`)")
	stripped   = regexp.MustCompile(`\b(regexReplaceAll|regexReplaceAllLiteral|regexFind|splitList|split)\b`)
	cluster    = regexp.MustCompile(`Capabilities\.KubeVersion(\.Version|\.GitVersion)?\s*(\||\)|-?\}\}|\s|$)`)
)

// templateVersions looks at what a template asks of Capabilities.KubeVersion.
func templateVersions(f *source.File) diag.List {
	var list diag.List
	for _, at := range action.FindAllStringIndex(f.Text, -1) {
		text := f.Text[at[0]:at[1]]
		span := func(i []int) source.Span { return source.Span{File: f, Start: at[0] + i[0], End: at[0] + i[1]} }
		if strings.HasPrefix(strings.TrimLeft(text, "{- \t\n\r"), "/*") {
			continue
		}
		if m := minor.FindStringIndex(text); m != nil && asNumber.MatchString(text) && !cleaned.MatchString(text) {
			d := list.Errorf(span(m), "", "the minor version is text, and on some clusters %q: as a number that is 0, and as text 9 comes after 26", "26+")
			d.Hint = `compare the whole version: semverCompare ">=1.26-0" .Capabilities.KubeVersion.Version`
		}
		if !cluster.MatchString(text) || stripped.MatchString(text) {
			continue
		}
		for _, m := range constraint.FindAllStringSubmatchIndex(text, -1) {
			i := 2
			if m[i] < 0 {
				i = 4
			}
			if want := text[m[i]:m[i+1]]; want != "" && !takesSuffix(want) {
				d := list.Errorf(span(m[i:i+2]), "", "%q is met by no cluster whose version has a suffix, such as v1.34.2-eks-113cf36", want)
				d.Hint = fmt.Sprintf("write %q", withSuffix(want))
			}
		}
	}
	return list
}

var (
	prerelease = regexp.MustCompile(`[0-9xX*]-[0-9A-Za-z]`)
	bound      = regexp.MustCompile(`[0-9]+(\.[0-9xX*]+)*(-[0-9A-Za-z.-]+)?`)
)

// takesSuffix reports whether a constraint can be met by a version such as
// v1.29.3-eks-1a2b3c. To github.com/Masterminds/semver that is a prerelease, which meets
// a range only where the range names one itself.
func takesSuffix(constraint string) bool {
	return prerelease.MatchString(constraint)
}

// withSuffix returns the constraint with the lowest suffix at each of its versions.
func withSuffix(constraint string) string {
	if !bound.MatchString(constraint) {
		return ">=0.0.0-0"
	}
	return bound.ReplaceAllStringFunc(constraint, func(version string) string {
		if strings.Contains(version, "-") {
			return version
		}
		return version + "-0"
	})
}
