package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheListOfPublicSchemasIsRead(t *testing.T) {
	all, err := sources(publicSchemas)
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, s := range all {
		assert.Contains(t, dialects, s.dialect, s.name)
		assert.Regexp(t, `^[\w-]+/[\w.-]+$`, s.repo)
		assert.Regexp(t, `^[0-9a-f]{40}$`, s.commit, "a branch moves: %s", s.name)
		assert.NotEmpty(t, s.parts, s.name)
	}
	_, err = sources("postgres sakila\n")
	assert.ErrorContains(t, err, "line 1")
}

// A file of somebody else's must not make, drop or enter other databases.
func TestAFileStaysInItsDatabase(t *testing.T) {
	const text = "/* Drop database if it exists */\nDROP DATABASE IF EXISTS shop;\nCREATE DATABASE shop;\n\\c shop;\nUSE shop;\nDROP SCHEMA s;\nCREATE TABLE t (use_it int);\n"
	file := filepath.Join(t.TempDir(), "a.sql")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	for dialect, leaves := range map[string]*regexp.Regexp{"postgres": otherDatabase, "mysql": otherSchema} {
		path, err := staying(file, leaves)
		require.NoError(t, err)
		defer os.Remove(path)
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Contains(t, string(got), "Drop database if it exists", "a comment stays whole")
		assert.Contains(t, string(got), "CREATE TABLE t (use_it int)")
		assert.NotContains(t, string(got), "DATABASE IF EXISTS", dialect)
		assert.NotContains(t, string(got), "USE shop", dialect)
		assert.Equal(t, dialect == "postgres", strings.Contains(string(got), "DROP SCHEMA"), "a schema is a database on MySQL")
	}
}

func TestDumpsAreComparedWithoutRegardToOrder(t *testing.T) {
	as := func(text string) []string { return statements(text, func(line string) string { return line }) }
	a, b := as("CREATE TABLE a (\n  x int\n);\nCREATE VIEW v;\n"), as("CREATE VIEW v;\n\nCREATE TABLE a (\n  x int\n);\n")
	assert.Empty(t, missing(a, b))
	assert.Equal(t, []string{"- CREATE VIEW v;", "+ CREATE VIEW w;"}, missing(as("CREATE VIEW v;"), as("CREATE VIEW w;")))
}

func TestRowsHaveValuesOfTheirColumnsTypes(t *testing.T) {
	types := []ownType{{Name: "mood", Values: []string{"glad", "it's fine"}}, {Name: "year", Definition: "CREATE DOMAIN public.year AS integer CHECK (true)"}}
	for want, c := range map[string]column{
		"'2'":                   {DataType: "integer"},
		"'row2'":                {DataType: "varchar", MaxLength: "40"},
		"'2001-01-02 10:00:00'": {DataType: "timestamptz"},
		"'it''s fine'":          {DataType: "mood"},
		"'b'":                   {DataType: "enum", Values: []string{"a", "b"}},
		"'{}'":                  {DataType: "text[]"},
	} {
		got, ok := valueOf("postgres", c, types, 2)
		assert.True(t, ok)
		assert.Equal(t, want, got, c.DataType)
	}
	got, _ := valueOf("postgres", column{DataType: "year"}, types, 2)
	assert.Equal(t, "'2'", got, "the domain's own type")
}

// A difference is the export's only if neither the server makes it by itself
// nor a note names it.
func TestDifferencesThatAreNamedAreNotCounted(t *testing.T) {
	notes := []string{"The user mapping of anna on office is left out: it may hold a secret.", "Default privileges are left out: 1."}
	rest, named := unnamed([]string{"- CREATE USER MAPPING FOR anna SERVER office;", "- CREATE VIEW v;", "+ CREATE USER MAPPING FOR eve SERVER office;"}, notes)
	assert.Equal(t, []string{"- CREATE VIEW v;", "+ CREATE USER MAPPING FOR eve SERVER office;"}, rest)
	assert.Equal(t, " but 1 named", named)
	same := dumped("CREATE TABLE t (\n    a character varying(9) DEFAULT NULL::character varying,\n    b time(6) without time zone\n);\n")
	assert.Equal(t, dumped("CREATE TABLE t (\n    a character varying(9),\n    b time without time zone\n);\n"), same)
	assert.NotEqual(t, same, dumped("CREATE TABLE t (\n    a character varying(9) DEFAULT ''::character varying,\n    b time without time zone\n);\n"))
}
