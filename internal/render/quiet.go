// SPDX-License-Identifier: Apache-2.0

package render

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// libraries guards what Helm and kustomize keep for the whole process: the standard
// logger they talk to, the HTTP client they fetch with, and kustomize's OpenAPI schema.
var libraries sync.Mutex

// offline answers every request with an error.
type offline struct{}

func (offline) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s is remote: Kilter works without the network", r.URL)
}

// quietly runs do without the network and returns what was logged meanwhile as warnings.
func quietly(do func() error) (warnings diag.List, err error) {
	libraries.Lock()
	defer libraries.Unlock()
	var logged bytes.Buffer
	output, flags := log.Writer(), log.Flags()
	log.SetOutput(&logged)
	log.SetFlags(0)
	restore := captured(&logged)
	transport := http.DefaultTransport
	http.DefaultTransport = offline{}
	defer func() {
		http.DefaultTransport = transport
		log.SetOutput(output)
		log.SetFlags(flags)
		restore()
		for line := range strings.Lines(logged.String()) {
			warnings.Warnf(source.Span{}, "render", "%s", lower(trimLevel(strings.TrimSpace(line))))
		}
	}()
	defer recovered(&err)
	return nil, do()
}

// captured lets what a library writes to standard error itself go to w until it is restored;
// where that cannot be, it goes where it went.
func captured(w io.Writer) (restore func()) {
	stderr := os.Stderr
	r, pipe, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	os.Stderr = pipe
	var text []byte
	read := make(chan struct{})
	go func() {
		text, _ = io.ReadAll(r)
		close(read)
	}()
	return func() {
		os.Stderr = stderr
		pipe.Close()
		<-read
		r.Close()
		w.Write(text)
	}
}

// trimLevel drops the level that a library wrote before its message.
func trimLevel(line string) string {
	for _, level := range []string{"# warning:", "warning:", "info:"} {
		if len(line) > len(level) && strings.EqualFold(line[:len(level)], level) {
			return strings.TrimSpace(line[len(level):])
		}
	}
	return line
}

// lower makes the first letter small unless the word is written in capitals.
func lower(text string) string {
	if len(text) > 1 && text[1] >= 'a' && text[1] <= 'z' {
		return strings.ToLower(text[:1]) + text[1:]
	}
	return text
}
