// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"fmt"
	"path"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
)

const validateFile = "validate.yaml"

// fileNames gives each object a template file of its own: the name of the file it is
// written in, with the object's kind where several stand in one file, and with the
// feature's name where two features have a file of one name.
func fileNames(objects []*blueprint.Object) []string {
	taken := map[string]bool{validateFile: true, "notes.txt": true}
	folders := map[string]map[string]bool{} // of each base name
	for _, o := range objects {
		base := path.Base(o.File)
		if folders[base] == nil {
			folders[base] = map[string]bool{}
		}
		folders[base][path.Dir(o.File)] = true
	}
	names := make([]string, len(objects))
	for i, o := range objects {
		base, folder := path.Base(o.File), path.Dir(o.File)
		stem := dashed(strings.TrimSuffix(base, path.Ext(base)))
		if len(folders[base]) > 1 && folder != "." {
			stem = dashed(path.Base(folder)) + "-" + stem
		}
		names[i] = free(taken, stem, o.Root)
		taken[names[i]] = true
	}
	return names
}

func free(taken map[string]bool, stem string, root *blueprint.Node) string {
	if name := stem + ".yaml"; !taken[name] {
		return name
	}
	for _, f := range root.Fields {
		if f.Key == "kind" && f.Value.Literal != nil {
			if name := stem + "-" + dashed(f.Value.Literal.Text()) + ".yaml"; !taken[name] {
				return name
			}
		}
	}
	for i := 2; ; i++ {
		if name := fmt.Sprintf("%s-%d.yaml", stem, i); !taken[name] {
			return name
		}
	}
}

// dashed is a name as files of charts are called: ServiceAccount is serviceaccount.
func dashed(name string) string {
	return strings.NewReplacer("_", "-", ".", "-", " ", "-").Replace(strings.ToLower(name))
}
