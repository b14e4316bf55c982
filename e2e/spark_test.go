// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// documented returns what matches the Spark properties of testdata/spark/properties.txt.
func documented(t *testing.T) *regexp.Regexp {
	t.Helper()
	var keys []string
	for line := range strings.Lines(read(t, "testdata/spark/properties.txt")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			key := regexp.QuoteMeta(line)
			keys = append(keys, regexp.MustCompile(`\\\[(Label|Annotation)Name\\\]`).ReplaceAllString(key, `.+`))
		}
	}
	names := regexp.MustCompile(`\\\[\w+\\\]`)
	return regexp.MustCompile("^(" + names.ReplaceAllString(strings.Join(keys, "|"), `[^.]+`) + ")$")
}

// sparkCases returns the objects of the cases of spark-batch, by the case and what plain names them.
func sparkCases(t *testing.T) map[string]map[string]object {
	t.Helper()
	cases := map[string]map[string]object{}
	for _, file := range glob(t, "../golden/spark-batch/*.yaml") {
		cases[strings.TrimSuffix(filepath.Base(file), ".yaml")] = plain(t, read(t, file))
	}
	return cases
}

// dig returns what is at the path, nil where nothing is.
func dig(v any, path ...string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// properties returns the Spark properties that an object holds.
func properties(o object) map[string]any {
	name, _ := dig(o, "metadata", "name").(string)
	if o["kind"] == "ConfigMap" && strings.HasSuffix(name, "-conf") {
		conf, _ := o["data"].(map[string]any)
		return conf
	}
	conf, _ := dig(o, "spec", "sparkConf").(map[string]any)
	if o["kind"] == "ScheduledSparkApplication" {
		conf, _ = dig(o, "spec", "template", "sparkConf").(map[string]any)
	}
	return conf
}

// TestSparkProperties: Spark documents every property that the profile sets, and sparkConf
// refuses to set it.
func TestSparkProperties(t *testing.T) {
	known, users := documented(t), regexp.MustCompile(`^spark\.(sql|hadoop)\.`) // users: of the cases
	ours := map[string]bool{}
	for name, objects := range sparkCases(t) {
		for id, o := range objects {
			for key := range properties(o) {
				if users.MatchString(key) {
					continue
				}
				ours[key] = true
				if !known.MatchString(key) {
					t.Errorf("%s: %s: Spark does not document %s", name, id, key)
				}
			}
		}
	}
	for _, match := range regexp.MustCompile(`"(spark\.[\w.]+)=`).FindAllStringSubmatch(read(t, "../profiles/spark-batch/files/start.sh"), -1) {
		ours[match[1]] = true
	}
	if len(ours) < 50 {
		t.Errorf("only %d properties were found", len(ours))
	}
	for key := range ours {
		_, said, err := try(t, "kilter", "render", filepath.Join("..", "charts", "spark-batch"), "--set-json", fmt.Sprintf("sparkConf={%q: \"1\"}", key))
		if err == nil || !strings.Contains(said, "sparkConf: sparkConf ") {
			t.Errorf("sparkConf does not refuse %s: %v %s", key, err, said)
		}
	}
	for _, key := range []string{"spark.executor.memoryy", "spark.kubernetes.executor.podTemplate", "spark.kubernetes.executor.volumes.emptyDir.a.path"} {
		if known.MatchString(key) {
			t.Errorf("%s counts as documented", key)
		}
	}
}

// driver is a pod of the driver: what start.sh makes of its objects, up to the arguments
// of spark-submit, by Spark's entrypoint.
type driver struct {
	args       []string
	properties string
	code       int
}

// The part of Spark's entrypoint.sh that starts a driver, with a spark-submit that writes
// down what it is given and ends with CODE.
const entrypoint = `#!/bin/sh
[ "$1" = driver ] || exit 64
shift
set -- --conf "spark.driver.bindAddress=$SPARK_DRIVER_BIND_ADDRESS" --deploy-mode client "$@"
printf '%s\n' "$@" >"$TMPDIR/args"
exit "$CODE"
`

// start runs the driver of the objects as the pod of that name and address.
func start(t *testing.T, objects map[string]object, pod, ip string, code int) driver {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "properties"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "entrypoint.sh"), entrypoint, 0o755)
	var args []string
	for _, o := range objects {
		data, _ := o["data"].(map[string]any)
		for key, value := range properties(o) {
			write(t, filepath.Join(dir, "properties", key), value.(string), 0o644)
		}
		if script, ok := data["start.sh"].(string); ok {
			write(t, filepath.Join(dir, "start.sh"), script, 0o644)
		}
		if o["kind"] == "Job" {
			containers := dig(o, "spec", "template", "spec", "containers").([]any)
			for _, a := range dig(containers[0], "args").([]any) {
				args = append(args, a.(string))
			}
		}
	}
	cmd := exec.Command("/bin/sh", append([]string{filepath.Join(dir, "start.sh")}, args...)...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "TMPDIR=" + dir, "PROPERTIES=" + filepath.Join(dir, "properties"), "CODE=" + strconv.Itoa(code),
		"ENTRYPOINT=" + filepath.Join(dir, "entrypoint.sh"), "POD_NAME=" + pod, "POD_NAMESPACE=apps", "INSTANCE=demo",
		"POD_IP=" + ip,
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	return driver{
		strings.Split(strings.TrimSuffix(read(t, filepath.Join(dir, "args")), "\n"), "\n"),
		read(t, filepath.Join(dir, "spark.properties")), cmd.ProcessState.ExitCode(),
	}
}

