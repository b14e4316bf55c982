// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"strings"

	"kilter.dev/kilter/internal/manifest"
)

// makers says which objects make others that pods name, and what those are called: what is
// at path, "*" being every item, or the object's own name where there is nothing, with a
// suffix.
var makers = []struct {
	group, kind, makes, path string
	suffixes                 []string
}{
	{"cert-manager.io", "Certificate", "Secret", "spec.secretName", nil},
	{"external-secrets.io", "ExternalSecret", "Secret", "spec.target.name", nil},
	{"bitnami.com", "SealedSecret", "Secret", "spec.template.metadata.name", nil},
	{"isindir.github.com", "SopsSecret", "Secret", "spec.secretTemplates.*.name", nil},
	{"onepassword.com", "OnePasswordItem", "Secret", "", nil},
	{"secrets.hashicorp.com", "VaultStaticSecret", "Secret", "spec.destination.name", nil},
	{"secrets.hashicorp.com", "VaultDynamicSecret", "Secret", "spec.destination.name", nil},
	{"secrets.hashicorp.com", "VaultPKISecret", "Secret", "spec.destination.name", nil},
	{"secrets-store.csi.x-k8s.io", "SecretProviderClass", "Secret", "spec.secretObjects.*.secretName", nil},
	{"trust.cert-manager.io", "Bundle", "ConfigMap", "", nil},
	{"kafka.strimzi.io", "KafkaUser", "Secret", "", nil},
	{"kafka.strimzi.io", "Kafka", "Secret", "", []string{"-cluster-ca-cert", "-clients-ca-cert"}},
	{"postgresql.cnpg.io", "Cluster", "Secret", "", []string{"-app", "-superuser", "-ca", "-server", "-replication"}},
	{"objectbucket.io", "ObjectBucketClaim", "Secret", "", nil},
	{"objectbucket.io", "ObjectBucketClaim", "ConfigMap", "", nil},
}

// make notes what the object makes.
func (ns *namespace) make(e *entry) {
	for _, m := range makers {
		if m.group != e.group || m.kind != e.object.Kind {
			continue
		}
		names := namesAt(e.object, m.path)
		if len(names) == 0 {
			names = []string{e.object.Name}
		}
		suffixes := m.suffixes
		if suffixes == nil {
			suffixes = []string{""}
		}
		for _, name := range names {
			for _, suffix := range suffixes {
				ns.made[reference{kind: m.makes, name: name + suffix}] = true
			}
		}
	}
	if e.group == "apps" && e.object.Kind == "StatefulSet" {
		for _, name := range namesAt(e.object, "spec.volumeClaimTemplates.*.metadata.name") {
			ns.made[reference{kind: "PersistentVolumeClaim", name: name + "-" + e.object.Name}] = true
		}
	}
}

func namesAt(o *manifest.Object, path string) []string {
	var names []string
	if path == "" {
		return nil
	}
	for _, p := range expand(o.Node, nil, strings.Split(path, ".")) {
		if name := o.Get(p...).Text(); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// makes reports whether something in the namespace makes what is named: claims of a
// StatefulSet have an ordinal behind their name.
func (ns *namespace) makes(r reference) bool {
	name := r.name
	if r.kind == "PersistentVolumeClaim" {
		base, ordinal := cutOrdinal(name)
		if ordinal == "" {
			return false
		}
		name = base
	}
	return ns.made[reference{kind: r.kind, name: name}]
}
