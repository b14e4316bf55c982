// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLineHashes compares with what github/codeql-action computes.
func TestLineHashes(t *testing.T) {
	for text, want := range map[string][]string{
		"":                   {"c129715d7a2bc9a3:1"},
		" a\nb\n  \t\tc\n d": {"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"},
		" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n": {
			"e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1", "b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1",
		},
		strings.Repeat("Lorem ipsum dolor sit amet.\n", 10): {
			"a7f2ff13bc495cf2:1", "a7f2ff13bc495cf2:2", "a7f2ff13bc495cf2:3", "a7f2ff13bc495cf2:4", "a7f2ff13bc495cf2:5", "a7f2ff13bc495cf2:6",
			"a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1", "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1",
		},
	} {
		if diff := cmp.Diff(want, lineHashes(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestIdentity(t *testing.T) {
	d := Diagnostic{Code: "r", Message: "m", Path: "spec", Object: Ref{Kind: "Deployment", Name: "web"}}
	other := d
	other.Message = "in other words"
	if d.identity() != other.identity() {
		t.Error("the words of a message make another finding")
	}
	for _, change := range []func(*Diagnostic){
		func(d *Diagnostic) { d.Code = "s" }, func(d *Diagnostic) { d.Path = "spec.x" }, func(d *Diagnostic) { d.Object.Name = "db" },
	} {
		other := d
		if change(&other); d.identity() == other.identity() {
			t.Errorf("%+v is the same finding", other)
		}
	}
}
