// SPDX-License-Identifier: Apache-2.0

package expr

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/api/resource"

	"kilter.dev/kilter/internal/kube"
)

// functions are Kilter's own beside those of Kubernetes' CEL environment:
//
//	sha256("a")            64 lower-case hex digits
//	hash("a")              the first 8 of them; of a list or map both take the JSON
//	json(["a"])            the JSON of a list or map: sorted keys, no blanks
//	file("start.sh")       the text of files/start.sh of the profile
//	kube.atLeast("1.35")   the cluster's version is 1.35 or newer
//
// quantity(x).asInteger() is Kubernetes' own in form, but never fails: it is the value
// in whole units, a fraction rounded up, as resource.Quantity.Value gives it.
func functions(files map[string]string) []cel.EnvOption {
	unary := func(name string, f func(string) ref.Val) cel.EnvOption {
		return cel.Function(name, cel.Overload(name+"_string", []*cel.Type{cel.StringType}, cel.StringType,
			cel.UnaryBinding(func(v ref.Val) ref.Val { return f(v.Value().(string)) })))
	}
	return []cel.EnvOption{
		digest("sha256", 64),
		digest("hash", 8),
		ofJSON("json", func(s string) string { return s }),
		unary("file", func(name string) ref.Val {
			text, ok := files[name]
			if !ok {
				return types.NewErr("no file %q", name)
			}
			return types.String(text)
		}),
		cel.Macros(cel.ReceiverMacro("asInteger", 0, wholeUnits)),
		cel.Function(wholeUnitsFunction, cel.Overload("whole_units_string", []*cel.Type{cel.StringType}, cel.IntType,
			cel.UnaryBinding(func(v ref.Val) ref.Val {
				q, err := resource.ParseQuantity(v.Value().(string))
				if err != nil {
					return types.NewErr("%q is not a quantity", v.Value())
				}
				return types.Int(q.Value())
			}))),
		cel.Function("atLeast", cel.MemberOverload("kube_at_least_string",
			[]*cel.Type{cel.StringType, cel.StringType}, cel.BoolType,
			cel.BinaryBinding(func(version, want ref.Val) ref.Val {
				return types.Bool(kube.AtLeast(version.Value().(string), want.Value().(string)))
			}))),
	}
}

// digest is a function that gives the first digits of a SHA-256.
func digest(name string, digits int) cel.EnvOption {
	first := func(s string) string { return Digest(s)[:digits] }
	return ofJSON(name, first, cel.Overload(name+"_string", []*cel.Type{cel.StringType}, cel.StringType,
		cel.UnaryBinding(func(v ref.Val) ref.Val { return types.String(first(v.Value().(string))) })))
}

// ofJSON is a function of the JSON of a list or map, with further overloads.
func ofJSON(name string, f func(string) string, more ...cel.FunctionOpt) cel.EnvOption {
	of := func(argument string, t *cel.Type) cel.FunctionOpt {
		return cel.Overload(name+"_"+argument, []*cel.Type{t}, cel.StringType, cel.UnaryBinding(func(v ref.Val) ref.Val {
			s, err := asJSON(v)
			if err != nil {
				return types.WrapErr(err)
			}
			return types.String(f(s))
		}))
	}
	item := cel.TypeParamType("T")
	return cel.Function(name, append(more, of("list", cel.ListType(item)), of("map", cel.MapType(cel.StringType, item)))...)
}

// asJSON is a list or map as Helm's toJson prints it: keys sorted, no blanks.
func asJSON(v ref.Val) (string, error) {
	text, err := json.Marshal(v.Value())
	return string(text), err
}

const wholeUnitsFunction = "@wholeUnits"

// wholeUnits expands quantity(x).asInteger().
func wholeUnits(f cel.MacroExprFactory, target ast.Expr, _ []ast.Expr) (ast.Expr, *cel.Error) {
	if target.Kind() != ast.CallKind || target.AsCall().FunctionName() != "quantity" || len(target.AsCall().Args()) != 1 {
		return nil, f.NewError(target.ID(), "asInteger takes quantity(text)")
	}
	return f.NewCall(wholeUnitsFunction, target.AsCall().Args()...), nil
}

// Digest is the SHA-256 of s as 64 lower-case hex digits.
func Digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
