// SPDX-License-Identifier: Apache-2.0

package manifest

// Nulls says what a null that is laid over a value does to it.
type Nulls int

// What there is to do with it.
const (
	NullOver    Nulls = iota // put the null in its place
	KeepUnder                // nothing: null is no value
	DeleteUnder              // delete it, as Helm does to defaults of a chart
)

// Overlay lays over upon under, map by map, as Helm merges values. Where both have a key, its
// place is that of over. A nil node has nothing to lay over, or under it.
func Overlay(under, over *Node, nulls Nulls) *Node {
	switch {
	case over == nil || over.Shape == Null && nulls == KeepUnder:
		return under
	case under.shape() != Map || over.Shape != Map:
		return over
	}
	out := under.Clone()
	out.Span = over.Span
	for _, f := range over.Fields {
		switch i := out.index(f.Key); {
		case i < 0:
			out.Fields = append(out.Fields, f)
		case f.Value.Shape == Null && nulls == KeepUnder:
		case f.Value.Shape == Null && nulls == DeleteUnder:
			out.Delete(f.Key)
		default:
			f.Value = Overlay(under.Get(f.Key), f.Value, nulls)
			out.Fields[i] = f
		}
	}
	return out
}
