// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocs keeps what users read true. In README.md and docs/, a block ```yaml PATH is a
// file, and in a block ```console each line "$ COMMAND" is run, in the order of the
// page, in a folder that holds these files; the lines below it are its output. A line
// "..." stands for any lines, and "[exit 3]" says how the command ends when not with 0.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages in docs/", err)
	}
	for _, name := range append(pages, filepath.Join("..", "..", "README.md")) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			page := readDocument(t, name)
			dir := t.TempDir()
			if err := page.extract(dir); err != nil {
				t.Fatal(err)
			}
			page.run(t, dir)
		})
	}
}

// document is a Markdown page: lines, some of them in fenced blocks.
type document struct {
	name  string
	parts []part
}

// part is a fenced block, or the text between two.
type part struct {
	info, text string // info is what follows the opening fence; "" for text
	line       int
}

func readDocument(t *testing.T, name string) *document {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	d := &document{name: name, parts: []part{{line: 1}}}
	inside, number := false, 0
	for line := range strings.Lines(string(text)) {
		number++
		last := &d.parts[len(d.parts)-1]
		switch fence := strings.HasPrefix(line, "```"); {
		case fence && inside:
			inside = false
			d.parts = append(d.parts, part{text: line, line: number})
		case fence:
			inside = true
			last.text += line
			info := strings.TrimSpace(strings.TrimPrefix(line, "```"))
			d.parts = append(d.parts, part{info: info + " ", line: number})
		default:
			last.text += line
		}
	}
	if inside {
		t.Fatalf("%s: a block is not closed", name)
	}
	return d
}

var fileInfo = regexp.MustCompile(`^\w+ (\S+) $`)

// extract writes the files of the page below dir.
func (d *document) extract(dir string) error {
	for _, p := range d.parts {
		m := fileInfo.FindStringSubmatch(p.info)
		if m == nil {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(m[1]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(p.text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// run runs the commands of the page and compares, or under -update rewrites, their output.
func (d *document) run(t *testing.T, dir string) {
	changed := false
	for i := range d.parts {
		p := &d.parts[i]
		if p.info != "console " {
			continue
		}
		got := session(t, dir, p.text)
		if got == p.text {
			continue
		}
		if *update {
			p.text, changed = got, true
			continue
		}
		t.Errorf("%s:%d: the output differs; -update rewrites it (-written +real):\n%s", d.name, p.line, cmp.Diff(p.text, got))
	}
	if !changed {
		return
	}
	var text strings.Builder
	for _, p := range d.parts {
		text.WriteString(p.text)
	}
	if err := os.WriteFile(d.name, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// session is the block with the real output of its commands; output that the block
// matches with a "..." stays as it is.
func session(t *testing.T, dir, block string) string {
	var out strings.Builder
	lines := strings.SplitAfter(block, "\n")
	for i := 0; i < len(lines); {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			if lines[i] != "" {
				t.Errorf("output without a command: %q", lines[i])
			}
			i++
			continue
		}
		out.WriteString(lines[i])
		for i++; strings.HasSuffix(command, "\\\n"); i++ {
			out.WriteString(lines[i])
			command += lines[i]
		}
		written := ""
		for ; i < len(lines) && !strings.HasPrefix(lines[i], "$ "); i++ {
			written += lines[i]
		}
		real := shell(dir, command)
		if elided(written).MatchString(real) {
			real = written
		}
		out.WriteString(real)
	}
	return out.String()
}

func elided(text string) *regexp.Regexp {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(text), `\.\.\.`+"\n", `(?s:.*)`)
	return regexp.MustCompile(`^` + pattern + `$`)
}

// shell runs a command in dir and returns what a terminal shows.
func shell(dir, command string) string {
	c := exec.Command("sh", "-c", command)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if code := exitCode(err); code != "0" {
		return fmt.Sprintf("%s[exit %s]\n", out, code)
	}
	return string(out)
}

// exitCode is the exit code that err stands for.
func exitCode(err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "0"
	case errors.As(err, &exit):
		return fmt.Sprint(exit.ExitCode())
	}
	return err.Error()
}
