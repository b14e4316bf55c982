// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"testing"

	"github.com/Masterminds/semver/v3"
)

// TestTakesSuffix compares with the library that Helm asks.
func TestTakesSuffix(t *testing.T) {
	plain, suffixed := semver.MustParse("v1.34.2"), semver.MustParse("v1.34.2-eks-113cf36")
	for _, text := range []string{
		">=1.19", ">=1.19.0", ">= 1.19.0-0", "^1.21", "^1.21.0-0", "~1.34.0", "~1.34.0-0", "1.34.x", "*", ">1.20 <2", ">1.20-0 <2-0",
		">=1.20.0-0 < 1.40.0", ">=1.20.0, <1.40.0-0", "<1.2 || >=1.20", "<1.2-0 || >=1.20-0", "1.20 - 1.40", "1.20.0-0 - 1.40.0-0", ">= 1.22.0-alpha.1",
		"^1.26.0-0 || >=2", "<1.20 || >=1.26-0",
	} {
		c, err := semver.NewConstraint(text)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Check(plain) {
			t.Fatalf("%q is not met by %s: a bad example", text, plain)
		}
		if got, want := takesSuffix(text), c.Check(suffixed); got != want {
			t.Errorf("takesSuffix(%q) = %t; Helm says %t", text, got, want)
		}
		better, err := semver.NewConstraint(withSuffix(text))
		if err != nil {
			t.Errorf("%q for %q: %v", withSuffix(text), text, err)
		} else if !better.Check(suffixed) || !better.Check(plain) {
			t.Errorf("%q for %q is not met by %s and %s", withSuffix(text), text, plain, suffixed)
		}
	}
}
