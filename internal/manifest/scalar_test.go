// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
	kube "sigs.k8s.io/yaml"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

func TestScalarValues(t *testing.T) {
	for text, want := range map[string]any{
		"on": true, "Yes": true, "y": true, "n": false, "OFF": false, "true": true, "tRue": "tRue",
		"~": nil, "null": nil, "": nil, "nUll": "nUll",
		"0": int64(0), "-0": int64(0), "7": int64(7), "-12": int64(-12), "+3": int64(3), "0777": int64(511), "0o17": int64(15), "08": int64(8), "0x1F": int64(31), "0b101": int64(5),
		"1_000": int64(1000), "1e6": int64(1000000), "1.0": int64(1), "1.10": 1.1, ".5": .5, "1.": int64(1), "1e-3": .001, "685.230_15e+03": 685230.15,
		"9223372036854775807": int64(9223372036854775807), "9223372036854775808": 9223372036854775808.0, "18446744073709551616": 18446744073709551616.0,
		"1e400": "1e400", "190:20:30": "190:20:30", "2001-01-01": "2001-01-01", "2001-12-14t21:59:43.10-05:00": "2001-12-14t21:59:43.10-05:00",
		"8Gi": "8Gi", "500m": "500m", "10.0.0.1": "10.0.0.1", "--": "--", "inf": "inf", "0x": "0x", "1__0": int64(10),
		"'1'": "1", `"on"`: "on", "|\n 1": "1\n", ">-\n 1": "1",
		"!!str 1": "1", "!!int '3'": int64(3), "!!float 2": int64(2), "!!null ''": nil, "!!bool yes": true, "!!binary aGVsbG8=": "hello", "!local 12": "12", "! 12": "12", "!<tag:yaml.org,2002:int> '4'": int64(4),
		"&a 1": int64(1), "&a !!str 1": "1", "!!str &a 1": "1", "&a": nil, "!!str": "",
		"a\n b": "a b", "1\n 2": "1 2", "a\n\n b": "a\nb",
	} {
		if diff := cmp.Diff(want, manifest.Native(parseOne(t, "a: "+text+"\n").Get("a"))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		checkAgainstKubernetes(t, "a: "+text+"\n")
		checkAgainstKubernetes(t, "- "+text+"\n")
	}
}

func TestKeys(t *testing.T) {
	for text, want := range map[string]string{
		"a": "a", "1": "1", "0777": "511", "on": "true", "n": "false", "1.5": "1.5", "1e6": "1e+06", "1.23456789": "1.2345679", ".inf": ".inf", "'on'": "on", "!!str 1": "1", "!!int '0x10'": "16",
		"? |\n a\n": "a\n", "&x k": "k", "2001-01-01": "2001-01-01", strings.Repeat("k", 1000): strings.Repeat("k", 1000),
	} {
		n := parseOne(t, text+": x\n")
		if len(n.Fields) != 1 || n.Fields[0].Key != want {
			t.Errorf("key %q = %+v, want %q", text, n.Fields, want)
		}
		checkAgainstKubernetes(t, text+": x\n")
	}
	for _, text := range []string{"~: x", "18446744073709551615: x", "[a]: x", "{a: b}: x", "&a [a]: *a"} {
		n, diags := manifest.Parse(source.New("t.yaml", text))
		if len(diags) != 1 || len(n) != 1 {
			t.Errorf("%q: %d documents, want one and an error, got %v", text, len(n), diags)
		}
	}
}

func TestScalarsAreWhatKubernetesReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringOf(rapid.SampledFrom([]rune("0123456789+-._eExXoObBaAfFpP:tTzZ "))),
			rapid.StringMatching(`[-+]?(0[xob]?)?[0-9_]{0,4}\.?[0-9_]{0,4}([eE][-+]?[0-9]{1,3})?`),
			rapid.StringMatching(`[-+]?\.?(y|n|yes|no|on|off|true|false|null|~|inf|nan|Inf|NaN|INF|Y|N|YES|Off)`),
			texts(),
		).Draw(t, "scalar")
		quote := rapid.SampledFrom([]string{"", "", "'", `"`}).Draw(t, "quote")
		checkAgainstKubernetes(t, "a: "+quote+text+quote+"\nb: 1\n")
		if !strings.ContainsAny(text, "\n\r\u0085\u2028\u2029") {
			checkAgainstKubernetes(t, quote+text+quote+": 1\n")
		}
	})
}

// checkAgainstKubernetes wants the document to have the value that Kubernetes' library
// reads, if it reads one, and to be refused if it refuses it for other than its syntax.
func checkAgainstKubernetes(t rapid.TB, text string) {
	t.Helper()
	docs, diags := manifest.Parse(source.New("t.yaml", text))
	data, err := kube.YAMLToJSON([]byte(text))
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "yaml: line"), err != nil && strings.Contains(err.Error(), "in this context"):
		return // its scanner is older and stricter
	case err != nil && len(diags) == 0:
		t.Fatalf("%q was read, Kubernetes says %v", text, err)
	case err != nil:
		return
	case len(diags) > 0:
		// It takes the last of two equal keys, and stops after [] in "[]: 1".
		known := strings.Contains(diags.Error(), "twice") || strings.Contains(diags.Error(), "not a map or list")
		var n yaml.Node
		decoder := yaml.NewDecoder(strings.NewReader(text))
		if !known && decoder.Decode(&n) == nil && errors.Is(decoder.Decode(&n), io.EOF) {
			t.Fatalf("%q is %s and was refused: %v", text, data, diags)
		}
		return
	case len(docs) == 0 && string(data) == "null":
		return
	case len(docs) != 1:
		t.Fatalf("%q: got %d documents", text, len(docs))
	}
	if diff := cmp.Diff(nativeJSON(t, data), manifest.Native(docs[0])); diff != "" {
		t.Fatalf("%q (-Kubernetes +ours):\n%s", text, diff)
	}
}
