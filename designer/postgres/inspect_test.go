package postgres

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

var update = flag.Bool("update", false, "rewrite the expected definitions and plans")

// file reads a file of testdata.
func file(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(text)
}

// golden compares with a file of testdata.
func golden(t testing.TB, name, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(filepath.Join("testdata", name), []byte(got), 0o644))
	}
	assert.Equal(t, file(t, name), got)
}

func TestInspectReadsEverythingAScriptSays(t *testing.T) {
	t.Parallel()
	def, err := Inspect(context.Background(), open(t, file(t, "everything.sql")))
	require.NoError(t, err)
	got, err := json.MarshalIndent(def, "", "\t")
	require.NoError(t, err)
	golden(t, "everything.json", string(got)+"\n")

	schema, err := designer.Build(Dialect(), def, &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err, "the designer takes what is read")
	require.NoError(t, schema.Check())
	again, err := designer.Build(Dialect(), schema.Definition(), &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err)
	assert.Equal(t, schema.Version(), again.Version())
}

// The catalogues grow with the schema. A query that scans one for each row of
// another takes the square of the time.
func TestNoQueryScansACatalogueForEachRow(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	tx, err := db.Begin()
	require.NoError(t, err)
	defer func() { _ = tx.Rollback() }()
	v, err := readSettings(t.Context(), tx)
	require.NoError(t, err)
	_, err = tx.Exec("SET LOCAL enable_seqscan = off") // scans remain where there is no index
	require.NoError(t, err)
	of := regexp.MustCompile(`Filter: .*\b[a-z]\w*\.[a-z]`) // a column of another relation
	for name, query := range map[string]string{
		"schemas": schemaQuery(), "relations": relationQuery(everyTable), "types": typeQuery(everyTable), "columns": columnQuery(v, everyTable), "sequences": sequenceQuery(everyTable),
		"constraints": constraintQuery(v, everyTable), "indexes": indexQuery(v, everyTable), "comments": commentQuery(everyTable), "views": viewQuery(v, everyTable), "objects": objectQuery(v, everyPart(v)),
		"rights": rightsQuery(), "rights on columns": columnRightsQuery(), "uses": useQuery,
	} {
		scan := ""
		require.NoError(t, each(t.Context(), tx, "EXPLAIN (COSTS OFF) "+query, func(row scanner) error {
			var line string
			err := row(&line)
			if scan != "" {
				assert.NotRegexp(t, of, line, "%s: %s", name, scan)
			}
			scan = ""
			if strings.Contains(line, "Seq Scan on pg_") {
				scan = line
			}
			return err
		}))
	}
}

func TestInspectReadsAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	def, err := Inspect(context.Background(), open(t, ""))
	require.NoError(t, err)
	assert.Equal(t, designer.Definition{Schemas: []string{"public"}, DefaultSchema: "public", Tables: []designer.TableDefinition{}}, def)
}

// A column and a table that were renamed in the database are the ones that the
// design has renamed: one conflict each, about the name.
func TestARenameOnBothSidesIsOneConflict(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE users (id integer PRIMARY KEY, nickname text, gone text); CREATE INDEX by_nick ON users (nickname); CREATE TABLE other (id integer);
		CREATE TABLE again (id integer, a text)`)
	def, err := Inspect(t.Context(), db)
	require.NoError(t, err)
	base, err := designer.Build(Dialect(), def, nil)
	require.NoError(t, err)
	design := edited(t, base, `[{"op":"set_column","table":{"name":"users"},"column":{"name":"nickname"},"set":{"name":"nick"}},
		{"op":"set_table","table":{"name":"other"},"set":{"name":"ours"}}, {"op":"set_column","table":{"name":"again"},"column":{"name":"a"},"set":{"name":"b"}}]`)
	run(t, db, `ALTER TABLE users RENAME nickname TO nn; ALTER TABLE users DROP gone; ALTER TABLE users ADD more text; ALTER TABLE other RENAME TO theirs;
		DROP TABLE again; CREATE TABLE again (id integer, z text)`)
	def, err = Inspect(t.Context(), db)
	require.NoError(t, err)
	m, err := merge.Definition(base, design, def, nil)
	require.NoError(t, err)
	var told []string
	for _, c := range m.Conflicts {
		told = append(told, fmt.Sprintf("%s: %s %s: %s, %s, %s", c.Table.Name, c.Part, c.What, c.Base, c.Design, c.Database))
	}
	assert.ElementsMatch(t, []string{"users: column nick name: nickname, nick, nn", "ours:  name: other, ours, theirs",
		"again: column b dropped in the database, changed in the design: , , possibly renamed to z"}, told)

	m, err = merge.Definition(base, design, def, func(c merge.Conflict) merge.Side {
		if c.What == "name" {
			return merge.SideDesign
		}
		return merge.SideDatabase
	})
	require.NoError(t, err)
	var statements []string
	for _, s := range planned(t, m.Database, m.Design).Steps {
		statements = append(statements, s.Statement)
	}
	assert.ElementsMatch(t, []string{"ALTER TABLE public.theirs RENAME TO ours", "ALTER TABLE public.users RENAME COLUMN nn TO nick"}, statements,
		"the design's side: no new column, and the index stays")
}

func TestInspectReadsACheckOfNoColumn(t *testing.T) {
	t.Parallel()
	def, err := Inspect(t.Context(), open(t, "CREATE TABLE a (id integer, CONSTRAINT never CHECK (current_setting('a.b', true) IS NULL))"))
	require.NoError(t, err)
	require.Len(t, def.Tables[0].Checks, 1)
	assert.Equal(t, "never", def.Tables[0].Checks[0].Name)
}
