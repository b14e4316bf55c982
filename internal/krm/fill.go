// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"fmt"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// fill is a field, or an item of a list, that a workload leaves open and the profile has.
type fill struct {
	text     string   // its path in the workload
	steps    []string // from the object, or its pod template; items of lists by their key
	template bool
	value    *manifest.Node
}

func (f fill) is(other fill) bool {
	return f.text == other.text && manifest.Equal(f.value, other.value)
}

// fills are what of the model is open in own, as deep as the two are merged. Volumes are left
// out: they go with what mounts them.
func fills(own, model *manifest.Node, at fill) (open []fill) {
	for _, f := range model.Fields {
		current, next := own.Get(f.Key), at.below(below(at.text, f.Key), f.Key, f.Value)
		isOpen := current == nil || current.Shape == manifest.Null
		switch {
		case f.Key == "volumes":
		case f.Value.Shape == manifest.List && mergeKey(f.Key) != "" && (isOpen || current.Shape == manifest.List):
			open = append(open, fillsOfList(items(current), f.Key, next)...)
		case isOpen:
			open = append(open, next)
		case current.Shape == manifest.Map && f.Value.Shape == manifest.Map && !whole[f.Key]:
			open = append(open, fills(current, f.Value, next)...)
		}
	}
	return open
}

func fillsOfList(own []*manifest.Node, list string, at fill) (open []fill) {
	for _, item := range items(at.value) {
		key := itemKey(list, item)
		i := slices.IndexFunc(own, func(n *manifest.Node) bool { return itemKey(list, n) == key })
		switch {
		case i < 0:
			open = append(open, at.below(fmt.Sprintf("%s[%s]", at.text, key), key, item))
		case partial[list]:
			open = append(open, fills(own[i], item, at.below(fmt.Sprintf("%s[%d]", at.text, i), key, item))...)
		}
	}
	return open
}

func (f fill) below(text, step string, value *manifest.Node) fill {
	return fill{text, append(slices.Clone(f.steps), step), f.template, value}
}

// hold takes fills out of the model.
func (a *application) hold() {
	for _, f := range a.held {
		n := a.model.Node
		if f.template {
			n = a.model.template()
		}
		remove(n, "", f.steps)
	}
}

// filling is the search for what of a profile goes with what a workload says.
type filling struct {
	changer *changer
	rules   *lint.Rules
	apply   func(held []fill) (*application, error) // to the workload as it was
	kept    []lint.Finding                          // what may be broken: the workload breaks it itself
	held    []fill
	left    int                     // how much is broken without what is held
	why     map[string]lint.Finding // by text of what is held: what breaks with it
}

// fill applies the profile to a workload. What would break a rule of severity error that the
// workload keeps is left open: no value of the workload's own is to give way to what nobody
// asked for. Where fills break a rule, those that the request does not ask for are held back,
// and what goes well is given then: by halves, so that the tries are few, and twice, since one
// may need another.
func (c *changer) fill(rules *lint.Rules, w target, with func(parameters *manifest.Node, held []fill) *application) (*application, error) {
	before := w.Node.Clone()
	apply := func(parameters *manifest.Node, held []fill) (*application, error) {
		*w.Node = *before.Clone()
		a := with(parameters, held)
		return a, a.run()
	}
	s := filling{changer: c, rules: rules, kept: c.broken(rules, w, nil), why: map[string]lint.Finding{}}
	s.apply = func(held []fill) (*application, error) { return apply(c.request.Parameters, held) }
	a, broken, _, err := s.try(nil)
	if err != nil || len(broken) == 0 {
		return a, err
	}
	s.held = a.fills
	if plain, err := apply(nil, nil); err == nil {
		s.held = slices.DeleteFunc(s.held, func(f fill) bool { return !slices.ContainsFunc(plain.fills, f.is) })
	}
	if err := s.search(); err != nil {
		return nil, err
	}
	if a, _, _, err = s.try(s.held); err == nil {
		s.say(a)
	}
	return a, err
}

// search finds what must be held of all that is.
func (s *filling) search() error {
	_, broken, left, err := s.try(s.held)
	if err != nil {
		return err
	}
	s.kept, s.left = append(s.kept, broken...), left+len(broken) // by what is asked for, or stands beside it
	for range 2 {
		if err := s.give(slices.Clone(s.held)); err != nil {
			return err
		}
	}
	return nil
}

// try applies the profile without what is held. It returns what breaks by that, and how much
// is left of what may be broken.
func (s *filling) try(held []fill) (a *application, broken []lint.Finding, left int, err error) {
	if a, err = s.apply(held); err != nil {
		return nil, nil, 0, err
	}
	for _, f := range s.changer.broken(s.rules, a.workload, a.added) {
		if slices.ContainsFunc(s.kept, func(k lint.Finding) bool { return sameField(f, k) }) {
			left++
		} else {
			broken = append(broken, f)
		}
	}
	return a, broken, left, nil
}

// sameField reports whether two findings are of one rule at one field, which may be open in one.
func sameField(a, b lint.Finding) bool {
	return a.Code == b.Code && (strings.HasPrefix(a.Path, b.Path) || strings.HasPrefix(b.Path, a.Path))
}

// give lets go of those of a group that break nothing. One that mends as much as it breaks
// goes, too: the rest is repaired.
func (s *filling) give(group []fill) error {
	if len(group) == 0 {
		return nil
	}
	held := slices.DeleteFunc(slices.Clone(s.held), func(f fill) bool { return slices.ContainsFunc(group, f.is) })
	_, broken, left, err := s.try(held)
	switch {
	case err != nil:
		return err
	case len(broken) == 0, len(group) == 1 && len(broken)+left <= s.left:
		s.held, s.kept, s.left = held, append(s.kept, broken...), len(broken)+left
		return nil
	case len(group) == 1:
		s.why[group[0].text] = broken[0]
		return nil
	}
	if err := s.give(group[:len(group)/2]); err != nil {
		return err
	}
	return s.give(group[len(group)/2:])
}

// say notes what is held.
func (s *filling) say(a *application) {
	for _, f := range s.held {
		why := s.why[f.text]
		a.note(diag.Warning, f.text, "%s is left open: with what the profile has, %s", f.text, why.Message)
		r := &a.results[len(a.results)-1]
		r.Code, r.Hint = why.Code, why.Hint
	}
}

// broken are the rules of severity error that a workload breaks beside all that there are, and
// what is added.
func (c *changer) broken(rules *lint.Rules, w target, added []*manifest.Object) []lint.Finding {
	return c.judge(rules, append(slices.Clip(c.objects), added...), []*manifest.Object{w.Object})
}
