// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"cmp"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/expr"
)

// standard are the named templates of every chart. Their names have two parts behind
// the chart's, so that no variable of a profile, which has one, can collide.
const standard = `{{/*
The name of the workload: fullnameOverride, or else the name of the release.
*/}}
{{- define "CHART.workload.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/*
Name and version of the chart, as a label holds them.
*/}}
{{- define "CHART.chart.label" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}
`

// optional are the named templates that a chart has if one of its templates calls them.
var optional = []struct{ name, text string }{
	{"value.yaml", `
{{/*
Any value as YAML in block style. Every string is quoted, so that no reader takes it for
a number or boolean, and 1000000 does not become 1e+06: toYaml does not promise either.
*/}}
{{- define "CHART.value.yaml" -}}
{{- $lines := list -}}
{{- if kindIs "map" . -}}
  {{- range $key, $value := . -}}
    {{- $word := regexMatch "(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$" $key -}}
    {{- $plain := and (regexMatch "^[A-Za-z][A-Za-z0-9_./-]*$" $key) (not $word) -}}
    {{- $key = ternary $key (quote $key) $plain -}}
    {{- $text := include "CHART.value.yaml" $value -}}
    {{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) -}}
      {{- $lines = append $lines (printf "%s:%s" $key (nindent 2 $text)) -}}
    {{- else -}}
      {{- $lines = append $lines (printf "%s: %s" $key $text) -}}
    {{- end -}}
  {{- end -}}
  {{- join "\n" $lines | default "{}" -}}
{{- else if kindIs "slice" . -}}
  {{- range . -}}
    {{- $lines = append $lines (include "CHART.value.yaml" . | indent 2 | trim | printf "- %s") -}}
  {{- end -}}
  {{- join "\n" $lines | default "[]" -}}
{{- else if kindIs "string" . -}}
  {{- quote . -}}
{{- else -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}
`},
	{"value.text", `
{{/*
The text of a quantity or decimal, which may be given as a number; nothing for null.
*/}}
{{- define "CHART.value.text" -}}
{{- if kindIs "string" . -}}
  {{- . -}}
{{- else if not (kindIs "invalid" .) -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}
`},
	{"value.twice", `
{{/*
What of a list is in it before, as JSON.
*/}}
{{- define "CHART.value.twice" -}}
{{- $seen := list -}}
{{- $again := list -}}
{{- range . -}}
  {{- if and . (has . $seen) -}}
    {{- $again = append $again . -}}
  {{- end -}}
  {{- $seen = append $seen . -}}
{{- end -}}
{{- toJson $again -}}
{{- end }}
`},
	{"value.whole", `
{{/*
A quantity in whole units: "1Gi" is 1073741824. A fraction of a unit counts as one.
*/}}
{{- define "CHART.value.whole" -}}
{{- $units := dict "" 1 "m" 1 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000
  "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $unit := get $units (regexFind "[A-Za-z]*$" .) | int64 -}}
{{- $fraction := regexFind "[.][0-9]+" . | trimPrefix "." -}}
{{- $parts := 1 -}}
{{- range until (len $fraction) -}}
  {{- $parts = mul $parts 10 -}}
{{- end -}}
{{- $value := mul (regexFind "^[0-9]+" . | atoi) $unit -}}
{{- $value = add $value (div (add (mul (atoi $fraction) $unit) $parts -1) $parts) -}}
{{- if hasSuffix "m" . -}}
  {{- $value = div (add $value 999) 1000 -}}
{{- end -}}
{{- $value -}}
{{- end }}
`},
}

// helpers returns templates/_helpers.tpl. used says whether a template calls the named
// template of that name.
func (p printer) helpers(variables []blueprint.Variable, used func(name string) bool) string {
	var own strings.Builder
	for _, v := range variables {
		_, tree := expr.Split(v.Value.Tree)
		own.WriteString("\n{{/*\n" + comment(cmp.Or(strings.TrimSpace(v.Description), "The variable "+v.Name+".")) + "\n*/}}\n" + p.named(v.Name, tree))
	}
	var b strings.Builder
	b.WriteString(standard)
	for _, o := range optional {
		if call := strconv.Quote(p.chart + "." + o.name); used(o.name) || strings.Contains(own.String(), call) {
			b.WriteString(o.text)
		}
	}
	return strings.ReplaceAll(b.String(), "CHART", p.chart) + own.String()
}

// comment makes text safe inside of a comment of a template.
func comment(text string) string {
	return strings.NewReplacer("*/", "* /", "{{", "{ {", "}}", "} }").Replace(text)
}
