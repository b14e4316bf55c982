// SPDX-License-Identifier: Apache-2.0

package render

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path"
	"strings"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// peeked is how many bytes of an archive are read at most to see whether it is a chart: helm
// package puts Chart.yaml first.
const peeked = 16 << 20

// isPacked reports whether a file is called like the archive of a chart.
func isPacked(name string) bool { return strings.HasSuffix(name, ".tgz") }

// packed returns the Chart.yaml of the chart that an archive holds; nil for one of something
// else, of which there are others with the same ending.
func packed(name string) *manifest.Node {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return nil
	}
	archive := tar.NewReader(io.LimitReader(unzipped, peeked))
	for {
		entry, err := archive.Next()
		if err != nil {
			return nil
		}
		if dir, base := path.Split(path.Clean(entry.Name)); base != "Chart.yaml" || strings.Count(dir, "/") != 1 {
			continue
		}
		text, err := io.ReadAll(archive)
		if docs, _ := manifest.Parse(source.New(name, string(text))); err == nil && len(docs) > 0 {
			return docs[0]
		}
		return nil
	}
}
