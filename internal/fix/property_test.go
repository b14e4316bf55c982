// SPDX-License-Identifier: Apache-2.0

package fix_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/fix"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

// TestCorpus fixes what real charts render to, and odd files.
func TestCorpus(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"corpus", "odd-yaml"} {
		t.Run(name, func(t *testing.T) {
			paths, _ := filepath.Glob(filepath.Join("../../../shared", name, "*.yaml"))
			if len(paths) == 0 {
				t.Skipf("no files in ../shared/%s beside the repository", name)
			}
			all, patches, made := load(t), patches(t), 0
			for _, path := range paths {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				f := source.New(filepath.Base(path), string(text))
				result := run(all, lint.Options{}, f)
				made += len(result.Made)
				checkFixed(t, all, lint.Options{}, f, result)
				checkOnly(t, patches, f, result)
				checkBreaks(t, all, lint.Options{}, f, result)
				for _, r := range result.Refused {
					t.Errorf("%s: %s: %s: %v", r.Span, r.Code, r.Fix, r.Why)
				}
			}
			if made < 10 {
				t.Errorf("%d findings were fixed, want 10 and more", made)
			}
		})
	}
}

// checkOnly wants every object to be what it was, but for fields that the patch of a rule
// names, and every line to be there that holds none of them.
func checkOnly(t *testing.T, patches named, f *source.File, result fix.Result) {
	t.Helper()
	before, after := read(f), read(result.Files[0])
	if len(after) < len(before) {
		t.Fatalf("%s: %d objects become %d", f.Name, len(before), len(after))
	}
	free := map[int]bool{} // lines that may change
	for i, o := range before {
		for _, path := range differences(nil, o.Node, after[i].Node) {
			if !slices.ContainsFunc(result.Made, func(m lint.Finding) bool { return patches.has(m, o, path) }) {
				t.Errorf("%s: %s %s: %s was changed, which no fix names", f.Name, o.Kind, o.Name, strings.Join(path, "."))
			}
			for len(path) > 1 && after[i].Get(path[:len(path)-1]...) == nil {
				path = path[:len(path)-1] // it is gone with what it was a field of
			}
			if parent := after[i].Get(path[:len(path)-1]...); parent != nil && len(parent.Fields)+len(parent.Items) == 0 {
				path = path[:len(path)-1] // what was its only field is gone
			}
			for first, last := linesOf(o.Node, path); first <= last; first++ {
				free[first] = true
			}
		}
	}
	rest := strings.Split(result.Files[0].Text, "\n")
	for i, line := range strings.Split(strings.TrimSuffix(f.Text, "\n"), "\n") {
		if free[i+1] {
			continue
		}
		at := slices.Index(rest, line)
		if at < 0 {
			t.Errorf("%s:%d: the line is gone or has moved: %q", f.Name, i+1, line)
			return
		}
		rest = rest[at+1:]
	}
}

// checkBreaks wants a text whose lines end with CRLF to become the same, with CRLF.
func checkBreaks(t *testing.T, all *lint.Rules, o lint.Options, f *source.File, result fix.Result) {
	t.Helper()
	crlf := strings.NewReplacer("\r\n", "\r\n", "\n", "\r\n")
	got := run(all, o, source.New(f.Name, crlf.Replace(f.Text))).Files[0].Text
	if diff := cmp.Diff(crlf.Replace(result.Files[0].Text), got); diff != "" {
		t.Errorf("%s: with CRLF (-want +got):\n%s", f.Name, diff)
	}
}

// differences are the paths at which two nodes differ, as deep as it can be told.
func differences(path []string, a, b *manifest.Node) [][]string {
	if a != nil && b != nil && manifest.Equal(a, b) {
		return nil
	}
	steps := map[string]bool{}
	for _, n := range []*manifest.Node{a, b} {
		if n == nil || n.Shape != manifest.Map && n.Shape != manifest.List || a != nil && a.Shape != manifest.Null && b != nil && a.Shape != b.Shape {
			continue
		}
		for _, f := range n.Fields {
			steps[f.Key] = true
		}
		for i := range n.Items {
			steps[strconv.Itoa(i)] = true
		}
	}
	if len(steps) == 0 {
		return [][]string{path}
	}
	var all [][]string
	for step := range steps {
		if x, y := a.Get(step), b.Get(step); x != nil || y != nil {
			all = append(all, differences(append(path[:len(path):len(path)], step), x, y)...)
		}
	}
	return all
}

// names reports whether the rule of a finding about o names the field at path.
func (n named) has(m lint.Finding, o *manifest.Object, path []string) bool {
	if m.Object.ID() != o.ID() {
		return false
	}
	if m.Code == kube.TypeTrap || m.Code == kube.WrongType { // they have no patch: what they are about gets quotes, or loses them
		return strings.NewReplacer(`["`, ".", `"]`, "", "[", ".", "]", "").Replace(m.Path) == strings.Join(path, ".")
	}
	return slices.ContainsFunc(n[m.Code], func(field []string) bool {
		for i := range path {
			if i+len(field) <= len(path) && slices.Equal(field, path[i:i+len(field)]) {
				return true
			}
		}
		return false
	})
}

// named are the fields that the patches of rules set, below the roots of a pod template.
type named map[string][][]string

func patches(t *testing.T) named {
	all := named{}
	names, _ := fs.Glob(rules.FS, "*.yaml")
	for _, name := range names {
		text, err := fs.ReadFile(rules.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		docs, _ := manifest.Parse(source.New(name, string(text)))
		if checks := docs[0].Get("spec", "checks"); checks != nil {
			for _, check := range checks.Items {
				all.add(strings.TrimSuffix(name, ".yaml"), check)
			}
		}
	}
	return all
}

func (n named) add(rule string, check *manifest.Node) {
	patch := check.Get("fix", "patch")
	if patch == nil {
		return
	}
	roots := []string{"podTemplate", "podSpec", "jobSpec"}
	if each := check.Get("each"); each != nil {
		roots = append(roots, each.Fields[0].Key)
	}
	var walk func(path []string, at *manifest.Node)
	walk = func(path []string, at *manifest.Node) {
		if at.Shape != manifest.Map {
			n[rule] = append(n[rule], path)
			return
		}
		for _, f := range at.Fields {
			if len(path) == 0 && slices.Contains(roots, f.Key) {
				walk(nil, f.Value)
			} else {
				walk(append(path[:len(path):len(path)], f.Key), f.Value)
			}
		}
	}
	walk(nil, patch)
}

// linesOf are the lines that a change at path may change: those of the field that is there,
// or else of a value on one line that it is put into.
func linesOf(root *manifest.Node, path []string) (first, last int) {
	at, n := root.Span, root
	for _, step := range path {
		next := n.Get(step)
		if next == nil {
			if text := n.Span.Text(); n.Shape == manifest.Map && text[0] != '{' || n.Shape == manifest.List && text[0] != '[' {
				return 0, -1
			}
			break
		}
		at = next.Span
		for _, f := range n.Fields {
			if f.Key == step && f.KeySpan.File == at.File {
				at.Start = f.KeySpan.Start
			}
		}
		n = next
	}
	first, _ = at.Position()
	last, _ = source.Span{File: at.File, Start: at.End, End: at.End}.Position()
	return first, last
}
