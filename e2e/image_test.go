// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// image is the name of the image in docs/krm-function.md and image/metadata.yaml.
const image = "kilter"

// How docs/krm-function.md has kustomize run the program, and the image.
const (
	byProgram = `config.kubernetes.io/function: "exec: {path: kilter}"`
	byImage   = `config.kubernetes.io/function: "container: {image: kilter}"`
)

// TestImage: the container image does what the program does, by itself and where kustomize
// runs it on the example of docs/krm-function.md.
func TestImage(t *testing.T) {
	b := newImageBuilder(t)
	b.run(t, "", "make", "-C", "..", "image", "IMAGE="+image, "BUILDER="+b.buildah)
	config := b.run(t, "", b.buildah, "inspect", "--type=image", "--format={{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}", image)
	if diff := cmp.Diff("65534:65534 [/kilter] [fn]", config); diff != "" {
		t.Fatalf("user, entrypoint, command (-want +got):\n%s", diff)
	}
	b.run(t, "", b.buildah, "from", "--name=function", image)
	dir := example(t)
	t.Run("alone", func(t *testing.T) {
		list := resourceList(t, dir)
		want := b.run(t, list, filepath.Join(b.bin, "kilter"), "fn")
		if diff := cmp.Diff(want, b.run(t, list, b.buildah, "run", "function", "/kilter", "fn")); diff != "" {
			t.Errorf("(-program +image):\n%s", diff)
		}
	})
	t.Run("kustomize", func(t *testing.T) {
		kustomize := filepath.Join(b.bin, "kustomize")
		want := b.run(t, "", kustomize, "build", "--enable-alpha-plugins", "--enable-exec", dir)
		b.standIn(t)
		file := filepath.Join(dir, "kilter.yaml")
		write(t, file, strings.Replace(read(t, file), byProgram, byImage, 1), 0o644)
		if diff := cmp.Diff(want, b.run(t, "", kustomize, "build", "--enable-alpha-plugins", dir)); diff != "" {
			t.Errorf("(-program +image):\n%s", diff)
		}
	})
}

// imageBuilder is buildah with a store of its own.
type imageBuilder struct {
	bin     string // folder of the programs
	path    string // the PATH of what runs
	buildah string // a script that needs neither privileges nor an engine
}

// newImageBuilder skips the test where there is no buildah, and fails it in CI.
func newImageBuilder(t *testing.T) imageBuilder {
	t.Helper()
	if _, err := exec.LookPath("buildah"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("buildah is not installed: apt-get install buildah")
		}
		t.Skip("buildah is not installed: apt-get install buildah")
	}
	bin, err := filepath.Abs(filepath.Join("..", "bin"))
	if err != nil {
		t.Fatal(err)
	}
	scripts := t.TempDir()
	b := imageBuilder{bin, scripts + ":" + bin + ":" + os.Getenv("PATH"), filepath.Join(scripts, "buildah-alone")}
	write(t, b.buildah, fmt.Sprintf("#!/bin/sh\nBUILDAH_ISOLATION=chroot exec buildah --storage-driver=vfs --root=%[1]s/store --runroot=%[1]s/run \"$@\"\n", t.TempDir()), 0o755)
	t.Cleanup(func() {
		for _, what := range []string{"rm", "rmi"} {
			if out, err := exec.Command(b.buildah, what, "--all").CombinedOutput(); err != nil {
				t.Errorf("buildah %s: %v\n%s", what, err, out)
			}
		}
	})
	return b
}

// run runs a program and returns what it printed to standard output.
func (b imageBuilder) run(t *testing.T, in, program string, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(t.Context(), program, args...)
	c.Env = append(os.Environ(), "PATH="+b.path, "MAKEFLAGS=")
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, &stderr, &stdout)
	}
	return stdout.String()
}

// standIn puts a docker on the PATH that does by buildah what kustomize asks of it, which
// is to run the image as nobody, and nothing else.
func (b imageBuilder) standIn(t *testing.T) {
	t.Helper()
	write(t, filepath.Join(filepath.Dir(b.buildah), "docker"), fmt.Sprintf(`#!/bin/sh
case "$*" in
"run --rm -i -a STDIN -a STDOUT -a STDERR --network none --user nobody --security-opt=no-new-privileges"*" %s")
	exec %s run --user nobody function /kilter fn ;;
esac
echo "unexpected: docker $*" >&2
exit 1
`, image, b.buildah), 0o755)
}

// example is a folder with the files of docs/krm-function.md.
func example(t *testing.T) string {
	t.Helper()
	page, dir := read(t, filepath.Join("..", "docs", "krm-function.md")), t.TempDir()
	for _, annotation := range []string{byProgram, byImage} {
		if !strings.Contains(page, annotation) {
			t.Fatalf("the page does not show %s", annotation)
		}
	}
	for _, m := range regexp.MustCompile("(?ms)^```yaml (\\S+)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		write(t, filepath.Join(dir, m[1]), m[2], 0o644)
	}
	return dir
}

// resourceList is what a function gets for the example.
func resourceList(t *testing.T, dir string) string {
	t.Helper()
	list, err := json.Marshal(object{
		"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList",
		"functionConfig": documents(t, read(t, filepath.Join(dir, "kilter.yaml")))[0],
		"items":          documents(t, read(t, filepath.Join(dir, "deployment.yaml"))),
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(list)
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// TestImageMetadata: the entry for function catalogues names the image and its license, in
// fields that catalogues have.
func TestImageMetadata(t *testing.T) {
	entry := documents(t, read(t, filepath.Join("..", "image", "metadata.yaml")))[0]
	want := object{"image": image, "license": "Apache-2.0", "tags": []any{"generator", "mutator"}}
	for _, field := range []string{"description", "sourceURL"} { // any
		want[field] = entry[field]
	}
	if diff := cmp.Diff(want, entry); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
