// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

// native adds what Go finds in the fields of an object. The codes of these findings are
// names of rules.
func (r *run) native(o *manifest.Object) {
	for _, d := range kube.Fields(o, r.options.KubeVersion) {
		if r.options.Only == nil || r.options.Only(d.Code) {
			r.add(d, o, nil)
		}
	}
}
