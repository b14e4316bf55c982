// SPDX-License-Identifier: Apache-2.0

package kubernetes_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	discoveryfake "k8s.io/client-go/discovery/fake"
	scalefake "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	"sigs.k8s.io/yaml"
)

// decode reads YAML into the types of the API and sets the API server's defaults.
func decode(t *testing.T, text string) runtime.Object {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var typeMeta metav1.TypeMeta
	if err := json.Unmarshal(data, &typeMeta); err != nil {
		t.Fatal(err)
	}
	var o runtime.Object
	switch typeMeta.Kind {
	case "JobSet":
		o = &jobSet{}
	case "LeaderWorkerSet":
		o = &leaderWorkerSet{}
	default:
		if o, _, err = legacyscheme.Codecs.UniversalDeserializer().Decode(data, nil, nil); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		legacyscheme.Scheme.Default(o)
		return o
	}
	if err := json.Unmarshal(data, o); err != nil {
		t.Fatal(err)
	}
	return o
}

// discovered is what the API server of the Kubernetes in go.mod says of its resources.
var discovered = sync.OnceValues(func() ([]*metav1.APIResourceList, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes").Output()
	if err != nil {
		return nil, err
	}
	var all []*metav1.APIResourceList
	for _, file := range []string{"api__v1.json", "apis__apps__v1.json", "apis__batch__v1.json"} {
		data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "api", "discovery", file))
		if err != nil {
			return nil, err
		}
		list := &metav1.APIResourceList{}
		if err := json.Unmarshal(data, list); err != nil {
			return nil, err
		}
		all = append(all, list)
	}
	return all, nil
})

func resources(t *testing.T) *discoveryfake.FakeDiscovery {
	t.Helper()
	lists, err := discovered()
	if err != nil {
		t.Fatal(err)
	}
	return &discoveryfake.FakeDiscovery{Fake: &clienttesting.Fake{Resources: lists}}
}

// restMapper knows the kinds that the API server serves.
func restMapper(t *testing.T) meta.RESTMapper {
	t.Helper()
	lists, err := discovered()
	if err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}, {Group: "apps", Version: "v1"}, {Group: "batch", Version: "v1"}})
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.APIResources {
			if !strings.Contains(r.Name, "/") {
				plural := version.WithResource(r.Name)
				mapper.AddSpecific(version.WithKind(r.Kind), plural, version.WithResource(r.SingularName), meta.RESTScopeNamespace)
			}
		}
	}
	return mapper
}

// noScales answers as the API server does for what has no scale subresource: Deployments
// and the like are never asked for theirs.
func noScales() *scalefake.FakeScaleClient {
	scales := &scalefake.FakeScaleClient{}
	scales.AddReactor("get", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewNotFound(action.GetResource().GroupResource(), action.(clienttesting.GetAction).GetName())
	})
	return scales
}
