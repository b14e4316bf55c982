// SPDX-License-Identifier: Apache-2.0

// Package source holds text and places in it. It knows nothing of YAML, CEL or
// Kubernetes; everything that reports a position rests on its Span.
package source

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// File is a named, immutable text. Name is what a user sees in "name:line:col".
type File struct {
	Name, Text string

	// Origin is the file that Text was rendered from: a template of a chart, the file of a
	// kustomization. It is "" where Text is the text of the file called Name. Text is "" where
	// it is not known what made it.
	Origin string

	once  sync.Once
	lines []int // byte offset of the start of each line

	mutex  sync.Mutex
	hidden [][2]int // see Hide
}

// New returns the file called name with the given text.
func New(name, text string) *File { return &File{Name: name, Text: text} }

// LineStart returns the byte offset at which the 1-based line begins, clamped to the text.
func (f *File) LineStart(line int) int {
	f.index()
	switch {
	case line < 1:
		return 0
	case line > len(f.lines):
		return len(f.Text)
	}
	return f.lines[line-1]
}

// Line returns the 1-based line without its line break, "" where there is none.
func (f *File) Line(line int) string {
	f.index()
	if line < 1 || line > len(f.lines) {
		return ""
	}
	text := f.Text[f.lines[line-1]:]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSuffix(text, "\r")
}

func (f *File) index() {
	f.once.Do(func() {
		f.lines = []int{0}
		for i := 0; i < len(f.Text); i++ {
			if f.Text[i] == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	})
}

// Span is the half-open byte range [Start, End) of File. The zero Span is "nowhere".
type Span struct {
	File       *File
	Start, End int
}

// Position returns the 1-based line and the 1-based column, in runes, of Start;
// 0, 0 for the zero Span.
func (s Span) Position() (line, col int) {
	if s.File == nil {
		return 0, 0
	}
	s.File.index()
	start := min(max(s.Start, 0), len(s.File.Text))
	line = sort.SearchInts(s.File.lines, start+1)
	return line, utf8.RuneCountInString(s.File.Text[s.File.lines[line-1]:start]) + 1
}

// Text returns the text the span covers.
func (s Span) Text() string {
	if s.File == nil || s.Start < 0 || s.End > len(s.File.Text) || s.Start > s.End {
		return ""
	}
	return s.File.Text[s.Start:s.End]
}

// String is "file:line:col", "" for the zero Span.
func (s Span) String() string {
	if s.File == nil {
		return ""
	}
	line, col := s.Position()
	return fmt.Sprintf("%s:%d:%d", s.File.Name, line, col)
}
