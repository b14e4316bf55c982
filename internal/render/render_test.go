// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

var update = flag.Bool("update", false, "record again what the real programs print, and our error texts")

// example is an archive of testdata unpacked into a folder of its own.
type example struct {
	file    string
	dir     string
	archive *txtar.Archive
}

func eachExample(t *testing.T, glob string, do func(*testing.T, example)) {
	files, err := filepath.Glob(filepath.Join("testdata", glob))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples in %s: %v", glob, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			do(t, unpack(t, file))
		})
	}
}

func unpack(t *testing.T, file string) example {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	absolute, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return example{file: absolute, dir: dir, archive: archive}
}

// section returns the text of the archive's file called name, "" where there is none.
func (e example) section(name string) string {
	for _, f := range e.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// record replaces the file called name in the archive on disk.
func (e example) record(t *testing.T, name, text string) {
	t.Helper()
	for i := range e.archive.Files {
		if e.archive.Files[i].Name == name {
			e.archive.Files[i].Data = []byte(text)
		}
	}
	if err := os.WriteFile(e.file, txtar.Format(e.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// flags are the lines of the file flags: flags of helm template, and the release's name.
func (e example) flags() []string { return strings.Fields(e.section("flags")) }

// options are the flags as options.
func (e example) options(t *testing.T) render.Options {
	t.Helper()
	var o render.Options
	var v render.ValueFlags
	for _, f := range e.flags() {
		name, value, _ := strings.Cut(f, "=")
		switch name {
		case "--namespace":
			o.Namespace = value
		case "--kube-version":
			o.KubeVersion = value
		case "--api-versions":
			o.APIVersions = append(o.APIVersions, value)
		case "--include-crds":
			o.IncludeCRDs = true
		case "--no-hooks":
			o.SkipHooks = true
		case "--skip-tests":
			o.SkipTests = true
		case "--values":
			file, list := render.ReadFile(filepath.Join(e.dir, value), nil)
			if len(list) > 0 {
				t.Fatal(list)
			}
			v.Files = append(v.Files, file)
		case "--set":
			v.Set = append(v.Set, value)
		case "--set-string":
			v.SetString = append(v.SetString, value)
		case "--set-json":
			v.SetJSON = append(v.SetJSON, value)
		default:
			o.ReleaseName = name
		}
	}
	values, list := render.Values(v)
	if len(list) > 0 {
		t.Fatal(list)
	}
	o.Values = values
	return o
}

// helm runs helm template as the flags say.
func (e example) helm(t *testing.T) (string, error) {
	t.Helper()
	args := []string{"template", "chart"}
	if !strings.Contains(e.section("flags"), "--kube-version") {
		args = append(args, "--kube-version=1.34.0")
	}
	if flags := e.flags(); len(flags) > 0 && !strings.HasPrefix(flags[0], "-") {
		args = append([]string{"template", flags[0], "chart"}, append(args[2:], flags[1:]...)...)
	} else {
		args = append(args, flags...)
	}
	return program(t, e.dir, "helm3", args...)
}

// program runs a real program, built by make tools; without it the test is skipped.
func program(t *testing.T, dir, name string, args ...string) (string, error) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "bin", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("bin/%s is not built: run make tools", name)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	err = cmd.Run()
	if err != nil {
		t.Logf("%s %s: %v\n%s", name, strings.Join(args, " "), err, &stderr)
	}
	return stdout.String(), err
}

// canonical is text parsed and printed again: order and meaning without layout.
func canonical(t *testing.T, name, text string) string {
	t.Helper()
	nodes, list := manifest.Parse(source.New(name, text))
	if len(list) > 0 {
		t.Fatal(list)
	}
	return printed(nodes)
}

// printed prints the documents that hold anything.
func printed(nodes []*manifest.Node) string {
	var kept []*manifest.Node
	for _, n := range nodes {
		if n != nil && n.Shape != manifest.Null {
			kept = append(kept, n)
		}
	}
	return manifest.Print(kept...)
}

// TestChart: charts give the documents that helm template prints, in its order.
func TestChart(t *testing.T) {
	eachExample(t, "chart/*.txtar", func(t *testing.T, e example) {
		o := e.options(t)
		if *update {
			out, err := e.helm(t)
			if err != nil {
				t.Fatal(err)
			}
			e.record(t, "want.yaml", out)
		}
		want := canonical(t, "want.yaml", e.section("want.yaml"))
		for range 3 { // maps have an order of their own each time
			nodes, list := render.Chart(filepath.Join(e.dir, "chart"), o)
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, printed(nodes)); diff != "" {
				t.Fatalf("-helm +kilter:\n%s", diff)
			}
		}
	})
}

// TestChartRecorded: the recorded documents are what the real helm prints.
func TestChartRecorded(t *testing.T) {
	eachExample(t, "chart/*.txtar", func(t *testing.T, e example) {
		out, err := e.helm(t)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e.section("want.yaml"), out); diff != "" {
			t.Errorf("-recorded +helm (go test -update records again):\n%s", diff)
		}
	})
}

// TestKustomization: kustomizations give the documents that kustomize build prints.
func TestKustomization(t *testing.T) {
	eachExample(t, "kustomize/*.txtar", func(t *testing.T, e example) {
		if *update {
			out, err := program(t, e.dir, "kustomize", "build", ".")
			if err != nil {
				t.Fatal(err)
			}
			e.record(t, "want.yaml", out)
		}
		nodes, list := render.Kustomization(e.dir)
		if len(list) > 0 {
			t.Fatal(list)
		}
		if diff := cmp.Diff(canonical(t, "want.yaml", e.section("want.yaml")), printed(nodes)); diff != "" {
			t.Errorf("-kustomize +kilter:\n%s", diff)
		}
	})
}

// TestKustomizationRecorded: the recorded documents are what the real kustomize prints.
func TestKustomizationRecorded(t *testing.T) {
	eachExample(t, "kustomize/*.txtar", func(t *testing.T, e example) {
		out, err := program(t, e.dir, "kustomize", "build", ".")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e.section("want.yaml"), out); diff != "" {
			t.Errorf("-recorded +kustomize (go test -update records again):\n%s", diff)
		}
	})
}

// TestErrors: what is wrong with a path, all of it, each with its place.
func TestErrors(t *testing.T) {
	eachExample(t, "error/*.txtar", func(t *testing.T, e example) {
		o := e.options(t)
		t.Chdir(e.dir)
		path := "."
		if _, err := os.Stat("chart"); err == nil {
			path = "chart"
		}
		_, list := render.Path(path, o)
		if list.Err() == nil {
			t.Fatal("no error")
		}
		list.Sort()
		got := list.Error() + "\n"
		if *update {
			e.record(t, "want.txt", got)
			return
		}
		if diff := cmp.Diff(e.section("want.txt"), got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestErrorsRecorded: the real programs refuse what we refuse.
func TestErrorsRecorded(t *testing.T) {
	eachExample(t, "error/*.txtar", func(t *testing.T, e example) {
		if e.section("offline") != "" {
			t.Skip("refused only because it needs the network")
		}
		var err error
		if _, missing := os.Stat(filepath.Join(e.dir, "chart")); missing == nil {
			_, err = e.helm(t)
		} else {
			_, err = program(t, e.dir, "kustomize", "build", ".")
		}
		if err == nil {
			t.Error("the real program accepts it")
		}
	})
}
