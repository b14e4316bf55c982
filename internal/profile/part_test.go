// SPDX-License-Identifier: Apache-2.0

package profile_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/profile"
)

const web = `
-- profile.yaml --
apiVersion: kilter.dev/v1alpha1
kind: Profile
metadata: {name: web}
spec:
  title: Web
  description: A web server.
  parts: [base, front]
  parameters:
    type: object
    properties:
      pods: {type: integer, default: 1, description: Pods.}
      image: {type: object, properties: {tag: {default: v2}}}
  variables:
  - {name: image, description: d, value: mine}
  infer: {parameters: {tier: '"front"'}}
-- cases/default.yaml --
{}
-- templates/b.yaml --
of: web
-- templates/z.yaml --
of: web
-- files/a.sh --
of web
-- parts/base/part.yaml --
apiVersion: kilter.dev/v1alpha1
kind: Part
metadata: {name: base}
spec:
  description: What servers have in common.
  parameters:
    type: object
    properties:
      image:
        type: object
        properties:
          name: {type: string, default: nginx, description: Name.}
          tag: {type: string, default: v1, description: Tag.}
      tier: {type: string, default: back, description: Tier.}
  variables:
  - {name: image, description: d, value: theirs}
  - {name: other, description: d, value: theirs}
  features:
  - {name: image, description: Of the base.}
  - {name: tier, description: Of the base.}
  infer: {parameters: {tier: '"back"', image.tag: '"v3"'}}
-- parts/front/part.yaml --
apiVersion: kilter.dev/v1alpha1
kind: Part
metadata: {name: front}
spec:
  description: What servers in front have, too.
  parameters:
    type: object
    properties:
      image: {properties: {tag: {default: v3}, name: {default: caddy}}}
      port: {type: integer, default: 80, description: Port.}
  variables:
  - {name: other, description: d, value: of the front}
  features: [{name: tier, description: Of the front.}]
-- parts/front/templates/a.yaml --
of: front
-- parts/base/templates/a.yaml --
of: base
-- parts/base/templates/b.yaml --
of: base
-- parts/base/templates/monitoring/m.yaml --
of: base
-- parts/base/files/a.sh --
of base
-- parts/base/files/b.sh --
of base
`

func load(t *testing.T, text string) (*profile.Profile, error) {
	t.Helper()
	fsys := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	parts, err := fs.Sub(fsys, "parts")
	if err != nil {
		t.Fatal(err)
	}
	return profile.Load(fsys, parts, "web")
}

// TestPart: a part is as if written in the profile, and what the profile writes stands.
func TestPart(t *testing.T) {
	p, err := load(t, web)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Params.Leaves() {
		got = append(got, fmt.Sprint(s.Path, "=", s.Default.Value))
	}
	for _, v := range p.Variables {
		got = append(got, v.Name+" "+v.Value.Text())
	}
	for _, f := range p.Features {
		got = append(got, f.Name+" "+f.Description)
	}
	for _, i := range p.Infer.Parameters {
		got = append(got, i.Name+" from "+i.Value.Text())
	}
	for _, t := range p.Templates {
		got = append(got, t.File+" of "+t.Root.Get("of").Text())
	}
	got = append(got, strings.TrimSpace(p.Files["a.sh"]), strings.TrimSpace(p.Files["b.sh"]))
	want := []string{
		"pods=1", "image.tag=v2", "image.name=caddy", "port=80", "tier=back",
		"other of the front", "image mine",
		"image Of the base.", "tier Of the front.",
		`image.tag from "v3"`, `tier from "front"`,
		"a.yaml of front", "b.yaml of web", "z.yaml of web", "monitoring/m.yaml of base",
		"of web", "of base",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	other, err := load(t, strings.Replace(web, "Tier.", "Which tier.", 1))
	if err != nil || other.Digest == p.Digest {
		t.Errorf("a part with another text has the same digest %s (%v)", other.Digest, err)
	}
}

// TestPartMistakes: what is wrong in a part is said at its place in the part.
func TestPartMistakes(t *testing.T) {
	for _, m := range []struct{ old, new, want string }{
		{"[base,", "[base, bsae,", `web/profile.yaml:7:17: error: there is no part "bsae" [profile]`},
		{"[base,", "[../base,", `web/profile.yaml:7:11: error: there is no part "../base" [profile]`},
		{"kind: Part", "kind: Profile", `profiles/parts/base/part.yaml:2:7: error: kind is "Profile", not "Part" [profile]`},
		{"metadata: {name: base}", "metadata: {name: bass}", `profiles/parts/base/part.yaml:3:18: error: name is "bass", not "base" [profile]`},
		{"  description: What servers have in common.", "  title: Base", `profiles/parts/base/part.yaml:5:3: error: unknown field "title" [profile]`},
		{"'\"back\"', image", "'\"back\"'}, omit: [3], ports: {image", `profiles/parts/base/part.yaml:21:48: error: an item of omit must be a path such as container.env[HOME], or have path, and unless, or when and reason [profile]`},
		{"'\"back\"', image", "'\"back\"'}, omit: [{path: container.image, when: 'true'}], ports: {image", `profiles/parts/base/part.yaml:21:48: error: reason is missing [profile]`},
		{"'\"back\"', image", "'\"back\"'}, omit: [{unless: [tier]}], ports: {image", `profiles/parts/base/part.yaml:21:48: error: path is missing [profile]`},
		{"tier: {type: string", "tier: {type: sting", `profiles/parts/base/part.yaml:14:20: error: tier has an unknown type: the string "sting" [parameter-schema]`},
	} {
		_, err := load(t, strings.Replace(web, m.old, m.new, 1))
		errs, _ := err.(diag.List)
		var got []string
		for _, d := range errs {
			line, column := d.Span.Position()
			got = append(got, fmt.Sprintf("%s:%d:%d: %s: %s [%s]", d.Span.File.Name, line, column, d.Severity, d.Message, d.Code))
		}
		if diff := cmp.Diff([]string{m.want}, got); diff != "" {
			t.Error(m.new, diff)
		}
	}
}
