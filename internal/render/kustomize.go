// SPDX-License-Identifier: Apache-2.0

package render

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Kustomization builds the kustomization in dir as `kustomize build` does, with its
// default flags: no plugins, no functions, files from inside the kustomization only, the
// legacy order unless sortOptions say otherwise. Remote resources are errors. A position
// in the result is a line of the built text, which bears the name of dir.
func Kustomization(dir string) ([]*manifest.Node, diag.List) { return kustomization(dir, nil) }

// kustomization is Kustomization, with the texts of Options.
func kustomization(dir string, texts map[string]string) ([]*manifest.Node, diag.List) {
	files := &localFiles{FileSystem: filesys.MakeFsOnDisk(), dir: dir, texts: absolute(texts)}
	var text []byte
	list, err := quietly(func() error {
		openapi.ResetOpenAPI()
		defer openapi.ResetOpenAPI()
		built, err := krusty.MakeKustomizer(&krusty.Options{
			Reorder:          krusty.ReorderOptionUnspecified,
			LoadRestrictions: types.LoadRestrictionsRootOnly,
			PluginConfig:     types.DisabledPluginConfig(),
		}).Run(files, dir)
		if err != nil {
			return err
		}
		text, err = built.AsYaml()
		return err
	})
	list.Add(files.list)
	if err != nil {
		if list.Err() == nil {
			list.Add(files.explain())
		}
		if list.Err() == nil {
			list.Add(explainBuild(dir, err))
		}
		return nil, list
	}
	document := source.New(filepath.Clean(dir), string(text))
	document.Origin, _ = KustomizationFile(dir)
	nodes, problems := manifest.Parse(document)
	return nodes, append(list, problems...)
}

// KustomizationFile is the path of the file that makes dir a kustomization, false when there
// is none.
func KustomizationFile(dir string) (string, bool) {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if path := filepath.Join(dir, name); isFile(path) {
			return path, true
		}
	}
	return "", false
}

// wrapped matches what kustomize puts before and between the causes of an error.
var wrapped = regexp.MustCompile(`(?s)^(?:.*recursed \w+ (?:of|from) path '[^']*': |(?:accumulating \w+: )?accumulation err='.*must resolve to a file': |accumulating resources from '[^']*': |accumulating \w+: |accumulateDirectory: "|couldn't make target for path '[^']*': )`)

// explainBuild is kustomize's own error without what it is wrapped in, and with paths as
// the user would write them.
func explainBuild(dir string, err error) diag.List {
	text := err.Error()
	for {
		rest := wrapped.ReplaceAllString(text, "")
		if rest == text {
			break
		}
		text = rest
	}
	text = relative(text, dir)
	callsHelm := strings.HasSuffix(strings.TrimSpace(text), "must specify --enable-helm")
	if callsHelm {
		text = "a generator renders a chart with the program helm, which Kilter does not run"
	}
	at := source.Span{}
	if path, ok := KustomizationFile(dir); ok {
		at.File = source.New(path, "")
	}
	var list diag.List
	d := list.Errorf(at, "kustomize", "%s", lower(strings.TrimSpace(text)))
	switch {
	case callsHelm:
		d.Hint = helmHint(dir)
	case strings.Contains(text, "plugins disabled"), strings.Contains(text, "--enable-"):
		d.Hint = "plugins and functions other than Kilter's are not run: give the output of kustomize build on standard input"
	case strings.Contains(text, "is not in or below"):
		d.Hint = "files come from the kustomization's folder or below; a folder with a kustomization of its own may stand elsewhere"
	case errors.Is(err, os.ErrPermission):
		d.Hint = "make the files readable"
	}
	return list
}

// relative writes the paths in dir, which kustomize makes absolute, as dir is written.
func relative(text, dir string) string {
	root, err := filepath.Abs(dir)
	if resolved, e := filepath.EvalSymlinks(root); e == nil {
		root = resolved
	}
	if err != nil || root == "/" {
		return text
	}
	below := ""
	if clean := filepath.Clean(dir); clean != "." {
		below = clean + "/"
	}
	text = strings.ReplaceAll(text, root+"/", below)
	return strings.ReplaceAll(text, "'"+root+"'", "'"+filepath.Clean(dir)+"'")
}
