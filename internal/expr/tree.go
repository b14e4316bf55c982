// SPDX-License-Identifier: Apache-2.0

package expr

// Kind is the kind of a value.
type Kind int

// The kinds. Any is a Kubernetes value that is passed through as the user wrote it.
const (
	Bool Kind = iota
	Int
	String
	List
	Map
	Any
	Nothing // of optional.none(): fits every other kind
)

// Type is a kind, what a List or Map holds, and whether the value may be nothing.
type Type struct {
	Kind     Kind
	Elem     Kind // of List and Map
	Optional bool
}

// Tree is an expression in the small closed form that every target can express:
// a *Literal, a *Ref or a *Call. Every Tree is total: with values that passed the
// parameter schema it has a result, so a target may evaluate both sides of a Cond.
type Tree interface{ Type() Type }

// Literal is a constant string, int64 or bool.
type Literal struct{ Value any }

// Ref is params.a.b, variables.x, workload.name or workload.namespace. A Ref to an optional
// parameter stands only under Has, Opt or behind a presence test.
type Ref struct {
	Path []string // ["params", "image", "tag"]
	// Format is the parameter's format: a quantity or decimal may arrive as a number.
	Format string
	T      Type
}

// Call applies Op to Args.
type Call struct {
	Op   Op
	Args []Tree
	T    Type
}

// Op is an operation. The comment gives the arguments and the result.
type Op string

// The operations.
const (
	Add  Op = "+" // int int: int
	Sub  Op = "-" // int int: int
	Mul  Op = "*" // int int: int
	Div  Op = "/" // int literal: int, truncated towards zero
	Mod  Op = "%" // int literal: int
	Neg  Op = "neg"
	Max  Op = "max" // int...: int
	Min  Op = "min" // int...: int
	Eq   Op = "=="  // two bools, ints or strings: bool
	Ne   Op = "!="
	Lt   Op = "<" // int int: bool
	Le   Op = "<="
	Gt   Op = ">"
	Ge   Op = ">="
	And  Op = "&&" // bool...: bool
	Or   Op = "||" // bool...: bool
	Not  Op = "!"
	Cond Op = "?:" // bool T T: T

	Concat Op = "concat" // string, int or bool...: string; nothing when one of them is nothing
	Text   Op = "string" // int, bool or string: string

	Size     Op = "size"     // list, map or string: int
	NonEmpty Op = "nonempty" // list, map or any: bool, false for null
	OneOf    Op = "oneof"    // x, literal...: bool; x in [literal, ...]
	InList   Op = "inlist"   // string, list of strings: bool
	InMap    Op = "inmap"    // string, map: bool

	StartsWith Op = "startsWith" // string string: bool
	EndsWith   Op = "endsWith"
	Contains   Op = "contains"
	Matches    Op = "matches" // string, literal RE2 pattern: bool, unanchored

	QuantityInt Op = "quantity" // string: int; a quantity in whole units
	Sha256      Op = "sha256"   // string: 64 lower-case hex digits
	Hash        Op = "hash"     // string: the first 8 of them
	JSON        Op = "json"     // list, map or any: string; its JSON with sorted keys
	AtLeast     Op = "atLeast"  // literal "1.35": bool; the cluster's version is at least that

	Has     Op = "has"     // ref: bool; the parameter is not absent
	Opt     Op = "opt"     // ref: optional; the parameter, or nothing when it is absent
	Some    Op = "some"    // T: optional T
	None    Op = "none"    // nothing
	OrValue Op = "orValue" // optional T, T: T
)

// Type returns the literal's type.
func (l *Literal) Type() Type {
	switch l.Value.(type) {
	case bool:
		return Type{Kind: Bool}
	case int64:
		return Type{Kind: Int}
	}
	return Type{Kind: String}
}

// Type returns the referenced value's type.
func (r *Ref) Type() Type { return r.T }

