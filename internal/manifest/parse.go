// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// Limits on a document: what no hand or tool writes, and what would take the memory of
// whoever reads it.
const (
	maxDepth   = 500     // levels of nesting
	maxAliased = 100_000 // nodes that aliases add
)

// Parse returns the documents of f in order. Documents that are empty, only comments or
// null are skipped. A document that cannot be read is an error and left out; the
// others are returned.
//
// Values are what the Kubernetes API server and Helm read: YAML 1.1 by way of
// sigs.k8s.io/yaml, as JSON. So an unquoted on is true, 0777 is 511, 1e6 is an Int, a
// number beyond int64 is a Float, and a key 1 is the key "1". Aliases are copies, whose
// top node has the span of the alias. "<<" sets the fields it merges where it stands: it
// replaces fields before it and is replaced by fields after it. A key that is there
// twice is an error; its last value stands.
func Parse(f *source.File) ([]*Node, diag.List) {
	var docs []*Node
	var diags diag.List
	if isBinary(f.Text) {
		diags.Errorf(source.Span{File: f}, Code, "this is no text").Hint = "give YAML or JSON; a packed chart is called NAME.tgz"
		source.Hide(source.Span{File: f, End: len(f.Text)})
		return nil, diags
	}
	for _, c := range split(f.Text) {
		p := &parser{file: f, base: c.start, text: f.Text[c.start:c.end]}
		n := p.document()
		if n != nil {
			p.withhold(n)
			docs = append(docs, n)
		}
		p.reticent(n == nil && len(p.diags) > 0 && p.withholdLines())
		diags.Add(p.diags)
	}
	return docs, diags
}

// isBinary reports whether text is the bytes of another kind of file: some of them are zero,
// which in UTF-16, that has a byte order mark, is a half of most letters.
func isBinary(text string) bool {
	return strings.Contains(text, "\x00") && !strings.HasPrefix(text, "\xff\xfe") && !strings.HasPrefix(text, "\xfe\xff")
}

// chunk is the byte range of one document with its "---" line.
type chunk struct{ start, end int }

// split parts text at the lines that start or end a document. Directives and comments
// in front of a "---" belong to the document behind it.
func split(text string) []chunk {
	var chunks []chunk
	current := chunk{}
	prelude := true // nothing but comments and directives so far
	cut := func(at int) {
		if at > current.start {
			chunks = append(chunks, chunk{current.start, at})
		}
		current.start, prelude = at, true
	}
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexAny(text[start:], "\r\n"); i >= 0 {
			end = start + i + 1
		}
		line := text[start:end]
		if start == current.start {
			line = strings.TrimPrefix(line, bom)
		}
		switch {
		case isMarker(line, "..."):
			cut(end)
		case isMarker(line, "---"):
			if !prelude {
				cut(start)
			}
			prelude = false
		case !isBlank(line) && line[0] != '%':
			prelude = false
		}
		start = end
	}
	cut(len(text))
	return chunks
}

const bom = "\ufeff"

// isMarker reports whether line starts with the document marker, alone or followed by
// a blank.
func isMarker(line, marker string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(line, bom), marker)
	return ok && (rest == "" || strings.ContainsRune(" \t\r\n", rune(rest[0])))
}

// isBlank reports whether text holds only blanks, comments and document markers.
func isBlank(text string) bool {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.TrimPrefix(line, bom)
		if isMarker(line, "---") || isMarker(line, "...") {
			line = line[3:]
		}
		if line = strings.TrimLeft(line, " \t"); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// parser reads one document.
type parser struct {
	file     *source.File
	base     int    // offset of text in the file
	text     string // one document
	lines    []int  // offset in text of each line, as the YAML library counts lines
	last     mark   // where offset was last
	diags    diag.List
	built    map[*yaml.Node]*Node // finished nodes that have an anchor
	aliased  int                  // nodes that aliases added so far
	replaced []*Node              // values of keys that are there once more
	broken   bool                 // a limit was passed, or it is a template: the document is left out
	root     *yaml.Node           // what the library read
	written  map[*yaml.Node]*Node // what became of it; nil unless it is to be edited
}

// document returns the document's root, nil when it cannot be read.
func (p *parser) document() *Node {
	p.skipBOM()
	if !p.checkCharacters() || isBlank(p.text) {
		return nil
	}
	p.indexLines()
	root, err := decode(p.text)
	if err != nil {
		p.syntaxError(err)
		return nil
	}
	if root == nil {
		return nil
	}
	p.root = root
	p.built = make(map[*yaml.Node]*Node)
	n := p.node(root, 0)
	if p.broken || n.Shape == Null {
		return nil
	}
	return n
}

// skipBOM leaves out a byte order mark, of the file or of one that was appended to it
// behind a "---" line. The library takes only the first for what it is.
func (p *parser) skipBOM() {
	skip := 0
	if line, _, ok := strings.Cut(p.text, bom); ok && (line == "" || isMarker(line, "---") && isBlank(line) && line[len(line)-1] == '\n' && strings.Count(line, "\n") == 1) {
		skip = len(line) + len(bom)
	}
	p.base += skip
	p.text = p.text[skip:]
}

// checkCharacters reports the first character that YAML does not allow.
func (p *parser) checkCharacters() bool {
	for i, r := range p.text {
		size := utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(p.text[i:], "\ufffd"):
			d := p.diags.Errorf(p.span(i, i+1), Code, "byte 0x%02x is not UTF-8", p.text[i])
			d.Hint = "save the file as UTF-8"
			return false
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r >= 0x7f && r < 0xa0 && r != 0x85, r == 0xfffe, r == 0xffff:
			d := p.diags.Errorf(p.span(i, i+size), Code, "character U+%04X is not allowed in YAML", r)
			d.Hint = `write it as an escape in double quotes, "\u` + hex4(r) + `"`
			return false
		}
	}
	return true
}

func hex4(r rune) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15]})
}

// span is the span of bytes [start, end) of the document.
func (p *parser) span(start, end int) source.Span {
	return source.Span{File: p.file, Start: p.base + start, End: p.base + max(start, end)}
}
