// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"crypto/sha256"
	"encoding/hex"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
)

// digest identifies a profile as it is written with the parameters of a request:
// NAME@ and the first 12 hex digits of a SHA-256.
func digest(p *profile.Profile, r Request) string {
	h := sha256.New()
	h.Write([]byte(p.Digest))
	h.Write([]byte(manifest.JSON(r.Parameters)))
	h.Write([]byte("\n" + r.KubeVersion + "\n" + string(r.Mode)))
	return p.Name + "@" + hex.EncodeToString(h.Sum(nil))[:12]
}

// proof is what a workload gets that says what was applied to it.
func proof(p *profile.Profile, r Request) *manifest.Node {
	n := manifest.NewMap()
	set(n, "metadata.annotations", manifest.NewMap(manifest.Field{Key: AppliedAnnotation, Value: manifest.NewString(digest(p, r))}))
	return n
}
