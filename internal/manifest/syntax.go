// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"
)

// Code is the diagnostic code of text that Kilter cannot read as YAML.
const Code = "yaml"

// DuplicateKey is the code of a key that is there twice in one mapping: the document is
// read all the same, with the last value, so that callers may take it for a finding.
const DuplicateKey = "duplicate-mapping-key"

// TemplateHint says what to do about text with {{ }} where there should be a value.
const TemplateHint = "text with {{ }} is a template, not YAML: render the chart first"

const (
	indentHint = "entries of one map or list start in the same column"
	quoteHint  = "put the text in quotes"
)

// padding moves a text further than a character is long.
const padding = "\n\n\n\n"

// decode reads the only document of text; nil when there is none. The library refuses some
// texts in which U+FEFF is parted by the end of its buffer of 512 bytes: they are read again
// from another place in it.
func decode(text string) (*yaml.Node, error) {
	root, err := decodeOnce(text)
	if err == nil || !strings.Contains(text, bom) {
		return root, err
	}
	moved, again := decodeOnce(padding + text)
	if again != nil || moved == nil {
		return root, err
	}
	lift(moved)
	return moved, nil
}

// lift takes the lines of padding out of the places of n.
func lift(n *yaml.Node) {
	n.Line -= len(padding)
	for _, child := range n.Content {
		lift(child)
	}
}

// decodeOnce is decode. A panic of the library is an error like any other.
func decodeOnce(text string) (root *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("yaml: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var doc, more yaml.Node
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) || len(doc.Content) != 1 {
		return nil, cleared(err)
	} else if err != nil {
		return nil, err
	}
	// The library stops after the root: {a: 1} in front of a line b: 2 would hide it.
	return doc.Content[0], cleared(decoder.Decode(&more))
}

func cleared(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

var errorPrefix = regexp.MustCompile(`^yaml: (line \d+: )?`)

// problem is what the library says is wrong, "" for nothing.
func problem(text string) string {
	_, err := decode(text)
	if err == nil {
		return ""
	}
	return errorPrefix.ReplaceAllString(err.Error(), "")
}

// syntaxError reports the library's error in plain words. The library tells at best the
// line where the map or list began, so the place is where the shortest beginning of the
// text that has the same error ends.
func (p *parser) syntaxError(err error) {
	message := errorPrefix.ReplaceAllString(err.Error(), "")
	if !strings.Contains(p.text, "{{") && p.unclosed(message) {
		return
	}
	line := sort.Search(len(p.lines)-1, func(i int) bool { return problem(p.text[:p.lines[i+1]]) == message })
	start := p.lines[line]
	text := p.text[start:]
	text = text[:lineLen(text)]
	at := sort.Search(len(text), func(i int) bool {
		return i+1 == len(text) || utf8.RuneStart(text[i+1]) && problem(p.text[:start+i+1]) == message
	})
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	words, hint, wholeLine := explain(message, text, at)
	end := at + 1
	if wholeLine {
		end = len(strings.TrimRight(text, " \t"))
		at = min(end, len(text)-len(strings.TrimLeft(text, " \t")))
	} else if at < len(text) {
		_, size := utf8.DecodeRuneInString(text[at:])
		end = at + size
	}
	if strings.Contains(text, "{{") {
		hint = TemplateHint
	}
	d := p.diags.Errorf(p.span(start+at, start+min(end, len(text))), Code, "%s", words)
	d.Hint = hint
}

// explain puts the library's message about the character at of line into plain words.
// wholeLine says that it is about the line and not that character.
func explain(message, line string, at int) (words, hint string, wholeLine bool) {
	char := ""
	if at < len(line) {
		r, _ := utf8.DecodeRuneInString(line[at:])
		char = string(r)
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	switch message {
	case "found character that cannot start any token":
		if strings.Contains(indent, "\t") {
			return "a tab cannot indent", "indent with spaces", true
		}
		return fmt.Sprintf("%q cannot start a value", char), quoteHint, false
	case "did not find expected key":
		if char == ":" || strings.TrimSpace(line[:at]) == "" {
			return "line is not an entry of the map it stands in", indentHint, true
		}
		return "there is more text behind the value", quoteHint, false
	case "did not find expected node content":
		switch char {
		case "]", "}":
			return fmt.Sprintf("%q closes nothing", char), quoteHint, false
		case "[", "{":
			return fmt.Sprintf("%q is not closed", char), "close it, or put the text in quotes", false
		}
		return "a value is missing", quoteHint, false
	case "found unknown escape character":
		letter := strings.TrimPrefix(line[at:], `\`)
		_, size := utf8.DecodeRuneInString(letter)
		return fmt.Sprintf(`"\%s" is not an escape in double quotes`, letter[:size]), `use single quotes, or write a backslash as \\`, false
	}
	if name, ok := strings.CutPrefix(message, "unknown anchor '"); ok {
		name, _, _ = strings.Cut(name, "'")
		return fmt.Sprintf("alias %q has no anchor", "*"+name), fmt.Sprintf("write %q in front of the value it repeats, or put the text in quotes", "&"+name), true
	}
	return explainAlways(message)
}

// explainAlways is explain for messages that mean the same wherever they stand.
func explainAlways(message string) (words, hint string, wholeLine bool) {
	switch message {
	case "found a tab character that violates indentation",
		"found a tab character where an indentation space is expected":
		return "a tab cannot indent", "indent with spaces", true
	case "mapping values are not allowed in this context":
		return `":" starts a value where none can stand`, `put text with ": " in quotes; ` + indentHint, false
	case "block sequence entries are not allowed in this context":
		return `"-" starts a list item where none can stand`, "start the list on a line of its own", false
	case "could not find expected ':'":
		return `line is not "key: value"`, `write "key: value", "- item", or put text of several lines behind "|"`, true
	case "did not find expected '-' indicator":
		return "line is not an item of the list it stands in", indentHint, true
	case "did not find expected ',' or ']'":
		return "the list in [ ] is not closed, or a comma is missing", `write "]" or ","`, false
	case "did not find expected ',' or '}'":
		return "the map in { } is not closed, or a comma is missing", `write "}" or ","`, false
	case "found unexpected end of stream":
		return "the quote is not closed", "close the quote", false
	case "did not find expected <document start>":
		return "there is more text behind the document", `part documents with a line "---"`, true
	case "found incompatible YAML document":
		return "this version of YAML is not known", "remove the line %YAML", true
	}
	return "not valid YAML: " + message, "", true
}
