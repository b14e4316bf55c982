// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	kube "sigs.k8s.io/yaml"
)

var (
	errNotNumber = errors.New("is a number that JSON, and so Kubernetes, cannot hold")
	errTag       = errors.New("is not what its tag says")
)

// resolve returns the value of a scalar as Kubernetes reads it. tag is the tag that is
// written, "" for none.
func resolve(text, tag string, quoted bool) (any, error) {
	switch {
	case tag != "" && !isResolvable(tag), tag == "" && quoted:
		return text, nil
	case tag != "":
		return ask(tag, Scalar(text))
	}
	if value, ok := words(text); ok {
		return value, nil
	}
	if !mayBeNumber(text) {
		return text, nil
	}
	if i, ok := decimal(text); ok {
		return i, nil
	}
	return ask("", text)
}

// words are the plain scalars that YAML 1.1 reads as null and booleans.
func words(text string) (value any, ok bool) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return nil, true
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true, true
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false, true
	}
	return nil, false
}

// mayBeNumber reports whether a plain scalar has only characters of numbers.
func mayBeNumber(text string) bool {
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case ".inf", ".nan":
		return true
	}
	digits := false
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= '0' && c <= '9':
			digits = true
		case !strings.ContainsRune("+-._abcdefxopABCDEFXOP", rune(c)):
			return false
		}
	}
	return digits && strings.IndexByte("+-.0123456789", text[0]) >= 0
}

// decimal reads an integer that every reader takes for the same.
func decimal(text string) (int64, bool) {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) > 18 || digits == "" || digits[0] == '0' && text != "0" {
		return 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
	}
	i, err := strconv.ParseInt(text, 10, 64)
	return i, err == nil
}

func isResolvable(tag string) bool {
	switch tag {
	case "!!str", "!!bool", "!!int", "!!float", "!!null", "!!timestamp", "!!binary", "!!merge":
		return true
	}
	return false
}

// ask has Kubernetes' own library read the scalar.
func ask(tag, text string) (any, error) {
	data, err := kube.YAMLToJSON([]byte("- " + tag + " " + text + "\n"))
	if err != nil {
		if tag == "" {
			return nil, errNotNumber
		}
		return nil, errTag
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var list []any
	if err := decoder.Decode(&list); err != nil || len(list) != 1 {
		return text, nil
	}
	switch value := list[0].(type) {
	case json.Number:
		n, err := fromNumber(string(value))
		if err != nil {
			return nil, errNotNumber
		}
		return n.Value, nil
	case nil, bool, string:
		return value, nil
	}
	return text, nil
}

// keyText returns the text of a scalar key as the conversion to JSON writes it.
func keyText(text, tag string, quoted bool) (string, error) {
	value, err := resolve(text, tag, quoted)
	if value, ok := value.(string); ok && err == nil {
		return value, nil
	}
	if quoted || tag != "" {
		text = Scalar(text)
	}
	data, err := kube.YAMLToJSON([]byte("? " + tag + " " + text + "\n: 0\n"))
	if err != nil {
		return "", err
	}
	var m map[string]int
	if err := json.Unmarshal(data, &m); err != nil {
		return "", err
	}
	for key := range m {
		return key, nil
	}
	return "", errTag
}
