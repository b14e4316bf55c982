// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// schema is as much of OpenAPI as Kubernetes' own types have.
type schema struct {
	Type                 string
	Format               string
	Ref                  string `json:"$ref"`
	AllOf                []schema
	OneOf                []schema
	Items                *schema
	AdditionalProperties *schema
	Properties           map[string]schema
	Anything             bool                                    `json:"x-kubernetes-preserve-unknown-fields"`
	MapKeys              []string                                `json:"x-kubernetes-list-map-keys"`
	MergeKey             string                                  `json:"x-kubernetes-patch-merge-key"`
	Kinds                []struct{ Group, Version, Kind string } `json:"x-kubernetes-group-version-kind"`
}

// readTypes reads the types and kinds of the version in column i.
func readTypes(dir string, i int, types, kinds *table) error {
	files, err := filepath.Glob(filepath.Join(dir, "api/openapi-spec/v3/*_openapi.json"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%s: no OpenAPI files: %w", dir, err)
	}
	resources, err := readResources(dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		var spec struct {
			Components struct{ Schemas map[string]schema }
		}
		if err := readJSON(file, &spec); err != nil {
			return err
		}
		for name, s := range spec.Components.Schemas {
			text, err := s.body()
			if err != nil {
				return fmt.Errorf("%s: %s: %w", file, name, err)
			}
			types.set(shortName(name), i, text)
			if len(s.Kinds) != 1 || strings.HasSuffix(s.Kinds[0].Kind, "List") || strings.Contains(name, "apimachinery") {
				continue // a list, or nothing that is ever written down
			}
			k := s.Kinds[0]
			id := strings.TrimPrefix(k.Group+"/"+k.Version, "/") + " " + k.Kind
			kinds.set(id, i, cmp.Or(resources[id], "- -")+" "+shortName(name))
		}
	}
	return nil
}

func readJSON(file string, v any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// readResources returns "RESOURCE SCOPE" by "APIVERSION KIND".
func readResources(dir string) (map[string]string, error) {
	type resource struct {
		Resource     string
		Scope        string
		ResponseKind struct{ Kind string }
		Verbs        []string
	}
	var groups struct {
		Items []struct {
			Metadata struct{ Name string }
			Versions []struct {
				Version   string
				Resources []resource
			}
		}
	}
	if err := readJSON(filepath.Join(dir, "api/discovery/aggregated_v2.json"), &groups); err != nil {
		return nil, err
	}
	resources := map[string]string{}
	for _, group := range groups.Items {
		for _, version := range group.Versions {
			for _, r := range version.Resources {
				resources[group.Metadata.Name+"/"+version.Version+" "+r.ResponseKind.Kind] = r.Resource + " " + r.Scope
			}
		}
	}
	var core struct {
		Resources []struct {
			Name, Kind string
			Namespaced bool
		}
	}
	if err := readJSON(filepath.Join(dir, "api/discovery/api__v1.json"), &core); err != nil {
		return nil, err
	}
	for _, r := range core.Resources {
		if !strings.Contains(r.Name, "/") {
			scope := map[bool]string{true: "Namespaced", false: "Cluster"}[r.Namespaced]
			resources["v1 "+r.Kind] = r.Name + " " + scope
		}
	}
	return resources, nil
}

func shortName(name string) string { return strings.TrimPrefix(name, "io.k8s.") }

// body is the fields of a type, in order of their names.
func (s schema) body() (string, error) {
	if len(s.Properties) == 0 {
		return s.word()
	}
	fields := make([]string, 0, len(s.Properties))
	for name, property := range s.Properties {
		word, err := property.word()
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		fields = append(fields, name+"="+word)
	}
	slices.Sort(fields)
	return strings.Join(fields, " "), nil
}

// word is the type of a field.
func (s schema) word() (string, error) {
	switch {
	case s.Ref != "" || len(s.AllOf) == 1:
		ref := s.Ref
		if ref == "" {
			ref = s.AllOf[0].Ref
		}
		switch name := shortName(strings.TrimPrefix(ref, "#/components/schemas/")); name {
		case "apimachinery.pkg.api.resource.Quantity":
			return "q", nil
		case "apimachinery.pkg.util.intstr.IntOrString":
			return "x", nil
		case "apimachinery.pkg.apis.meta.v1.Time", "apimachinery.pkg.apis.meta.v1.MicroTime":
			return "t", nil
		default:
			return "@" + name, nil
		}
	case s.Type == "array":
		item, err := s.Items.word()
		keys := s.MapKeys
		if len(keys) == 0 && s.MergeKey != "" {
			keys = []string{s.MergeKey}
		}
		return "[" + strings.Join(keys, ",") + "]" + item, err
	case s.AdditionalProperties != nil:
		item, err := s.AdditionalProperties.word()
		return "{}" + item, err
	case s.Anything, s.Type == "", s.Type == "object":
		return "*", nil
	}
	return s.scalar()
}

func (s schema) scalar() (string, error) {
	words := map[string]string{
		"string": "s", "string byte": "y", "string date-time": "t", "boolean": "b", "number double": "n",
		"integer int32": "i", "integer int64": "l", "string int-or-string": "x",
	}
	if word, ok := words[strings.TrimSpace(s.Type+" "+s.Format)]; ok {
		return word, nil
	}
	return "", fmt.Errorf("no word for type %q, format %q", s.Type, s.Format)
}
