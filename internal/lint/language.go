// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"regexp"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"
	"k8s.io/apiserver/pkg/cel/library"
)

// Language returns CEL as API servers since Kubernetes 1.32 read it, with the names as
// variables of any type. These are the libraries of k8s.io/apiserver/pkg/cel/environment
// for that version; that they are, a test says. Unlike there, what an evaluation costs is
// not counted, as nobody else waits for it: counting takes twice as long as evaluating.
func Language(names ...string) (*cel.Env, error) {
	options := []cel.EnvOption{
		cel.HomogeneousAggregateLiterals(),
		cel.DefaultUTCTimeZone(true),
		cel.CrossTypeNumericComparisons(true),
		cel.OptionalTypes(),
		ext.Strings(ext.StringsVersion(2)),
		ext.Sets(),
		ext.TwoVarComprehensions(),
		library.URLs(),
		library.Regex(),
		library.Lists(library.ListsVersion(0)),
		library.Authz(),
		library.AuthzSelectors(),
		library.Quantity(),
		library.IP(),
		library.CIDR(),
		library.Format(),
		cel.Lib(optimized{}),
	}
	for _, name := range names {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	return cel.NewEnv(options...)
}

// optimized says that constants are computed once, and regular expressions compiled once,
// also those that are no constants: most of them are variables.
type optimized struct{}

func (optimized) CompileOptions() []cel.EnvOption { return nil }

func (optimized) ProgramOptions() []cel.ProgramOption {
	return []cel.ProgramOption{
		cel.EvalOptions(cel.OptOptimize), cel.CustomDecorator((&patterns{}).matches), cel.CustomDecorator((&indexes{}).places),
	}
}

// patterns are regular expressions that were compiled.
type patterns struct{ compiled sync.Map }

// matches makes calls of matches use them.
func (p *patterns) matches(i interpreter.Interpretable) (interpreter.Interpretable, error) {
	call, ok := i.(interpreter.InterpretableCall)
	if !ok || call.Function() != overloads.Matches || len(call.Args()) != 2 {
		return i, nil
	}
	return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), func(args ...ref.Val) ref.Val {
		text, ok := args[0].(types.String)
		pattern, ok2 := args[1].(types.String)
		if !ok || !ok2 {
			return types.NoSuchOverloadErr()
		}
		if known, ok := p.compiled.Load(pattern); ok {
			return types.Bool(known.(*regexp.Regexp).MatchString(string(text)))
		}
		compiled, err := regexp.Compile(string(pattern))
		if err != nil {
			return types.NewErr("%v", err)
		}
		p.compiled.Store(pattern, compiled)
		return types.Bool(compiled.MatchString(string(text)))
	}), nil
}
