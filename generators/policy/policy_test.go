// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/generators/policy"
	"kilter.dev/kilter/internal/admission"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/fix/fixtest"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/rules"
)

func load(t testing.TB) *lint.Rules {
	t.Helper()
	all, err := lint.Load(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// compiled are the policies of all rules for a version, by name.
func compiled(t testing.TB, generate func(*lint.Rules, policy.Options) []*manifest.Node, all *lint.Rules, version string) map[string]*admission.Policy {
	t.Helper()
	policies := map[string]*admission.Policy{}
	objects, errs := manifest.Objects(generate(all, policy.Options{KubeVersion: version}))
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		if strings.HasSuffix(o.Kind, "Binding") {
			continue
		}
		p, err := admission.Compile(o, version)
		if err != nil {
			t.Errorf("%s: %v", version, err)
			continue
		}
		policies[o.Name] = p
	}
	return policies
}

// byVersion are the policies of all rules, for versions of Kubernetes.
type byVersion struct {
	generate func(*lint.Rules, policy.Options) []*manifest.Node
	known    map[string]map[string]*admission.Policy
}

// find is the policy of a name for a version; nil for none.
func (b *byVersion) find(t *testing.T, all *lint.Rules, version, name string) *admission.Policy {
	t.Helper()
	if b.known == nil {
		b.known = map[string]map[string]*admission.Policy{}
	}
	if b.known[version] == nil {
		b.known[version] = compiled(t, b.generate, all, version)
	}
	return b.known[version][name]
}

// inputs calls f for every input of the fixtures of rules that are policies.
func inputs(t *testing.T, all *lint.Rules, f func(rule *lint.Rule, objects []*manifest.Object, o lint.Options)) {
	t.Helper()
	for _, r := range all.All {
		if policy.Why(r) != "" {
			continue
		}
		data, err := fs.ReadFile(rules.FS, "testdata/"+r.Name+".txtar")
		if err != nil {
			t.Fatal(err)
		}
		archive := txtar.Parse(data)
		o, err := fixtest.Options(string(archive.Comment))
		if err != nil {
			t.Fatal(err)
		}
		o.Only = func(name string) bool { return name == r.Name }
		for _, in := range fixtest.InputsOf(r.Name, archive, o) {
			docs, _ := manifest.Parse(in.File)
			objects, _ := manifest.Objects(docs)
			if in.Options.KubeVersion == "" {
				in.Options.KubeVersion = kube.Default
			}
			f(r, objects, in.Options)
		}
	}
}

// isOf reports whether an object is one that the rule's policies look at. What it makes, as a
// JobSet makes Jobs, they look at when it is made; and the API server converts what is of an
// older version, which is tried there.
func isOf(o *manifest.Object, r *lint.Rule) bool {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	if !strings.Contains(o.APIVersion, "/") {
		group = ""
	}
	return slices.Contains(r.Kinds, lint.Kind{Group: group, Kind: o.Kind}) && o.APIVersion != "autoscaling/v1"
}

// unreadable reports whether the API server refuses an object before policies see it.
func unreadable(o *manifest.Object, options lint.Options) bool {
	_, err := kube.Typed(manifest.Native(o.Node).(map[string]any), options.KubeVersion)
	return err != nil
}

// words are those of a text, sorted: the API server's maps have no order.
func words(text string) []string {
	all := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == ':' })
	slices.Sort(all)
	return all
}

// TestFixtures: on every object of the fixtures a policy says, in the API server's own
// evaluator, what kilter check says, for an object that is created as for one that is updated.
func TestFixtures(t *testing.T) {
	t.Parallel()
	all := load(t)
	policies := byVersion{generate: policy.Validating}
	denied, worst := 0, int64(0)
	inputs(t, all, func(rule *lint.Rule, objects []*manifest.Object, o lint.Options) {
		for _, object := range objects {
			if !isOf(object, rule) || unreadable(object, o) {
				continue
			}
			for _, severity := range []diag.Severity{diag.Error, diag.Warning, diag.Info} {
				p := policies.find(t, all, o.KubeVersion, policy.Name(rule, severity))
				want := fixtest.Said(all, object, o, severity)
				if p == nil {
					if want != "" {
						t.Errorf("%s: no policy for severity %v, of which there is %q", rule.Name, severity, want)
					}
					continue
				}
				for _, old := range []*manifest.Object{nil, object} {
					v := p.Validate(admission.Request{Object: object, Old: old})
					if diff := cmp.Diff(words(want), words(v.Message)); diff != "" {
						t.Errorf("%s, %s (-check +policy):\n%s", p.Name, object.ID(), diff)
					}
					if v.Err != nil {
						t.Errorf("%s, %s: %v", p.Name, object.ID(), v.Err)
					}
					worst = max(worst, v.Cost)
					if v.Denied {
						denied++
					}
				}
			}
		}
	})
	if denied < 100 {
		t.Errorf("only %d objects are denied", denied)
	}
	t.Logf("%d denied; the dearest evaluation costs %d of %d", denied, worst, admission.MaxCost)
}

// TestFixes: on every object of the fixtures a mutating policy makes, in the API server's own
// evaluator, what kilter fix makes.
func TestFixes(t *testing.T) {
	t.Parallel()
	all := load(t)
	policies := byVersion{generate: policy.Mutating}
	mended := map[string]int{}
	inputs(t, all, func(rule *lint.Rule, objects []*manifest.Object, o lint.Options) {
		p := policies.find(t, all, o.KubeVersion, "kilter-fix-"+rule.Name)
		if p == nil {
			return
		}
		for _, object := range objects {
			if !isOf(object, rule) || unreadable(object, o) {
				continue
			}
			got, err := p.Mutate(admission.Request{Object: object})
			if err != nil {
				t.Errorf("%s, %s: %v", p.Name, object.ID(), err)
				continue
			}
			before := defaulted(t, manifest.Native(object.Node).(map[string]any), o)
			fixed := fixtest.Fixed(all, object, o)
			want := defaulted(t, manifest.Native(fixed.Node).(map[string]any), o)
			if diff := cmp.Diff(want, defaulted(t, got, o)); diff != "" {
				t.Errorf("%s, %s (-fix +policy):\n%s", p.Name, object.ID(), diff)
			}
			if !cmp.Equal(before, want) {
				mended[rule.Name]++
			}
		}
	})
	for name := range policies.known[kube.Default] {
		if rule := strings.TrimPrefix(name, "kilter-fix-"); mended[rule] == 0 {
			t.Errorf("%s: nothing of the fixture is mended", rule)
		}
	}
}

func defaulted(t *testing.T, value map[string]any, o lint.Options) map[string]any {
	t.Helper()
	out, err := kube.Defaulted(value, o.KubeVersion)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
