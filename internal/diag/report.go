// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"kilter.dev/kilter/internal/source"
)

// Report is the outcome of a check, for other programs to read. Its methods print it;
// the same report gives the same bytes.
type Report struct {
	Version    string   // of Kilter
	Rules      []Rule   // what findings may be about
	Findings   List     // sorted; the suppressed ones are among them
	Unreadable List     // why input could not be judged, sorted
	Files      []string // every file that was read, as positions name it
	Objects    int      // how many objects were judged

	// Folder is the absolute path that names of files are relative to, and Root the one
	// above it that readers see them from: that of the repository. Where Root is "", names
	// stand as they are.
	Folder, Root string
}

// Rule describes what the findings with its name as Code are about.
type Rule struct {
	Name, Title, Description string
	Severity                 Severity
	Help                     string // URL of a page about it; "" for none
}

// counting returns the findings that are not suppressed, and how many of each severity.
func (r Report) counting() (open List, counts [3]int) {
	for _, d := range r.Findings {
		if d.Suppressed == nil {
			open = append(open, d)
			counts[d.Severity]++
		}
	}
	return open, counts
}

// Text writes the findings that are not suppressed, for people.
func (r Report) Text(w io.Writer, colour bool) error {
	open, _ := r.counting()
	var b strings.Builder
	open.Print(&b, colour)
	_, err := io.WriteString(w, b.String())
	return err
}

// place is where a reader of the repository looks for something. The numbers are 1-based,
// columns in characters; 0 is "nowhere in particular".
type place struct {
	file                             string
	line, column, endLine, endColumn int
	rendered                         int // the line in the rendered text, where that is not the file's
}

// String is "file:line", without what there is not.
func (p place) String() string {
	if p.line == 0 {
		return p.file
	}
	return fmt.Sprintf("%s:%d", p.file, p.line)
}

// place returns the place of a span: line 1 of the file that the text was rendered from,
// where it is not the text of a file, since no line of it is known to be the cause.
func (r Report) place(s source.Span) place {
	if s.File == nil {
		return place{}
	}
	line, column := s.Position()
	if s.File.Origin != "" {
		if s.File.Text == "" {
			line = 0
		}
		return place{file: r.path(s.File.Origin), line: 1, endLine: 1, rendered: line}
	}
	endLine, endColumn := source.Span{File: s.File, Start: max(s.Start, s.End)}.Position()
	return place{file: r.path(s.File.Name), line: line, column: column, endLine: endLine, endColumn: endColumn}
}

// path is the name of a file as seen from the root, with slashes; absolute for one outside.
func (r Report) path(name string) string {
	if r.Root == "" || strings.HasPrefix(name, "<") {
		return filepath.ToSlash(name)
	}
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(r.Folder, name)
	}
	below, err := filepath.Rel(r.Root, full)
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(full)
	}
	return filepath.ToSlash(below)
}

// String is "Deployment prod/web", "" for no object.
func (o Ref) String() string {
	switch {
	case o.Kind == "" || o.Name == "":
		return o.Kind
	case o.Namespace == "":
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// writeJSON writes v as people read it, and without the escapes that only HTML needs.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
