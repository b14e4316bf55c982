// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/expr"
)

const validateFile = "validate.yaml"

// fileNames gives each object a template file of its own: the name of the file it is
// written in, with the end of the object's name or its kind where several stand in one
// file, and with the feature's name where two features have a file of one name.
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
	candidates := []string{stem + ".yaml"}
	if suffix := nameSuffix(root); suffix != "" {
		candidates = append(candidates, stem+suffix+".yaml")
	}
	if kind := field(root, "kind"); kind != nil && kind.Literal != nil {
		candidates = append(candidates, stem+"-"+dashed(kind.Literal.Text())+".yaml")
	}
	for _, name := range candidates {
		if !taken[name] {
			return name
		}
	}
	for i := 2; ; i++ {
		if name := fmt.Sprintf("%s-%d.yaml", stem, i); !taken[name] {
			return name
		}
	}
}

var plainSuffix = regexp.MustCompile(`^-[a-z0-9-]*[a-z0-9]$`)

// nameSuffix is "-headless" of an object called ${workload.name}-headless, "" for none.
func nameSuffix(root *blueprint.Node) string {
	name := field(field(root, "metadata"), "name")
	if name == nil || name.Text == nil {
		return ""
	}
	c, ok := name.Text.Tree.(*expr.Call)
	if !ok || c.Op != expr.Concat {
		return ""
	}
	if suffix := constantText(c.Args[len(c.Args)-1]); plainSuffix.MatchString(suffix) {
		return suffix
	}
	return ""
}

func field(n *blueprint.Node, key string) *blueprint.Node {
	if n != nil {
		for _, f := range n.Fields {
			if f.Key == key {
				return f.Value
			}
		}
	}
	return nil
}

// dashed is a name as files of charts are called: ServiceAccount is serviceaccount.
func dashed(name string) string {
	return strings.NewReplacer("_", "-", ".", "-", " ", "-").Replace(strings.ToLower(name))
}
