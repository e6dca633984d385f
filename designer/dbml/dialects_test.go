package dbml

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
)

// The dialects by how they keep enums: in the column, as types, or not.
func valuesDialect() *designer.Dialect { return mysql.Dialect() }
func typesDialect() *designer.Dialect  { return postgres.Dialect() }
func plainDialect() *designer.Dialect  { return mssql.Dialect() }

// build makes a schema of a definition that has to be good.
func build(t testing.TB, d *designer.Dialect, def designer.Definition) *designer.Schema {
	t.Helper()
	s, err := designer.Build(d, def, nil)
	require.NoError(t, err)
	require.NoError(t, s.Check())
	return s
}

// read parses and builds what has to be DBML.
func read(t testing.TB, d *designer.Dialect, text string) *designer.Schema {
	t.Helper()
	def, err := Parse(text, d)
	require.NoError(t, err)
	return build(t, d, def.Definition)
}

// tableOf returns a table that has to be there, by names.
func tableOf(t testing.TB, s *designer.Schema, name string) designer.TableDefinition {
	t.Helper()
	table, err := s.Table(designer.TableRef{Name: name})
	require.Nil(t, err)
	return s.DefineTable(table)
}
