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
// Those who hold it for reading share a logger and a client of Kilter's.
var libraries sync.RWMutex

// offline answers every request with an error.
type offline struct{}

func (offline) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s is remote: Kilter works without the network", r.URL)
}

// quietly runs do alone, without the network, and returns what was logged meanwhile as warnings.
func quietly(do func() error) (warnings diag.List, err error) {
	libraries.Lock()
	defer libraries.Unlock()
	var logged bytes.Buffer
	restoreLog := hushed(&logged)
	restore := captured(&logged)
	defer func() {
		restoreLog()
		restore()
		for line := range strings.Lines(logged.String()) {
			warnings.Warnf(source.Span{}, "render", "%s", lower(trimLevel(strings.TrimSpace(line))))
		}
	}()
	defer recovered(&err)
	return nil, do()
}

// shared are those who work side by side, and what any of them logged.
var shared struct {
	sync.Mutex
	running int
	lines   int
	restore func()
}

// heard counts what is logged, since it does not tell by whom.
type heard struct{}

func (heard) Write(p []byte) (int, error) {
	shared.Lock()
	defer shared.Unlock()
	shared.lines++
	return len(p), nil
}

// sideBySide runs do, which writes nothing to standard error but by the logger, beside others
// without the network. It reports whether anything was logged meanwhile: do is to be run
// again then, quietly.
func sideBySide(do func() error) (logged bool, err error) {
	libraries.RLock()
	defer libraries.RUnlock()
	shared.Lock()
	if shared.running++; shared.running == 1 {
		shared.restore = hushed(heard{})
	}
	before := shared.lines
	shared.Unlock()
	defer func() {
		shared.Lock()
		defer shared.Unlock()
		logged = shared.lines != before
		if shared.running--; shared.running == 0 {
			shared.restore()
		}
	}()
	defer recovered(&err)
	return false, do()
}

// hushed lets the logger write to w, and takes the network away, until it is restored.
func hushed(w io.Writer) (restore func()) {
	output, flags, transport := log.Writer(), log.Flags(), http.DefaultTransport
	log.SetOutput(w)
	log.SetFlags(0)
	http.DefaultTransport = offline{}
	return func() {
		http.DefaultTransport = transport
		log.SetOutput(output)
		log.SetFlags(flags)
	}
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