// conf returns what --conf says of a property.
func (d driver) conf(key string) string {
	for i, a := range d.args[1:] {
		if value, ok := strings.CutPrefix(a, key+"="); ok && d.args[i] == "--conf" {
			return value
		}
	}
	return ""
}

// TestSparkRestarts: each driver that a Job starts owns executors of its own, by its pod's
// name, has the same properties as the one before, and ends as its application does.
func TestSparkRestarts(t *testing.T) {
	objects := sparkCases(t)["everything-on"]
	var before driver
	for i, pod := range []string{"demo-01234567-aaaaa", "demo-01234567-bbbbb", strings.Repeat("a", 32) + "-01234567-ccccc"} {
		code := []int{1, 137, 0}[i]
		d := start(t, objects, pod, "10.0.0.7", code)
		if d.code != code {
			t.Errorf("%s: exit code %d, the application's is %d", pod, d.code, code)
		}
		for _, key := range []string{"spark.kubernetes.driver.pod.name", "spark.kubernetes.executor.podNamePrefix"} {
			if got := d.conf(key); got != pod || len(got) > 47 {
				t.Errorf("%s: %s is %q, at most 47 characters are possible", pod, key, got)
			}
		}
		if got := d.conf("spark.kubernetes.executor.label.app.kubernetes.io/component"); got != "executor" {
			t.Errorf("%s: the executors' component is %q", pod, got)
		}
		if i > 0 && d.properties != before.properties {
			t.Errorf("%s: other properties:\n%s", pod, cmp.Diff(before.properties, d.properties))
		}
		want := []string{"--class=org.example.Etl", "local:///opt/app/etl.jar", `a\b`, "$(POD_NAME)"}
		if got := d.args[len(d.args)-len(want):]; !slices.Equal(got, want) {
			t.Errorf("%s: the application is started with %q, want %q", pod, got, want)
		}
		before = d
	}
	if !strings.Contains(before.properties, "\nspark.sql.shuffle.partitions=1048576\n") {
		t.Errorf("no property of sparkConf in:\n%s", before.properties)
	}
}

// TestSparkPropertyText: a value arrives as it is, through Java's escapes and lines.
func TestSparkPropertyText(t *testing.T) {
	conf := object{"kind": "ConfigMap", "metadata": map[string]any{"name": "demo-conf"}, "data": map[string]any{"spark.a": "x=\\d+ #!: é\nsecond"}}
	objects := map[string]object{"conf": conf}
	for id, o := range sparkCases(t)["default"] {
		if properties(o) == nil {
			objects[id] = o
		}
	}
	want := "spark.a=x=\\\\d+ #!: é\\n\\\nsecond\n"
	if got := start(t, objects, "demo-a", "10.0.0.7", 0).properties; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSparkAddress: executors find the driver by its pod's address, in brackets where it is
// one of IPv6.
func TestSparkAddress(t *testing.T) {
	objects := sparkCases(t)["default"]
	for ip, want := range map[string]string{"10.0.0.7": "10.0.0.7", "fd00::7": "[fd00::7]"} {
		d := start(t, objects, "demo-a", ip, 0)
		for _, key := range []string{"spark.driver.host", "spark.driver.bindAddress"} {
			if got := d.conf(key); got != want {
				t.Errorf("%s of %s is %q", key, ip, got)
			}
		}
	}
}
