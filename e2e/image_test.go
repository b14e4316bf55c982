// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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
	config := b.config(t)
	b.run(t, "", b.buildah, "from", "--name=function", image)
	dir := example(t)
	t.Run("alone", func(t *testing.T) {
		list := resourceList(t, dir)
		want := b.run(t, list, filepath.Join(b.bin, "kilter"), "fn")
		got, user := b.runImage(t, config, list)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-program +image):\n%s", diff)
		}
		if root := strconv.Itoa(os.Geteuid()); user == "0" || user == root || root == "0" && user != config.user(t) {
			t.Errorf("it runs as user %s", user)
		}
	})
	t.Run("kustomize", func(t *testing.T) {
		kustomize := filepath.Join(b.bin, "kustomize")
		want := b.run(t, "", kustomize, "build", "--enable-alpha-plugins", "--enable-exec", dir)
		b.standIn(t, config)
		file := filepath.Join(dir, "kilter.yaml")
		write(t, file, strings.Replace(read(t, file), byProgram, byImage, 1), 0o644)
		if diff := cmp.Diff(want, b.run(t, "", kustomize, "build", "--enable-alpha-plugins", dir)); diff != "" {
			t.Errorf("(-program +image):\n%s", diff)
		}
	})
}

// imageConfig is what an engine runs of an image, and as whom.
type imageConfig struct {
	User            string
	Entrypoint, Cmd []string
}

func (c imageConfig) command() []string { return slices.Concat(c.Entrypoint, c.Cmd) }

// user is the number of the user. Kubernetes needs one, to see that it is not root
// (runAsNonRoot).
func (c imageConfig) user(t *testing.T) string {
	t.Helper()
	user, _, _ := strings.Cut(c.User, ":")
	if n, err := strconv.Atoi(user); err != nil || n <= 0 {
		t.Fatalf("the image's user is %q", c.User)
	}
	return user
}

// config is that of the image.
func (b imageBuilder) config(t *testing.T) imageConfig {
	t.Helper()
	var built struct{ OCIv1 struct{ Config imageConfig } }
	if err := json.Unmarshal([]byte(b.run(t, "", b.buildah, "inspect", "--type=image", image)), &built); err != nil {
		t.Fatal(err)
	}
	config := built.OCIv1.Config
	if config.user(t); len(config.Entrypoint) == 0 {
		t.Fatal("the image has no entrypoint")
	}
	return config
}

// runImage runs what the image says, in its files, and returns what that printed to standard
// output, and the user whose process it was.
func (b imageBuilder) runImage(t *testing.T, config imageConfig, in string) (out, user string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(t.Context(), b.buildah, append([]string{"run", "function", "--"}, config.command()...)...)
	c.Stdout, c.Stderr = &stdout, &stderr
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	user = userOf(t, config.command()) // it waits for its input
	if _, err := io.WriteString(stdin, in); err != nil {
		t.Error(err)
	}
	if err := errors.Join(stdin.Close(), c.Wait()); err != nil {
		t.Errorf("%v\n%s", err, &stderr)
	}
	return stdout.String(), user
}

var processUser = regexp.MustCompile(`(?m)^Uid:\s+(\d+)`)

// userOf is the user of the process that runs a command, waiting for it up to half a minute.
func userOf(t *testing.T, command []string) string {
	t.Helper()
	for range 600 {
		for _, file := range glob(t, "/proc/[0-9]*/cmdline") {
			text, err := os.ReadFile(file)
			if err != nil || string(text) != strings.Join(command, "\x00")+"\x00" {
				continue // among them processes that have ended
			}
			status, err := os.ReadFile(filepath.Join(filepath.Dir(file), "status"))
			if m := processUser.FindSubmatch(status); err == nil && m != nil {
				return string(m[1])
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("nothing runs %q", command)
	return ""
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
func (b imageBuilder) standIn(t *testing.T, config imageConfig) {
	t.Helper()
	write(t, filepath.Join(filepath.Dir(b.buildah), "docker"), fmt.Sprintf(`#!/bin/sh
case "$*" in
"run --rm -i -a STDIN -a STDOUT -a STDERR --network none --user nobody --security-opt=no-new-privileges"*" %s")
	exec %s run --user nobody function -- %s ;;
esac
echo "unexpected: docker $*" >&2
exit 1
`, image, b.buildah, strings.Join(config.command(), " ")), 0o755)
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
