// SPDX-License-Identifier: Apache-2.0

package source

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Hide keeps the text of a span, a password, out of what people are shown of its file.
func Hide(s Span) {
	if s.File == nil || s.Start >= s.End || s.Hidden() {
		return
	}
	s.File.mutex.Lock()
	defer s.File.mutex.Unlock()
	s.File.hidden = append(s.File.hidden, [2]int{s.Start, s.End})
	slices.SortFunc(s.File.hidden, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], b[1]-a[1]) })
}

// Hidden reports whether s starts in text that is hidden. What is said of it must not tell it.
func (s Span) Hidden() bool {
	if s.File == nil {
		return false
	}
	return slices.ContainsFunc(s.File.secrets(), func(h [2]int) bool { return h[0] <= s.Start && s.Start < h[1] })
}

func (f *File) secrets() [][2]int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return slices.Clone(f.hidden)
}

// Copy returns a file with the same name and text, of which the same is hidden.
func (f *File) Copy() *File {
	return &File{Name: f.Name, Text: f.Text, Origin: f.Origin, hidden: f.secrets()}
}

// Excerpt returns the line in which s starts, with "..." for what is hidden, and which runes
// [from, to) of it stand for s. The line is "" for the zero Span.
func (s Span) Excerpt() (text string, from, to int) {
	number, _ := s.Position()
	if number == 0 {
		return "", 0, 0
	}
	hidden := s.File.secrets()
	start := s.File.LineStart(number)
	end := start + len(s.File.Line(number))
	at, until := min(max(s.Start, start), end), min(s.End, end)
	for _, h := range hidden { // all of what is hidden stands for a part of it
		if h[0] < at && at < h[1] {
			at = max(h[0], start)
		}
		if h[0] < until && until < h[1] {
			until = min(h[1], end)
		}
	}
	before := s.File.shown(start, at, hidden)
	inside := s.File.shown(at, max(at, until), hidden)
	text = before + inside + s.File.shown(max(at, until), end, hidden)
	from = utf8.RuneCountInString(before)
	return text, from, from + utf8.RuneCountInString(strings.TrimRight(inside, " \t\r"))
}

// shown is the text [start, end) with "..." for each part of it that is hidden.
func (f *File) shown(start, end int, hidden [][2]int) string {
	var b strings.Builder
	for _, h := range hidden {
		if from, to := max(h[0], start), min(h[1], end); from < to {
			b.WriteString(f.Text[start:from] + "...")
			start = to
		}
	}
	return b.String() + f.Text[start:max(start, end)]
}
