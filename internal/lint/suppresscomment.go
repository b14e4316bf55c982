// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// ignoreComment begins a comment that suppresses findings on its line, or where it has a
// line to itself, on the next that is no comment:
//
//	# kilter:ignore RULE[,RULE] [until=YYYY-MM-DD] [reason=TEXT]
//
// until may also stand behind the reason, but not in it.
const ignoreComment = "kilter:ignore"

var (
	ignoreLine = regexp.MustCompile(`#[ \t]*` + ignoreComment + `(?:[ \t].*)?$`)
	ignoreText = regexp.MustCompile(`^[ \t]*([^ \t,=]+(?:[ \t]*,[ \t]*[^ \t,=]+)*)(?:[ \t]+until=(\S+))?(?:[ \t]+reason=(.*?))?(?:[ \t]+until=(\S+))?[ \t]*$`)
)

// comments returns the marks of the comments in a file, by the line they are about.
func (s *Suppressor) comments(f *source.File, objects []*manifest.Object) map[int][]*mark {
	if !strings.Contains(f.Text, ignoreComment) {
		return nil
	}
	marks := map[int][]*mark{}
	equal := map[string]int{}
	var scalars []source.Span
	for _, o := range objects {
		if o.Span.File == f {
			scalars = appendScalars(scalars, o.Node)
		}
	}
	slices.SortFunc(scalars, func(a, b source.Span) int { return a.Start - b.Start })
	for number := 1; f.LineStart(number) < len(f.Text); number++ {
		line := f.Line(number)
		match := ignoreLine.FindStringIndex(line)
		if match == nil || !isComment(f, f.LineStart(number)+match[0], scalars) {
			continue
		}
		about := number
		if strings.TrimSpace(line[:match[0]]) == "" {
			about = nextLine(f, number)
		}
		start := match[0] + strings.Index(line[match[0]:], ignoreComment) + len(ignoreComment)
		where := line[start:] + "\n" + strings.TrimSpace(f.Line(about))
		equal[where]++
		where += fmt.Sprint("\n", equal[where])
		marks[about] = append(marks[about], s.comment(f, f.LineStart(number)+start, line[start:], where)...)
	}
	return marks
}

// comment reads what follows kilter:ignore at an offset of the file; where tells it from
// the file's other comments.
func (s *Suppressor) comment(f *source.File, offset int, text, where string) []*mark {
	at := source.Span{File: f, Start: offset - len(ignoreComment), End: offset + len(text)}
	m := ignoreText.FindStringSubmatchIndex(text)
	if m == nil || strings.Contains(group(text, m, 3), "until=") || m[4] >= 0 && m[8] >= 0 {
		s.wrong(f.Name, where, diag.Diagnostic{
			Span: at, Message: "this suppresses nothing", Hint: "write # kilter:ignore RULE[,RULE] [until=YYYY-MM-DD] [reason=TEXT]",
		})
		return nil
	}
	ends := 2
	if m[4] < 0 {
		ends = 4
	}
	until, reason := group(text, m, ends), strings.Trim(group(text, m, 3), ` "`)
	if until != "" && !isDate(until) {
		s.wrong(f.Name, where, diag.Diagnostic{
			Span:    source.Span{File: f, Start: offset + m[2*ends], End: offset + m[2*ends+1]},
			Message: fmt.Sprintf("until is a date such as 2027-01-31, not %q", until), Hint: "nothing is suppressed until it is",
		})
		return nil
	}
	var marks []*mark
	names, starts := splitRules(group(text, m, 1))
	for i, name := range names {
		start := offset + m[2] + starts[i]
		mark := s.add(f.Name, where, mark{
			rule: named{name, source.Span{File: f, Start: start, End: start + len(name)}}, until: until, reason: reason,
		})
		if !s.past(until) {
			marks = append(marks, mark)
		}
	}
	return marks
}

// group is a group of a match, "" where it is not part of it.
func group(text string, match []int, n int) string {
	if match[2*n] < 0 {
		return ""
	}
	return text[match[2*n]:match[2*n+1]]
}

// nextLine is the next line that is neither blank nor a comment.
func nextLine(f *source.File, number int) int {
	for number++; f.LineStart(number) < len(f.Text); number++ {
		if text := strings.TrimSpace(f.Line(number)); text != "" && text[0] != '#' {
			break
		}
	}
	return number
}

// isComment reports whether the # at an offset begins a comment: that it stands behind a
// blank, and in no scalar but behind the header of a block. The scalars are sorted.
func isComment(f *source.File, offset int, scalars []source.Span) bool {
	if offset > 0 && !strings.ContainsRune(" \t\r\n", rune(f.Text[offset-1])) {
		return false
	}
	after, _ := slices.BinarySearchFunc(scalars, offset+1, func(s source.Span, at int) int { return s.Start - at })
	if after == 0 || offset >= scalars[after-1].End {
		return true
	}
	text := scalars[after-1].Text()
	header, _, _ := strings.Cut(text, "\n")
	return strings.IndexByte("|>", text[0]) >= 0 && offset < scalars[after-1].Start+len(header)
}

// appendScalars appends where the texts in n stand.
func appendScalars(spans []source.Span, n *manifest.Node) []source.Span {
	if n == nil {
		return spans
	}
	if n.Shape == manifest.String && n.Span.End > n.Span.Start {
		spans = append(spans, n.Span)
	}
	for _, f := range n.Fields {
		spans = appendScalars(spans, f.Value)
	}
	for _, item := range n.Items {
		spans = appendScalars(spans, item)
	}
	return spans
}
