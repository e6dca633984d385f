package source

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/pool"
)

func TestASourceNamesItsDatabaseAsTheContractDoes(t *testing.T) {
	c := sourcesOf(t, Options{}, []pool.Config{
		{Name: "lite", Path: "data/a.db"},
		{Name: "pg", Dialect: "postgres", Address: dial.Address{Host: "db.example", Port: 5433, Database: "shop"}},
		{Name: "pgschema", Dialect: "postgres", Address: dial.Address{Database: "shop", Params: map[string]string{"search_path": "App, public"}}},
		{Name: "pguser", Dialect: "postgres", Address: dial.Address{Database: "shop", Params: map[string]string{"search_path": `"$user", public`}}},
		{Name: "my", Dialect: "mysql", Address: dial.Address{Database: "Shop"}},
		{Name: "ms", Dialect: "mssql", Address: dial.Address{Host: "h", Database: "shop"}},
		{Name: "named", Dialect: "mssql", Address: dial.Address{Host: "h", Instance: "EXPRESS", Database: "shop"}},
	}...)
	for name, want := range map[string]struct {
		target designer.Target
		schema string
	}{
		"lite":     {designer.Target{Server: "sqlite", Database: "data/a.db"}, "main"},
		"pg":       {designer.Target{Server: "db.example:5433", Database: "shop"}, "public"},
		"pgschema": {designer.Target{Server: "127.0.0.1:5432", Database: "shop"}, "app"},
		"pguser":   {designer.Target{Server: "127.0.0.1:5432", Database: "shop"}, "public"},
		"my":       {designer.Target{Server: "127.0.0.1:3306", Database: "Shop"}, "Shop"},
		"ms":       {designer.Target{Server: "h:1433", Database: "shop"}, "dbo"},
		"named":    {designer.Target{Server: `h\EXPRESS`, Database: "shop"}, "dbo"},
	} {
		s, err := c.Source(t.Context(), name)
		require.NoError(t, err)
		assert.Equal(t, want.target, s.Target(), name)
		assert.Equal(t, want.schema, s.DefaultSchema(), name)
	}
}
