package enginetest

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// Target is the dialect under test.
type Target struct {
	Engine engine.Engine
	Server Server

	// DefaultSchema is what an empty schema means: "public". MySQL, where the
	// schema is the database, gives any name.
	DefaultSchema string

	// Everything makes, in an empty database, one of each thing the dialect
	// has. Here and in the other scripts a statement ends with a semicolon
	// before an empty line, or with a line "GO".
	Everything string

	// Shop makes the tables that are edited, with the names that the suite
	// knows: see the script of any dialect. Rows are put in by the suite.
	Shop string

	// Samples are scripts of further databases to read, by name.
	Samples map[string]string

	// Carried are scripts of databases with objects that Script cannot render,
	// or in tables that cannot be changed: these must survive edits of other
	// tables.
	Carried map[string]string

	// Schema is a second schema, made by Shop; "" where there can be none.
	Schema string

	// Collation is one that a column may be given; "" where there is none.
	Collation string

	// Text is the type for long texts where it is not to be the first of its
	// kind: that may be one which nothing converts to.
	Text string

	// Unsupported says, by the name of a kind of edit, why the dialect cannot
	// do it. The suite sees that it is refused.
	Unsupported map[string]string

	// Lacks says what the server under test has not that a plan for the diff
	// needs, "" where it has all: of a server that follows the dialect in part.
	// The suite leaves out what needs it and lists it. nil: nothing is lacking.
	Lacks func(d *designer.Diff, p designer.Plan) string

	// Literals write the n-th value of a kind, n > 0, where the dialect does
	// it otherwise than [literal].
	Literals map[designer.TypeKind]func(n int) string
}

// Run shows that the engine does what [engine.Engine] promises. It is called
// from a test at the top level and once per test: the test binary calls itself
// to have a publish killed.
func Run(t *testing.T, target Target) {
	if job := os.Getenv(childVariable); job != "" {
		runChild(t, target, job)
		return
	}
	require.Equal(t, target.Server.Name, target.Engine.Dialect().Name)
	for _, part := range []struct {
		name string
		play func(*testing.T, Target)
	}{{"RoundTrip", roundTrip}, {"Kinds", kindsOfEdits}, {"Carry", carry}, {"Walk", walk}, {"Kill", kill}, {"OneAtATime", oneAtATime}, {"NotReady", notReady}} {
		t.Run(part.name, func(t *testing.T) {
			target.parallel(t)
			part.play(t, target)
		})
	}
}

// lacks says what the server has not that a way from one state to another
// needs, "" where nothing is lacking or there is no way.
func (target Target) lacks(from, to *designer.Schema) string {
	if target.Lacks == nil {
		return ""
	}
	d := designer.DiffOf(from, to)
	p, err := target.Engine.Plan(d)
	if err != nil {
		return ""
	}
	return target.Lacks(d, p)
}

// unsupported says why the dialect cannot do a kind of edit. One without named
// types does none of theirs.
func (target Target) unsupported(name string) (why string, listed bool) {
	why, listed = target.Unsupported[name]
	types := target.Engine.Dialect().NamedTypes
	if len(types.Classes) == 0 && slices.ContainsFunc(namedTypeKinds(), func(k kind) bool { return k.name == name }) {
		return types.Instead, true
	}
	return why, listed
}

// makes reports whether the dialect has what an operation is about.
func (target Target) makes(op designer.Op) bool {
	return !op.IsOfType() || len(target.Engine.Dialect().NamedTypes.Classes) > 0
}

// parallel lets the test run beside others: each waits for the server most of
// the time. A server that follows the dialect in part may not bear it:
// Babelfish makes one database at a time, and its catalogue fails beneath
// those who read it while others drop.
func (target Target) parallel(t *testing.T) {
	if target.Lacks == nil {
		t.Parallel()
	}
}

// build makes a schema of what was read.
func (target Target) build(t testing.TB, def designer.Definition) *designer.Schema {
	t.Helper()
	s, err := designer.Build(target.Engine.Dialect(), def, &designer.Options{DefaultSchema: target.DefaultSchema})
	require.NoError(t, err)
	return s
}
