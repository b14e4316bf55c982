// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// settings are the rules of a check and what they do not apply to.
type settings struct {
	rules      *lint.Rules
	ran        func(rule string) bool
	config     *lint.Config // never nil
	suppressor *lint.Suppressor
	// folder is the working folder, and root that of the repository around it: absolute.
	folder, root string
}

// configError is a configuration or baseline that is wrong or cannot be read: that is wrong
// usage.
type configError struct{ list diag.List }

func (e configError) Error() string { return e.list.Error() }

func (o *judgeOptions) settings(all *lint.Rules) (*settings, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	s := &settings{rules: all, config: &lint.Config{}, folder: folder, root: repository(folder)}
	s.suppressor = &lint.Suppressor{Rules: all, Today: time.Now().Format(time.DateOnly)}
	if err := o.readConfig(s); err != nil {
		return nil, err
	}
	s.ran = func(rule string) bool {
		return (len(o.only) == 0 || slices.Contains(o.only, rule)) && !slices.Contains(o.skip, rule) && !s.config.IsOff(rule)
	}
	s.suppressor.Only = s.ran
	s.suppressor.BaselinePath = s.pathFrom(filepath.Dir(s.absolute(o.baseline)))
	return s, nil
}

// readConfig reads the file of --config, or the one in the working folder or above.
func (o *judgeOptions) readConfig(s *settings) error {
	name := o.config
	if name == "" {
		if name = s.findConfig(); name == "" {
			return nil
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return configError{render.Unreadable(name, err)}
	}
	config, err := lint.ParseConfig(source.New(name, string(text)), s.rules)
	if err := asConfigError(err); err != nil {
		return err
	}
	folder := filepath.Dir(s.absolute(name))
	s.config, s.suppressor.Config, s.suppressor.ConfigPath = config, config, s.pathFrom(folder)
	s.suppressor.Whole = slices.ContainsFunc(o.paths, func(path string) bool {
		return path != render.Stdin && !outside(filepath.Rel(s.absolute(path), folder))
	})
	return nil
}

// findConfig is the name of the nearest configuration, from the working folder up to the
// repository's root or that of the file system; "" for none.
func (s *settings) findConfig() string {
	for folder, name := s.folder, lint.ConfigFile; ; name = filepath.Join("..", name) {
		if exists(filepath.Join(folder, lint.ConfigFile)) {
			return name
		}
		if exists(filepath.Join(folder, ".git")) || filepath.Dir(folder) == folder {
			return ""
		}
		folder = filepath.Dir(folder)
	}
}

// readBaseline reads the file of --baseline.
func (o *judgeOptions) readBaseline(s *settings) error {
	if o.baseline == "" {
		return nil
	}
	text, err := os.ReadFile(o.baseline)
	if errors.Is(err, fs.ErrNotExist) {
		var list diag.List
		list.Errorf(source.Span{}, "baseline", "there is no baseline %s", o.baseline).Hint = "write it with --write-baseline"
		return configError{list}
	}
	if err != nil {
		return configError{render.Unreadable(o.baseline, err)}
	}
	baseline, err := lint.ParseBaseline(source.New(o.baseline, string(text)))
	s.suppressor.Baseline = baseline
	return asConfigError(err)
}

func asConfigError(err error) error {
	var list diag.List
	if errors.As(err, &list) {
		return configError{list}
	}
	return err
}

func (s *settings) absolute(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(s.folder, name)
}

// pathFrom returns the function that writes names of files as paths from a folder.
func (s *settings) pathFrom(folder string) func(string) string {
	return func(name string) string {
		if name == "" || strings.HasPrefix(name, "<") {
			return name
		}
		rel, err := filepath.Rel(folder, s.absolute(name))
		if err != nil {
			return filepath.ToSlash(name)
		}
		return filepath.ToSlash(rel)
	}
}

func outside(rel string, err error) bool {
	return err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// repository is the nearest folder above with a .git, else the folder itself.
func repository(folder string) string {
	for at := folder; ; at = filepath.Dir(at) {
		if exists(filepath.Join(at, ".git")) {
			return at
		}
		if filepath.Dir(at) == at {
			return folder
		}
	}
}
