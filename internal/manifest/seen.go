// SPDX-License-Identifier: Apache-2.0

package manifest

import "fmt"

// Seen finds objects that a cluster takes for the same one.
type Seen struct {
	namespace string
	first     map[ID]*Object
}

// NewSeen returns a Seen in which objects that name no namespace are in the one given, ""
// for the default one.
func NewSeen(namespace string) *Seen { return &Seen{namespace, map[ID]*Object{}} }

// Before returns the first object given that is the same as o; nil where that is o itself,
// and where it has no name: the API server makes one up.
func (s *Seen) Before(o *Object) *Object {
	if o.Name == "" {
		return nil
	}
	id := o.ID().In(s.namespace)
	first := s.first[id]
	if first == nil {
		s.first[id] = o
	}
	return first
}

// TwiceMessage says of a kind and a name that there are two such objects.
const TwiceMessage = "more than one %s is called %s"

// Twice says that there is another object that is the same as o.
func Twice(o *Object) string { return fmt.Sprintf(TwiceMessage, o.Kind, o.Name) }
