package schemas_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/e2e/schemas"
)

// leaves are the shapes of which an export leaves something out that may hold
// a secret: part of each note, with part of the statement that pg_dump has and
// the copy has not.
var leaves = map[string]map[string]string{
	"foreign table": {"The user mapping of ": "CREATE USER MAPPING ", "The option password of the server office_": "CREATE SERVER "},
}

// isSecret reports whether a note is one of leaves.
func isSecret(note string) bool {
	for _, all := range leaves {
		for begin := range all {
			if strings.HasPrefix(note, begin) {
				return true
			}
		}
	}
	return false
}

// TestACopyHasTheDumpOfItsOriginal asks the server's own program whether a
// copy is what it was made of. What is not must be said.
func TestACopyHasTheDumpOfItsOriginal(t *testing.T) {
	needs.Program(t, "pg_dump")
	tr := trips["postgres"]
	db, dsn := enginetest.Postgres().New(t)
	def := tr.make(t, db, schemas.Options{Tables: 1})
	s, err := designer.Build(postgres.Dialect(), def, nil)
	require.NoError(t, err)
	plan, err := postgres.Engine{}.Script(s)
	require.NoError(t, err)
	other, otherDSN := enginetest.Postgres().New(t)
	for _, step := range plan.Steps {
		_, err := other.ExecContext(t.Context(), step.Statement)
		assert.NoError(t, err, step.Statement)
	}
	notes := plan.Notes
	lost, added := compare(dumpOf(t, dsn), dumpOf(t, otherDSN))
	for _, all := range leaves {
		for note, statement := range all {
			i := slices.IndexFunc(notes, func(n string) bool { return strings.HasPrefix(n, note) })
			require.GreaterOrEqual(t, i, 0, "no note says %q: %q", note, notes)
			notes = slices.Delete(notes, i, i+1)
			at := slices.IndexFunc(lost, func(l string) bool { return strings.HasPrefix(l, statement) })
			require.GreaterOrEqual(t, at, 0, "%q is noted as left out and is there", statement)
			lost = slices.Delete(lost, at, at+1)
			added = slices.DeleteFunc(added, func(a string) bool { return strings.HasPrefix(a, statement) })
		}
	}
	assert.Empty(t, notes)
	assert.Empty(t, lost, "the copy lacks")
	assert.Empty(t, added, "the copy has besides")
}

// dumpOf lists the statements of pg_dump, sorted: oids decide their order.
func dumpOf(t *testing.T, dsn string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "pg_dump", "-s", "--no-owner", "--no-privileges", dsn).CombinedOutput()
	require.NoError(t, err, "%s", out)
	var lines []string
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "--") && !strings.HasPrefix(line, "SET ") && !strings.HasPrefix(line, `\`) && strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	all := strings.Split(strings.Join(lines, ""), ";\n")
	slices.Sort(all)
	return all
}

// compare lists what only a has and what only b has.
func compare(a, b []string) (lost, added []string) {
	count := map[string]int{}
	for _, one := range a {
		count[one]++
	}
	for _, one := range b {
		if count[one]--; count[one] < 0 {
			added = append(added, one)
		}
	}
	for _, one := range a {
		if count[one]--; count[one] >= 0 {
			lost = append(lost, one)
		}
	}
	return lost, added
}
