package mysql_test

import (
	"testing"

	driver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
)

// market is a design with what the rules of this dialect are about.
func market(t *testing.T) *designer.Schema {
	t.Helper()
	s := designer.New(mysql.Dialect(), &designer.Options{DefaultSchema: "app"})
	apply(t, s, `[
		{"op":"add_table","table":{"name":"customer"},"initialColumns":[
			{"name":"id","dataType":"int","isPrimaryKey":true,"isIdentity":true},
			{"name":"region","dataType":"int"},{"name":"code","dataType":"char(3)","defaultValue":"concat(region, 'x')"}]},
		{"op":"add_table","table":{"name":"purchase"},"initialColumns":[
			{"name":"id","dataType":"int","isPrimaryKey":true},{"name":"customer_id","dataType":"int"},{"name":"other","dataType":"int"}]},
		{"op":"add_foreign_key","table":{"name":"purchase"},"foreignKey":{"name":"fk_customer",
			"referencedTable":{"name":"customer"},"mappings":[{"column":"customer_id","referencedColumn":"id"}]}}]`)
	return s
}

func TestDesignsThatMySQLCannotCreateAreRefused(t *testing.T) {
	const title = "MySQL/MariaDB"
	for name, c := range map[string]struct{ edit, message string }{
		"an identity that no key begins with": {
			`{"op":"add_column","table":{"name":"purchase"},"column":{"name":"n","dataType":"int","isIdentity":true}}`,
			"Column 'n' is an identity column: on " + title + " it has to be the first column of the primary key or of an index"},
		"an identity that loses its key": {
			`{"op":"set_column","table":{"name":"customer"},"column":{"name":"id"},"set":{"isPrimaryKey":false}}`,
			"Column 'id' is an identity column: on " + title + " it has to be the first column of the primary key or of an index"},
		"an identity that begins elsewhere": {
			`{"op":"set_column","table":{"name":"customer"},"column":{"name":"id"},"set":{"identitySeed":100}}`,
			"Column 'id': an identity column counts from 1 by 1 on " + title + ", which keeps no identitySeed or identityIncrement: leave them out"},
		"a partial index": {
			`{"op":"add_index","table":{"name":"purchase"},"index":{"columns":["other"],"where":"other > 1"}}`,
			"An index takes no where on " + title + ": leave it out"},
		"a foreign key without its index": {
			`{"op":"drop_index","table":{"name":"purchase"},"index":{"name":"fk_customer"}}`,
			"Foreign key 'fk_customer' of table 'app.purchase' needs an index that begins with its columns: add another one first, or drop the key"},
		"an index that no longer serves a foreign key": {
			`{"op":"set_index","table":{"name":"purchase"},"index":{"name":"fk_customer"},"set":{"columns":["other","customer_id"]}}`,
			"Foreign key 'fk_customer' of table 'app.purchase' needs an index that begins with its columns: add another one first, or drop the key"},
		"set default": {
			`{"op":"set_foreign_key","table":{"name":"purchase"},"foreignKey":{"name":"fk_customer"},"set":{"onDeleteAction":"set_default"}}`,
			"Foreign key action 'set_default' is not available on " + title + ": use cascade, no_action, set_null, restrict"},
		"a column that a default value names": {
			`{"op":"drop_column","table":{"name":"customer"},"column":{"name":"region"}}`,
			"Column 'region' cannot be dropped: 'default value of column code' uses it; change or drop that first"},
	} {
		t.Run(name, func(t *testing.T) {
			s := market(t)
			version := s.Version()
			_, refused := s.Apply(decode(t, "["+c.edit+"]")[0])
			require.NotNil(t, refused)
			assert.Equal(t, c.message, refused.Message)
			assert.Equal(t, version, s.Version())
			assert.NoError(t, s.Check())
		})
	}
}

func TestAForeignKeyBringsTheIndexThatTheServerWouldMake(t *testing.T) {
	s := market(t)
	table := func() designer.TableDefinition { return s.Definition().Tables[1] }
	own := designer.IndexDefinition{Name: "fk_customer", Parts: []designer.IndexKeyDefinition{{Column: "customer_id"}}}
	require.Equal(t, []designer.IndexDefinition{own}, table().Indexes)

	apply(t, s, `[{"op":"add_foreign_key","table":{"name":"purchase"},"foreignKey":{"name":"fk_again",
		"referencedTable":{"name":"customer"},"mappings":[{"column":"customer_id","referencedColumn":"id"}]}}]`)
	assert.Equal(t, []designer.IndexDefinition{own}, table().Indexes, "one index serves both")

	apply(t, s, `[{"op":"drop_foreign_key","table":{"name":"purchase"},"foreignKey":{"name":"fk_again"}},
		{"op":"set_foreign_key","table":{"name":"purchase"},"foreignKey":{"name":"fk_customer"},"set":{
			"mappings":[{"column":"other","referencedColumn":"id"}]}}]`)
	require.Len(t, table().Indexes, 2, "the old one stays, as on the server")
	assert.Equal(t, designer.IndexDefinition{Name: "fk_customer_2", Parts: []designer.IndexKeyDefinition{{Column: "other"}}}, table().Indexes[1])

	apply(t, s, `[{"op":"drop_index","table":{"name":"purchase"},"index":{"name":"fk_customer"}},
		{"op":"add_index","table":{"name":"purchase"},"index":{"name":"wide","columns":[{"name":"other","descending":true},"id"]}},
		{"op":"drop_index","table":{"name":"purchase"},"index":{"name":"fk_customer_2"}}]`)
	assert.Len(t, table().Indexes, 1, "a wider one serves")
	assert.NoError(t, s.Check())
}

