package postgres

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// publish makes a plan, which has to succeed.
func publish(t testing.TB, db *sql.DB, p designer.Plan) {
	t.Helper()
	err := Engine{}.Publish(context.Background(), db, p, 0, nil)
	require.NoError(t, err, "%s", p.Script())
}

// remake makes what s is in an empty database and reads it.
func remake(t *testing.T, s *designer.Schema) (designer.Plan, *designer.Schema) {
	t.Helper()
	p, err := Engine{}.Script(s)
	require.NoError(t, err)
	db := open(t, "")
	publish(t, db, p)
	return p, read(t, db)
}

func TestAScriptMakesEverythingAnew(t *testing.T) {
	s := read(t, open(t, file(t, "everything.sql")))
	p, again := remake(t, s)
	golden(t, "everything.script.sql", p.Script())
	assert.Empty(t, p.Notes)
	want := s.Definition()
	for i := range want.Views {
		want.Views[i].Grants = nil
	}
	assert.Equal(t, want, again.Definition())
	assert.Equal(t, s.Version(), again.Version())
}

func TestAScriptMakesChinookAnew(t *testing.T) {
	dir := os.Getenv("BERTH_TEST_DATA")
	if dir == "" {
		return // sample data is extra: the tests on our own scripts require the server
	}
	text, err := os.ReadFile(filepath.Join(dir, "chinook", "Chinook_PostgreSql_SerialPKs.sql"))
	require.NoError(t, err)
	_, tables, found := strings.Cut(string(text), `\c chinook_serial;`)
	require.True(t, found)
	s := read(t, open(t, tables))
	require.Equal(t, 11, s.Len())
	_, again := remake(t, s)
	assert.Equal(t, s.Definition(), again.Definition())
	assert.Equal(t, s.Version(), again.Version())
}
