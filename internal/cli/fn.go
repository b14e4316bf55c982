// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// errResults ends a function whose results hold an error: they are printed already.
var errResults = errors.New("the function found errors")

func newFn(s streams, profiles func() catalogue) *cobra.Command {
	return &cobra.Command{
		Use:   "fn",
		Short: "Apply profiles to workloads, as a KRM function of kustomize or kpt",
		Long: `Read a ResourceList from standard input and write it to standard output, changed as its
functionConfig says: a Workload (kilter.yaml), or a Stack of several. Workloads are found by
spec.selector, else by the label kilter.dev/profile, else by name. What they leave open is
filled from the profile; what they say stays, unless it breaks a rule of severity error: that
is repaired, as the rule's fix says. A rule that is broken and has no fix is an error.
Annotate the workload with kilter.dev/ignore: RULE[,RULE] to keep it as it is. Where there is
no such workload, the profile's objects are added. A Workload says more with:

  spec.selector    kind, name, namespace and labels of the workloads
  spec.container   name of the main container (default: that of the annotation
                   kubectl.kubernetes.io/default-container, else the first with a GPU,
                   else the first)
  spec.mode        fill; enforce: the profile wins, but for names, command, args and image;
                   audit: nothing changes, results and standard error say what would

Replicas that are open stay so, unless spec.parameters has replicas and nothing scales the
workload: an autoscaler need not be among the objects.

Plain kilter does the same when standard input holds a ResourceList, as kustomize gives its
functions no arguments. An error among the results is exit code 1. Errors, and warnings of
what was overridden, are on standard error, too: kustomize drops results.`,
		Example: `  kustomize build --enable-alpha-plugins --enable-exec .
  kilter fn <resourcelist.yaml`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			text, err := io.ReadAll(s.in)
			if err != nil {
				return err
			}
			return runFn(s, profiles(), string(text))
		},
	}
}

// runFn is the function: the text of a ResourceList in, one out.
func runFn(s streams, c catalogue, text string) error {
	list, err := krm.Read(source.New("<stdin>", text))
	if err != nil {
		if _, ok := err.(diag.List); ok {
			return err
		}
		return inputError{err, "run it by kustomize build --enable-alpha-plugins --enable-exec, or see \"kilter fn --help\""}
	}
	f := function{streams: s, profiles: c, rules: ahead(loadRules)}
	f.fail(f.apply(list.Config(), list.Objects()), list.Config())
	list.Add(f.added)
	list.Report(f.results)
	if _, err := io.WriteString(s.out, list.Text()); err != nil {
		return err
	}
	return f.report(list.Config())
}

// title names a functionConfig: kustomize does not.
func title(n *manifest.Node) string {
	return strings.TrimSpace(n.Get("kind").Text() + " " + n.Get("metadata", "name").Text())
}

// function collects what applying requests does.
type function struct {
	streams
	profiles catalogue
	rules    krm.Rules
	added    []*manifest.Node
	results  []krm.Result
}

// apply changes objects as the workloads in config say.
func (f *function) apply(config *manifest.Node, objects []*manifest.Node) error {
	if config == nil {
		return errors.New("the ResourceList has no functionConfig: give it a Workload or a Stack of " + apiVersion)
	}
	workloads, err := readWorkloads(config)
	if err != nil {
		return err
	}
	all, err := applications(workloads, f.profiles)
	if err != nil {
		return err
	}
	there := len(objects)
	for _, a := range all {
		out, results, err := krm.Apply(a.blueprint, a.request, f.rules, objects)
		if err != nil {
			return err
		}
		objects = out
		f.results = append(f.results, results...)
	}
	f.added = objects[there:]
	return nil
}

// ahead begins to load rules at once: there are mostly workloads to be judged, and
// something else to be done until then.
func ahead(load krm.Rules) krm.Rules {
	loaded := krm.Rules(sync.OnceValues(load))
	go func() { _, _ = loaded() }()
	return loaded
}

// called is the function as it is called while a kustomization is built here: what it says
// has its place in the files. It says no more than kustomize shows.
func called(c catalogue, rules krm.Rules) render.Function {
	return func(config *manifest.Node, docs []*manifest.Node) ([]*manifest.Node, diag.List) {
		f := function{profiles: c, rules: rules}
		var said diag.List
		if err := f.apply(config, docs); err != nil {
			if said = listOf(err, ""); said == nil {
				said.Errorf(config.Span, krm.Code, "%v", err)
			}
		}
		return append(docs, f.added...), append(said, loud(f.results)...)
	}
}

// loud are the errors and warnings among results, for users who see no results.
func loud(results []krm.Result) (said diag.List) {
	for _, r := range results {
		if r.Severity < diag.Info {
			said = append(said, r.Diagnostic)
		}
	}
	return said
}

// fail turns what is wrong with the request into results about it, for callers who read
// them. A place in the functionConfig is its field alone: callers print it anew, so that
// its lines are nobody's.
func (f *function) fail(err error, config *manifest.Node) {
	list := listOf(err, "")
	if list == nil && err != nil {
		list = diag.List{{Message: err.Error()}}
	}
	for _, d := range list {
		if path, ok := manifest.PathOf(config, d.Span); ok {
			d.Path = manifest.PathText(config, path)
		}
		d.Object = diag.Ref{APIVersion: config.Get("apiVersion").Text(), Kind: config.Get("kind").Text(), Name: config.Get("metadata", "name").Text()}
		f.results = append(f.results, krm.Result{Diagnostic: d})
	}
	for i, r := range f.results {
		if _, ok := manifest.PathOf(config, r.Span); ok {
			f.results[i].Span = source.Span{}
		}
	}
}

// report prints the results that a user must see, since kustomize shows none: errors and
// warnings, and all of an audit.
func (f *function) report(config *manifest.Node) error {
	var said diag.List
	for _, r := range f.results {
		if r.Severity < diag.Info || r.Audit {
			said = append(said, r.Diagnostic)
		}
	}
	if len(said) == 0 {
		return nil
	}
	fmt.Fprintf(f.err, "kilter fn, %s:\n", cmp.Or(title(config), "without a functionConfig"))
	said.Print(f.err, colour(f.err))
	if said.Err() != nil {
		return errResults
	}
	return nil
}

// piped returns what is piped into the program, "" for a terminal or nothing.
func piped(in io.Reader) (string, error) {
	f, ok := in.(*os.File)
	if !ok {
		return "", nil
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return "", nil
	}
	text, err := io.ReadAll(f)
	return string(text), err
}