func TestACompositeForeignKeyFollowsTheOrderOfTheKeyItRefersTo(t *testing.T) {
	s := designer.New(mysql.Dialect(), &designer.Options{DefaultSchema: "app"})
	apply(t, s, `[
		{"op":"add_table","table":{"name":"p"},"initialColumns":[
			{"name":"a","dataType":"int","isPrimaryKey":true},{"name":"b","dataType":"int","isPrimaryKey":true}]},
		{"op":"add_table","table":{"name":"c"},"initialColumns":[{"name":"x","dataType":"int"},{"name":"y","dataType":"int"}]},
		{"op":"add_foreign_key","table":{"name":"c"},"foreignKey":{"name":"fk","referencedTable":{"name":"p"},
			"mappings":[{"column":"x","referencedColumn":"b"},{"column":"y","referencedColumn":"a"}]}}]`)
	c := s.Definition().Tables[0]
	assert.Equal(t, []designer.NameMapping{{Column: "y", ReferencedColumn: "a"}, {Column: "x", ReferencedColumn: "b"}}, c.ForeignKeys[0].Mappings)
	assert.Equal(t, []designer.IndexKeyDefinition{{Column: "y"}, {Column: "x"}}, c.Indexes[0].Parts)
}

func TestARenamedColumnIsFollowedInDefaultsAndColumnChecks(t *testing.T) {
	def := designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{
		{Name: "a", DataType: "int", IsNullable: true},
		{Name: "b", DataType: "int", DefaultValue: "`a` + 1", Options: map[string]string{mysql.OptionCheck: "`b` > `a`"}},
	}}}}
	s := build(t, def)
	apply(t, s, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"name":"a b"}}]`)
	b := s.Definition().Tables[0].Columns[1]
	assert.Equal(t, "`a b` + 1", b.DefaultValue)
	assert.Equal(t, "`b` > `a b`", b.Options[mysql.OptionCheck])
	assert.Equal(t, "`b` > `a`", def.Tables[0].Columns[1].Options[mysql.OptionCheck], "the definition is the caller's")
}

// The server refuses such a name, and of a default or a value it keeps a
// question mark without a word.
func TestCharactersThatTheCatalogueCannotKeepAreRefused(t *testing.T) {
	db := newDatabase(t)
	_, err := db.Exec("CREATE TABLE `😀 x` (id int)")
	var refused *driver.MySQLError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, uint16(1300), refused.Number)
	exec(t, db, "CREATE TABLE t (id int PRIMARY KEY, kept varchar(9) DEFAULT '😀', Ü int)")
	assert.Equal(t, "'?'", read(t, db).Tables[0].Columns[1].DefaultValue)
	s := build(t, read(t, db))
	for what, edit := range map[string]string{
		"Table name '😀 x'":           `{"op":"add_table","table":{"name":"😀 x"},"initialColumns":[{"name":"id","dataType":"int"}]}`,
		"Column name 'Ürder 😀'":      `{"op":"add_column","table":{"name":"t"},"column":{"name":"Ürder 😀","dataType":"int"}}`,
		"Index name 'i😀'":            `{"op":"add_index","table":{"name":"t"},"index":{"name":"i😀","columns":["Ü"]}}`,
		"Check name 'c😀'":            `{"op":"add_check","table":{"name":"t"},"check":{"name":"c😀","expression":"id > 0"}}`,
		"The values of column 'e'":   `{"op":"add_column","table":{"name":"t"},"column":{"name":"e","dataType":"enum('a','😀')"}}`,
		"defaultValue of column 'Ü'": `{"op":"set_column","table":{"name":"t"},"column":{"name":"Ü"},"set":{"defaultValue":"'😀'"}}`,
	} {
		_, err := s.Apply(decode(t, "["+edit+"]")[0])
		require.NotNil(t, err, what)
		assert.Equal(t, what+" has the character 😀 (U+1F600), which MySQL/MariaDB cannot keep there: use characters up to U+FFFF", err.Message)
	}
	for _, def := range []designer.TableDefinition{ // what a file may say and no edit
		{Name: "new", Columns: []designer.Column{{Name: "i", DataType: "int", Comment: "😀"}}},
		{Name: "new", Columns: []designer.Column{{Name: "i", DataType: "varchar", MaxLength: "9", DefaultValue: "'😀'"}}},
		{Name: "new", Columns: []designer.Column{{Name: "i", DataType: "enum", Values: []string{"😀"}}}},
		{Name: "new", Comment: "😀", Columns: []designer.Column{{Name: "i", DataType: "int"}}},
	} {
		_, err := s.Import(designer.Definition{Tables: []designer.TableDefinition{def}}, false)
		require.NotNil(t, err, "%+v", def)
		assert.Contains(t, err.Message, "which MySQL/MariaDB cannot keep there")
	}
	publish(t, db, `[{"op":"set_table","table":{"name":"t"},"set":{"name":"Ürder €"}}]`)
}
