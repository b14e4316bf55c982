// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strings"

	"k8s.io/client-go/rest"
)

// Users of a cluster. Both may do everything; a test that has an admission policy for one of
// them lets the other write what the policy would refuse.
const (
	Admin = "admin"
	Setup = "setup"
)

// writeCredentials writes the key of service accounts, and the tokens of users: the API server
// listens on loopback alone and is gone after the test, so that they need not be secret.
func (c *Cluster) writeCredentials(context.Context) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	data := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	if err := os.WriteFile(c.path("accounts.key"), data, 0o600); err != nil {
		return err
	}
	var tokens strings.Builder
	for _, user := range []string{Admin, Setup} {
		fmt.Fprintf(&tokens, "%s,%s,%s,system:masters\n", token(user), user, user)
	}
	return os.WriteFile(c.path("tokens.csv"), []byte(tokens.String()), 0o600)
}

func token(user string) string { return "token-of-" + user }

func (c *Cluster) writeKubeconfig() error {
	return os.WriteFile(c.Kubeconfig, fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters:
  - name: local
    cluster: {server: %q, insecure-skip-tls-verify: true}
users:
  - name: %[2]s
    user: {token: %[3]s}
contexts:
  - name: local
    context: {cluster: local, user: %[2]s}
current-context: local
`, c.server, Admin, token(Admin)), 0o600)
}

// Config is how a user reaches the API server, as fast as it answers.
func (c *Cluster) Config(user string) *rest.Config {
	return &rest.Config{
		Host: c.server, BearerToken: token(user), QPS: -1,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
	}
}
