// SPDX-License-Identifier: Apache-2.0

package render

import (
	"path/filepath"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"

	"kilter.dev/kilter/internal/source"
)

// ChartFiles returns the files of the chart at path as they are written, in the order of
// names: of a folder, those of the charts in its charts/, too, unless they are packed. It
// returns none for what is no chart; Chart says why.
func ChartFiles(path string) []*source.File {
	path = root(path, "Chart.yaml")
	var c *chart.Chart
	_, err := sideBySide(func() (err error) {
		c, err = loader.Load(path)
		return err
	})
	if err != nil {
		return nil
	}
	texts := map[string]string{}
	for _, f := range c.Raw {
		texts[f.Name] = string(f.Data)
	}
	var files []*source.File
	for _, name := range sortedKeys(texts) {
		files = append(files, source.New(filepath.Join(path, filepath.FromSlash(name)), texts[name]))
	}
	return files
}
