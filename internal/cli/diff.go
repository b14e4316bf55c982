// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// errDiffer ends kilter diff with exitFindings; what differs is printed already.
var errDiffer = errors.New("the objects differ")

func newDiff(s streams, profiles func() catalogue) *cobra.Command {
	o := &renderOptions{streams: s, skipTests: true}
	c := &cobra.Command{
		Use:   "diff PATH PATH",
		Short: "Compare the objects of two workload files, charts, kustomizations or manifests",
		Long: `Compare what two PATHs stand for (see kilter render), object by object and field by
field. The order of objects and keys does not count, nor do the labels helm.sh/chart and
app.kubernetes.io/managed-by, nor a chart's tests. Next to a workload file, a chart is
rendered with the file's name and namespace. Exit code 1 means that something differs.`,
		Example: `  kilter diff llama llama/chart
  kilter diff llama/chart llama/kustomize/overlays/prod --name llama
  kilter diff old.yaml new.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("two PATHs are needed, not %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			o.profiles, o.paths, o.output = profiles(), args, "yaml"
			return o.diff()
		},
	}
	o.register(c.Flags())
	return c
}

func (o *renderOptions) diff() error {
	if err := o.check(); err != nil {
		return err
	}
	var inputs [2]input
	for i, path := range o.paths {
		in, err := o.open(path)
		if err != nil {
			return err
		}
		if inputs[i] = in; in.workload {
			if err := o.adopt(in); err != nil {
				return err
			}
		}
	}
	var sides [2][]*manifest.Object
	var errs diag.List
	for i, in := range inputs {
		docs, err := o.input(in)
		if err := errs.Take(err); err != nil {
			return err
		}
		objects, problems := manifest.Objects(docs)
		errs.Add(problems)
		sides[i] = objects
	}
	if err := errs.Err(); err != nil {
		return err
	}
	report := compareObjects(sides[0], sides[1], inputs[0].name(), inputs[1].name())
	if report == "" {
		_, err := fmt.Fprintf(o.out, "%d objects, all the same\n", len(sides[0]))
		return err
	}
	if _, err := io.WriteString(o.out, report); err != nil {
		return err
	}
	return errDiffer
}

// adopt takes the name, namespace and version of a workload file where no flag gives one.
func (o *renderOptions) adopt(in input) error {
	file, err := parseWorkload(in.file)
	if err != nil {
		return err
	}
	o.release = cmp.Or(o.release, file.Name)
	o.namespace = cmp.Or(o.namespace, file.Namespace)
	o.kube = cmp.Or(o.kube, file.KubeVersion)
	return nil
}

// packaging are the labels that only a chart has.
var packaging = []string{"helm.sh/chart", "app.kubernetes.io/managed-by"}

// compareObjects says what differs, "" for nothing.
func compareObjects(left, right []*manifest.Object, leftName, rightName string) string {
	c := comparison{left: leftName, right: rightName}
	waiting := map[manifest.ID][]*manifest.Object{} // of right, in order
	for _, r := range right {
		waiting[r.ID()] = append(waiting[r.ID()], r)
	}
	for _, l := range left {
		id := l.ID()
		if len(waiting[id]) == 0 {
			c.line("%s: only in %s", id, leftName)
			continue
		}
		c.object = id.String()
		c.node("", plain(l), plain(waiting[id][0]))
		waiting[id] = waiting[id][1:]
	}
	for _, r := range right {
		if id := r.ID(); len(waiting[id]) > 0 && waiting[id][0] == r {
			c.line("%s: only in %s", id, rightName)
			waiting[id] = waiting[id][1:]
		}
	}
	return c.text.String()
}

// plain is the object without the labels of packaging.
func plain(o *manifest.Object) *manifest.Node {
	n := o.Node.Clone()
	for _, label := range packaging {
		n.Get("metadata", "labels").Delete(label)
	}
	return n
}

// comparison collects what differs.
type comparison struct {
	text        strings.Builder
	left, right string
	object      string // whose heading is still to be written; "" when it is
}

func (c *comparison) line(format string, args ...any) { fmt.Fprintf(&c.text, format+"\n", args...) }

// node compares two nodes at path; nil is no node.
func (c *comparison) node(path string, left, right *manifest.Node) {
	switch {
	case left != nil && right != nil && manifest.Equal(left, right):
	case left != nil && right != nil && left.Shape == manifest.Map && right.Shape == manifest.Map:
		for _, f := range left.Fields {
			c.node(below(path, f.Key), f.Value, right.Get(f.Key))
		}
		for _, f := range right.Fields {
			if left.Get(f.Key) == nil {
				c.node(below(path, f.Key), nil, f.Value)
			}
		}
	case left != nil && right != nil && left.Shape == manifest.List && right.Shape == manifest.List:
		for i := range max(len(left.Items), len(right.Items)) {
			c.node(fmt.Sprintf("%s[%d]", path, i), at(left, i), at(right, i))
		}
	default:
		if c.object != "" {
			c.line("%s", c.object)
			c.object = ""
		}
		c.line("  %s\n    %s: %s\n    %s: %s", path, c.left, shown(left), c.right, shown(right))
	}
}

func at(n *manifest.Node, i int) *manifest.Node {
	if i < len(n.Items) {
		return n.Items[i]
	}
	return nil
}

// below is the path of a key of the map at path.
func below(path, key string) string {
	if strings.ContainsAny(key, "./[]") {
		return fmt.Sprintf("%s[%q]", path, key)
	}
	return strings.TrimPrefix(path+"."+key, ".")
}

func shown(n *manifest.Node) string {
	if n == nil {
		return "nothing"
	}
	return strings.Join(strings.Fields(manifest.JSON(n)), " ")
}