// Type returns the result's type.
func (c *Call) Type() Type { return c.T }

// Split parts an optional tree into the test for its presence, nil when it is always
// present, and the value, which is meant only where the test holds. Neither holds an
// optional operation but Has; OrValue is written as Cond.
func Split(t Tree) (presence, value Tree) {
	call, ok := t.(*Call)
	if !ok {
		return nil, t
	}
	switch call.Op {
	case Opt:
		return &Call{Op: Has, Args: call.Args, T: Type{Kind: Bool}}, call.Args[0]
	case Some:
		_, value = Split(call.Args[0])
		return nil, value
	case None:
		return &Literal{false}, &Literal{""}
	case OrValue:
		p, v := Split(call.Args[0])
		_, other := Split(call.Args[1])
		if p == nil {
			return nil, v
		}
		return nil, &Call{Op: Cond, Args: []Tree{p, v, other}, T: call.T}
	case Cond:
		return splitCond(call)
	}
	args := make([]Tree, len(call.Args))
	var tests []Tree
	for i, a := range call.Args {
		var p Tree
		if p, args[i] = Split(a); p != nil {
			tests = append(tests, p)
		}
	}
	typ := call.T
	typ.Optional = false
	return All(tests...), &Call{Op: call.Op, Args: args, T: typ}
}

func splitCond(c *Call) (presence, value Tree) {
	_, test := Split(c.Args[0])
	pa, va := Split(c.Args[1])
	pb, vb := Split(c.Args[2])
	typ := c.T
	typ.Optional = false
	switch {
	case pa == nil && pb == nil:
		return nil, &Call{Op: Cond, Args: []Tree{test, va, vb}, T: typ}
	case isFalse(pb):
		return All(test, pa), va
	case isFalse(pa):
		return All(Negate(test), pb), vb
	}
	value = &Call{Op: Cond, Args: []Tree{test, va, vb}, T: typ}
	return Either(All(test, pa), All(Negate(test), pb)), value
}

func isFalse(t Tree) bool {
	l, ok := t.(*Literal)
	return ok && l.Value == false
}

// All is the conjunction of the tests; nil, which is always true, when there are none.
func All(tests ...Tree) Tree { return join(And, tests, true) }

// Either is the disjunction of the tests; nil, always true, if one of them is nil.
func Either(tests ...Tree) Tree {
	for _, t := range tests {
		if t == nil {
			return nil
		}
	}
	return join(Or, tests, false)
}

// join flattens, drops nil and the neutral literal, and answers nil for no tests.
func join(op Op, tests []Tree, neutral bool) Tree {
	var args []Tree
	for _, t := range tests {
		switch x := t.(type) {
		case nil:
		case *Literal:
			if x.Value != neutral && op == Or {
				return nil
			}
			if x.Value != neutral {
				return x
			}
		case *Call:
			if x.Op == op {
				args = append(args, x.Args...)
			} else {
				args = append(args, x)
			}
		default:
			args = append(args, t)
		}
	}
	args = unique(args)
	switch {
	case len(args) == 1:
		return args[0]
	case len(args) == 0 && op == Or:
		return &Literal{false}
	case len(args) == 0:
		return nil
	}
	return &Call{Op: op, Args: args, T: Type{Kind: Bool}}
}

// Negate is the logical complement.
func Negate(t Tree) Tree {
	if l, ok := t.(*Literal); ok {
		return &Literal{l.Value == false}
	}
	if c, ok := t.(*Call); ok && c.Op == Not {
		return c.Args[0]
	}
	return &Call{Op: Not, Args: []Tree{t}, T: Type{Kind: Bool}}
}

// unique drops tests that stand twice, keeping the first.
func unique(tests []Tree) []Tree {
	seen := map[string]bool{}
	var out []Tree
	for _, t := range tests {
		if key := Key(t); !seen[key] {
			seen[key] = true
			out = append(out, t)
		}
	}
	return out
}
