// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// commented is a workload with comments in all places, and %s at its container.
const commented = `# The server.
apiVersion: apps/v1 # of all clusters
kind: Deployment
metadata:
  name: chat # kilter:ignore host-namespaces
  # kilter.dev/ignore: host-namespaces
  annotations: {} # none
spec:
  # replicas: 9
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
      # One alone.
      - name: server # kilter:ignore host-namespaces
        image: vllm/vllm-openai:v0.20.0 # {"$ref": "#/image"}
        resources: {limits: {nvidia.com/gpu: 1, memory: 64Gi}}
`

// privilege is how commented breaks a rule that no fix mends.
const privilege = "        securityContext: {privileged: true} # kilter:ignore host-namespaces\n"

var anyComment = regexp.MustCompile(`(?m) *# .*$`)

// withoutComments: what is written in comments says nothing to the function, not even that a
// rule is to be ignored. kustomize takes comments out before, kpt does not, and both get the
// same. What the annotation says reaches it through both.
func withoutComments(t *testing.T) {
	const ignored = "  annotations: {kilter.dev/ignore: host-namespaces}\n"
	for _, c := range []struct {
		text string
		code int
	}{
		{commented, 0}, {commented + privilege, 1}, {strings.Replace(commented, "  annotations: {} # none\n", ignored, 1) + privilege, 0},
	} {
		bare := anyComment.ReplaceAllString(c.text, "")
		out, said, err := kustomized(t, c.text)
		other, _, _ := kustomized(t, bare)
		if diff := cmp.Diff(other, out); diff != "" || (err != nil) != (c.code == 1) || strings.Contains(out, "#") {
			t.Errorf("kustomize: %v, want exit code %d\n%s(-without +with comments):\n%s", err, c.code, said, diff)
		}
		with, _, code := function(t, ".", listed(c.text))
		without, _, _ := function(t, ".", listed(bare))
		if diff := cmp.Diff(documents(t, without), documents(t, with)); diff != "" || code != c.code || !strings.Contains(with, "# The server.") {
			t.Errorf("exit code %d, want %d, (-without +with comments):\n%s", code, c.code, diff)
		}
	}
}

// kustomized is the text after kustomize has called the function of vllm-inference for it.
func kustomized(t *testing.T, text string) (out, said string, err error) {
	t.Helper()
	return functionCase{kind: "Deployment", name: "chat", profile: "vllm-inference"}.build(t, text, "")
}

// listed is a ResourceList as kpt makes it: the texts of the objects, for vllm-inference.
func listed(texts ...string) string {
	var s strings.Builder
	s.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n  apiVersion: kilter.dev/v1alpha1\n  kind: Workload\n" +
		"  metadata: {name: chat}\n  spec: {profile: vllm-inference}\nitems:\n")
	for _, text := range texts {
		indent := "- "
		for line := range strings.Lines(strings.TrimLeft(text, "\n")) {
			if line != "\n" {
				s.WriteString(indent)
			}
			s.WriteString(line)
			indent = "  "
		}
	}
	return s.String()
}

// keepsOrder: keys stay in their order, which is no alphabet's, and comments above and behind
// them, in what is not the function's to the byte, and in what it completes.
func keepsOrder(t *testing.T) {
	const settings = "kind: ConfigMap\nmetadata: # no namespace\n  name: settings\napiVersion: v1\ndata:\n  # What it is called.\n  zone-name: a\n" +
		"  # Who pays, a number.\n  account: a\n  number: \"0123\" # as text\n\n  # Leave these.\n  name: b\n  deploy: c\n  # The end.\n"
	in := small(t, "") + indented(settings)
	out, said, code := function(t, ".", in)
	if code != 0 || !strings.Contains(out, indented(settings)) {
		t.Errorf("exit code %d\n%s\nthe settings are not as they were:\n%s", code, said, out)
	}
	at := 0
	for line := range strings.Lines(in) {
		if strings.Contains(line, "metadata: {labels") || strings.Contains(line, "resources:") {
			continue // the profile adds to these
		}
		i := strings.Index(out[at:], line)
		if i < 0 {
			t.Fatalf("%q is not there, or not in its place:\n%s", line, out)
		}
		at += i + len(line)
	}
}

// indented is the text of an object as an item of a ResourceList.
func indented(text string) string {
	_, items, _ := strings.Cut(listed(text), "items:\n")
	return items
}

// folds are values that are written over several lines, or that a writer could fold.
var folds = []string{
	"> # kept as it is\n      some words\n      that are one line\n\n      and another\n",
	">-\n      some words\n      that are one line\n", ">+\n      some words\n\n", "|2\n        two blanks more\n      than this\n",
	"some words\n      that are one line # and a remark\n", "\"some words \\\n      that are one line\" # and a remark\n", "'some words\n\n      and another'\n",
	strings.Repeat("some words ", 30) + "# and a remark\n", "\"" + strings.Repeat("some words ", 30) + "\"\n",
}

// keepsFolded: such a value keeps its style and its lines, with the comments behind and below
// it or with none in the list, in an object that is completed as in any other.
func keepsFolded(t *testing.T) {
	for _, fold := range folds {
		for _, kind := range []string{"apiVersion: v1\nkind: ConfigMap\ndata: {}\nmetadata:\n  name: notes\n", strings.Replace(commented, "  annotations: {} # none\n", "", 1)} {
			value := "    text: " + fold + "    # Below it.\n    other: 'a'\n"
			in := strings.Replace(kind, "metadata:\n", "metadata:\n  annotations:\n"+value, 1)
			if !strings.Contains(in, "Deployment") {
				in = commented + "---\n" + in
			}
			keepsValue(t, in, value)
			keepsValue(t, anyComment.ReplaceAllString(in, ""), anyComment.ReplaceAllString(value, ""))
		}
	}
}

// keepsValue tests that the text of an annotation of the last document comes through the
// function, and is read as before.
func keepsValue(t *testing.T, in, value string) {
	t.Helper()
	list, last := listed(strings.Split(in, "---\n")...), strings.Count(in, "---\n")
	out, said, code := function(t, ".", list)
	if item := indented(value)[2:]; code != 0 || !strings.Contains(out, item) || !strings.Contains(out, applied+": vllm-inference@") {
		t.Errorf("exit code %d\n%s\nno longer there:\n%s\nin:\n%s", code, said, item, out)
	}
	var texts [2]any
	for i, list := range []string{list, out} {
		texts[i] = field(documents(t, list)[0]["items"].([]any)[last], "metadata", "annotations", "text")
	}
	if texts[0] == nil || texts[0] != texts[1] {
		t.Errorf("%q is now %q", texts[0], texts[1])
	}
}
