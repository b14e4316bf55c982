// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"cmp"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/authentication/user"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

// Request is what somebody asks of the API server.
type Request struct {
	Object      *manifest.Object // nil: it is deleted
	Old         *manifest.Object // what it replaces, or what is deleted; nil: it is created
	Namespace   string           // "": the object's
	SubResource string           // such as "status"; "" for the object itself
	User        User
	// NamespaceObject is the Namespace; nil: one with no labels but its name.
	NamespaceObject *manifest.Object
	// Params is what a binding's paramRef refers to; nil: nothing.
	Params *manifest.Object
}

// User is who asks. Every user has a name: without one it is DefaultUser.
type User struct {
	Name, UID string
	Groups    []string
}

// DefaultUser is who asks unless a request says who, and of its groups.
const (
	DefaultUser  = "kubernetes-admin"
	DefaultGroup = "system:authenticated"
)

// request is a Request with everything in its type.
type request struct {
	kind        schema.GroupVersionKind
	plural      schema.GroupVersionResource
	attributes  *admission.VersionedAttributes
	namespace   *corev1.Namespace
	params      runtime.Object
	labels      map[string]string // of the object
	subResource string
}

// read reads a request into the types of a version of Kubernetes.
func read(r Request, version string) (*request, error) {
	if r.Object == nil && r.Old == nil {
		return nil, fmt.Errorf("a request has an object, or an old one")
	}
	object, err := typed(r.Object, version)
	if err != nil {
		return nil, err
	}
	old, err := typed(r.Old, version)
	if err != nil {
		return nil, err
	}
	operation, subject, of := admission.Create, object, r.Object
	switch {
	case object == nil:
		operation, subject, of = admission.Delete, old, r.Old
	case old != nil:
		operation = admission.Update
	}
	out := &request{kind: subject.GetObjectKind().GroupVersionKind(), subResource: r.SubResource}
	out.plural, _ = meta.UnsafeGuessKindToResource(out.kind)
	if accessor, err := meta.Accessor(subject); err == nil {
		out.labels = accessor.GetLabels()
	}
	namespace := manifest.Namespace(cmp.Or(r.Namespace, of.Namespace))
	who := &user.DefaultInfo{Name: cmp.Or(r.User.Name, DefaultUser), UID: r.User.UID, Groups: append(slices.Clip(r.User.Groups), DefaultGroup)}
	out.attributes = &admission.VersionedAttributes{
		Attributes:    admission.NewAttributesRecord(object, old, out.kind, namespace, of.Name, out.plural, r.SubResource, operation, nil, false, who),
		VersionedKind: out.kind,
	}
	out.attributes.VersionedObject.Set(object)
	out.attributes.VersionedOldObject.Set(old)
	if out.params, err = typed(r.Params, version); err != nil {
		return nil, err
	}
	return out, out.place(namespace, r.NamespaceObject, version)
}

// typed is an object in its type, nil for nil.
func typed(o *manifest.Object, version string) (runtime.Object, error) {
	if o == nil {
		return nil, nil
	}
	value, ok := manifest.Native(o.Node).(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is no map", o.Name)
	}
	return kube.Typed(value, version)
}

// place sets the Namespace that the request is in.
func (r *request) place(name string, object *manifest.Object, version string) error {
	if r.kind.Group == "" && r.kind.Kind == "Namespace" {
		return nil // it is not in one
	}
	r.namespace = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
	if object != nil {
		n, err := typed(object, version)
		if err != nil {
			return err
		}
		namespace, ok := n.(*corev1.Namespace)
		if !ok {
			return fmt.Errorf("%s %s is no Namespace", object.Kind, object.Name)
		}
		r.namespace = namespace
	}
	if r.namespace.Labels == nil {
		r.namespace.Labels = map[string]string{}
	}
	r.namespace.Labels[corev1.LabelMetadataName] = r.namespace.Name
	return nil
}

// admission is the request as CEL sees it.
func (r *request) admission() *admissionv1.AdmissionRequest {
	return plugin.CreateAdmissionRequest(r.attributes.Attributes, metav1.GroupVersionResource(r.plural), metav1.GroupVersionKind(r.kind))
}
