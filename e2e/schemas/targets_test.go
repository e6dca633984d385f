package schemas_test

import (
	"database/sql"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/convert"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/e2e/schemas"
)

// TestEveryTargetLoads takes each shape of each dialect to every other
// dialect, and loads what comes out: on the real server, and for SQL Server in
// a parser, which shows syntax alone. What a target cannot have is to be left
// out with a note, not with an error.
func TestEveryTargetLoads(t *testing.T) {
	targets := map[string]engine.Engine{"mssql": mssql.Engine{}}
	for dialect, tr := range trips {
		targets[dialect] = tr.engine
	}
	for _, from := range slices.Sorted(maps.Keys(trips)) {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			tr := trips[from]
			db, _ := tr.server.New(t)
			def := tr.make(t, db, schemas.Options{Tables: 60})
			s, err := designer.Build(tr.engine.Dialect(), def, nil)
			require.NoError(t, err)
			for _, to := range slices.Sorted(maps.Keys(targets)) {
				if to == from {
					continue
				}
				def, _, err := convert.Convert(s, targets[to].Dialect())
				require.NoError(t, err)
				loads(t, from+" to "+to, script(t, targets[to], def), to)
			}
		})
	}
}

// script is what export writes of a definition.
func script(t *testing.T, e engine.Engine, def designer.Definition) []string {
	t.Helper()
	s, err := designer.Build(e.Dialect(), def, nil)
	require.NoError(t, err)
	plan, err := e.Script(s)
	require.NoError(t, err)
	var out []string
	for _, step := range plan.Steps {
		out = append(out, step.Statement)
	}
	return out
}

// loads runs the statements in an empty database of the dialect, all of them
// on one connection and however many fail.
func loads(t *testing.T, name string, statements []string, dialect string) {
	t.Helper()
	run := func(text string) error {
		_, err := parser.Parse(t.Context(), strings.NewReader(text))
		return err
	}
	if dialect != "mssql" {
		db, _ := trips[dialect].server.New(t)
		conn := only(t, db)
		run = func(text string) error {
			_, err := conn.ExecContext(t.Context(), text)
			return err
		}
	}
	for _, statement := range statements {
		assert.NoError(t, run(statement), "%s: %s", name, statement)
	}
}

func only(t *testing.T, db *sql.DB) *sql.Conn {
	t.Helper()
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
