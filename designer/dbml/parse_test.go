package dbml

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqlite"
)

// blog has every form that the language's documentation shows, in our words.
const blog = `/* a comment
of two lines */
Project blog {
  database_type: 'Oracle'
  Note: '''
    # A blog
    '''
}
// TABLES
Table users as U [headerColor: #3498DB, note: 'who writes'] {
  id integer [primary key, increment]
  username varchar(255) [not null, unique]
  role string [default: 'writer', note: '''
    what they may do
      and not
  ''']
  rating integer [default: 10, check: ` + "`rating > 0`, check: `rating < 11`" + `]
  paid bool [default: false]
  made timestamp [default: ` + "`now()`" + `, null]
}
tablepartial stamped [note: 'kept'] {
  made datetime [not null]
  removed datetime
  indexes { made }
}
Table core.posts {
  id bigint pk
  ~stamped
  "the title" "varchar(20)" [not null]
  made date
  author integer [ref: > U.id, not null]
  status post_status [default: post_status.open]
  grade core.grade
  checks {
    ` + "`id > 0` [name: 'positive']" + `
  }
  indexes {
    (id, author) [unique]
    author [name: 'by_author', note: 'x', type: hash]
    (` + "`id*2`, author)" + `
    grade [type: btree, name: "graded"]
  }
  Note { 'what they wrote' }
  records (id) {
    1
    2, 'x'
  }
}
Table profiles {
  user integer [pk, ref: - users.id]
  x decimal(10, 2) [ref: <> users.id]
}
Table follows {
  a integer
  b integer
  indexes { (a, b) [pk, name: 'pair'] }
}
Table likes { a integer
  b integer }
Enum post_status {
  open [note: 'anyone']
  "not yet"
}
enum core.grade { A
 "A+" }
Ref: follows.a > users.id [delete: cascade, update: no action, color: #fff]
Ref follow_b { users.id < follows.b }
ref pair: likes.(a, b) > follows.(a, b) [delete: set null]
Ref: users.id - likes.a
Ref drawn: likes.b > users.id [inactive]
TableGroup people [color: #eee] { users
  core.posts
  Note: 'x' }
Note sticky { 'x {' }
DiagramView v { Tables { * } }
records users(id) { 1 }
`

func TestEveryFormOfTheLanguageIsRead(t *testing.T) {
	text := strings.ReplaceAll(blog, "  x decimal(10, 2) [ref: <> users.id]\n", "  x decimal(10, 2)\n")
	s := read(t, typesDialect(), text)
	users := tableOf(t, s, "users")
	assert.Equal(t, "who writes", users.Comment)
	assert.Equal(t, &designer.KeyDefinition{Columns: []string{"id"}}, users.PrimaryKey)
	assert.Equal(t, []designer.Column{
		{Name: "id", DataType: "integer", IsIdentity: true, IdentitySeed: 1, IdentityIncrement: 1},
		{Name: "username", DataType: "varchar", MaxLength: "255"},
		{Name: "role", DataType: "varchar", IsNullable: true, DefaultValue: "'writer'", Comment: "what they may do\n  and not"},
		{Name: "rating", DataType: "integer", IsNullable: true, DefaultValue: "10"},
		{Name: "paid", DataType: "boolean", IsNullable: true, DefaultValue: "false"},
		{Name: "made", DataType: "timestamp", Scale: 6, IsNullable: true, DefaultValue: "now()"},
	}, users.Columns)
	assert.Equal(t, []designer.CheckDefinition{{Expression: "rating < 11"}, {Expression: "rating > 0"}}, users.Checks)

	post, err := s.Table(designer.TableRef{Schema: "core", Name: "posts"})
	require.Nil(t, err)
	posts := s.DefineTable(post)
	names := make([]string, len(posts.Columns))
	for i, c := range posts.Columns {
		names[i] = c.Name + " " + s.Dialect().TypeText(c)
	}
	assert.Equal(t, []string{"id bigint", "removed timestamp", "the title varchar(20)", "made date", "author integer", "status post_status", "grade core.grade"}, names,
		"a table's own column goes before the partial's")
	assert.Equal(t, "what they wrote", posts.Comment)
	assert.Equal(t, []designer.IndexDefinition{
		{Parts: []designer.IndexKeyDefinition{{Expression: "id*2"}, {Column: "author"}}},
		{Unique: true, Constraint: true, Parts: []designer.IndexKeyDefinition{{Column: "id"}, {Column: "author"}}},
		{Parts: []designer.IndexKeyDefinition{{Column: "made"}}},
		{Name: "by_author", Method: "hash", Parts: []designer.IndexKeyDefinition{{Column: "author"}}},
		{Name: "graded", Parts: []designer.IndexKeyDefinition{{Column: "grade"}}},
	}, posts.Indexes)
	assert.Equal(t, []designer.CheckDefinition{{Name: "positive", Expression: "id > 0"}}, posts.Checks)
	require.Len(t, posts.ForeignKeys, 1)
	assert.Equal(t, "users", posts.ForeignKeys[0].ReferencedTable.Name)
	assert.Equal(t, "'open'", posts.Columns[5].DefaultValue)
}

func TestRelationshipsBecomeForeignKeysOfTheRightSide(t *testing.T) {
	text := strings.ReplaceAll(blog, "  x decimal(10, 2) [ref: <> users.id]\n", "")
	s := read(t, typesDialect(), text)
	assert.Equal(t, []designer.ForeignKeyDefinition{
		{ReferencedTable: designer.TableRef{Schema: "public", Name: "users"}, OnDelete: designer.Cascade, OnUpdate: designer.NoAction,
			Mappings: []designer.NameMapping{{Column: "a", ReferencedColumn: "id"}}},
		{Name: "follow_b", ReferencedTable: designer.TableRef{Schema: "public", Name: "users"}, OnDelete: designer.NoAction, OnUpdate: designer.NoAction,
			Mappings: []designer.NameMapping{{Column: "b", ReferencedColumn: "id"}}},
	}, tableOf(t, s, "follows").ForeignKeys)
	likes := tableOf(t, s, "likes").ForeignKeys
	require.Len(t, likes, 2)
	assert.Equal(t, "users", likes[0].ReferencedTable.Name, "of two that are one, the right one refers")
	assert.Equal(t, designer.ForeignKeyDefinition{Name: "pair", ReferencedTable: designer.TableRef{Schema: "public", Name: "follows"},
		OnDelete: designer.SetNull, OnUpdate: designer.NoAction,
		Mappings: []designer.NameMapping{{Column: "a", ReferencedColumn: "a"}, {Column: "b", ReferencedColumn: "b"}}}, likes[1])
	require.Len(t, tableOf(t, s, "profiles").ForeignKeys, 1)
	assert.Empty(t, tableOf(t, s, "users").ForeignKeys)
}

func TestEnumsBecomeWhatTheDialectHas(t *testing.T) {
	const text = `Enum mood { sad
	"so, so" }
	Table t { a mood [not null, default: mood.sad] }`
	own := read(t, typesDialect(), text)
	assert.Equal(t, "mood", tableOf(t, own, "t").Columns[0].DataType)
	assert.Equal(t, []designer.Object{{Kind: designer.ObjectType, Schema: "public", Name: "mood", Values: []string{"sad", "so, so"},
		Definition: "CREATE TYPE public.mood AS ENUM ('sad', 'so, so')"}}, own.Objects())

	column := tableOf(t, read(t, valuesDialect(), text), "t").Columns[0]
	assert.Equal(t, designer.Column{Name: "a", DataType: "enum", Values: []string{"sad", "so, so"}, DefaultValue: "'sad'"}, column)

	checked := tableOf(t, read(t, plainDialect(), text), "t")
	assert.Equal(t, "varchar(6)", plainDialect().TypeText(checked.Columns[0]))
	assert.Equal(t, []designer.CheckDefinition{{Expression: "[a] IN ('sad', 'so, so')"}}, checked.Checks)
}

func TestTheUsualTypesAreTakenByTheirMeaning(t *testing.T) {
	const text = `Table t {
		a bool [default: true]
		b uuid
		c timestamp
		d json
		e text
		f integer[]
		g thing(3)
		h thing(3,1)
		i geo.point
		j timestamp [default: ` + "`now()`" + `]
		k uuid [default: ` + "`uuid_generate_v4()`" + `]
		l text [default: ` + "`f('x')`" + `]
	}`
	var got []string
	for _, c := range tableOf(t, read(t, plainDialect(), text), "t").Columns {
		got = append(got, plainDialect().TypeText(c)+" "+c.DefaultValue)
	}
	assert.Equal(t, []string{"bit 1", "uniqueidentifier ", "datetime2 ", "nvarchar(MAX) ", "nvarchar(MAX) ", "integer[] ", "thing(3) ", "thing(3,1) ", "geo.point ",
		"datetime2 sysdatetime()", "uniqueidentifier newid()", "nvarchar(MAX) f('x')"}, got)
	own := read(t, plainDialect(), "Project { database_type: 'SQL Server' }\nTable t { c timestamp }")
	assert.Equal(t, "timestamp", tableOf(t, own, "t").Columns[0].DataType, "the dialect's own word in a file for it")
}

func TestATableThatIsReferredToNeedNotBeInTheFile(t *testing.T) {
	def, err := Parse("Table a { x int [ref: > public.b.y]\nz int }\nRef: a.(x, z) > app.c.(y, z) [delete: cascade]", typesDialect())
	require.NoError(t, err)
	assert.Equal(t, []designer.ForeignKeyDefinition{
		{ReferencedTable: designer.TableRef{Schema: "public", Name: "b"}, Mappings: []designer.NameMapping{{Column: "x", ReferencedColumn: "y"}}},
		{ReferencedTable: designer.TableRef{Schema: "app", Name: "c"}, OnDelete: designer.Cascade,
			Mappings: []designer.NameMapping{{Column: "x", ReferencedColumn: "y"}, {Column: "z", ReferencedColumn: "z"}}},
	}, def.Tables[0].ForeignKeys)
}

func TestAColumnThatCountsHasATypeThatCan(t *testing.T) {
	s := read(t, sqlite.Dialect(), "Table t { id int [pk, increment] }")
	assert.Equal(t, "INTEGER", tableOf(t, s, "t").Columns[0].DataType)
}

func TestTheDefaultSchemaIsCalledPublic(t *testing.T) {
	const text = "Table public.a { id int [pk] }\nTable b { a int [ref: > public.a.id] }\nTable dbo.c { a int [ref: > a.id] }"
	s := read(t, plainDialect(), text)
	for _, table := range s.Tables() {
		assert.Equal(t, "dbo", table.Schema)
	}
	assert.Len(t, s.Incoming(s.Tables()[0].ID), 2)
}

func TestErrorsNameTheLineAndWhatWasExpected(t *testing.T) {
	fixed := plainDialect()
	fixed.Schemas.Fixed = true
	for _, c := range []struct {
		name, text string
		line       int
		says       string
	}{
		{"no element", "\nthing x", 2, `expected Table, Enum, Ref, TablePartial, TableGroup, Note or Project, found "thing"`},
		{"no name", "Table {", 1, `expected the name of a table, found "{"`},
		{"three names", "Table a.b.c {}", 1, "at most schema.name"},
		{"no end of a table", "Table a {\n x int\n", 1, `table "a" does not end: close it with }`},
		{"no type", "Table a {\n x\n y int\n}", 2, `column "x": expected its type on the same line, found "y"`},
		{"a type of two words", "Table a {\n x double precision\n}", 2, "a type of several words stands in double quotes"},
		{"an unknown setting", "Table a {\n x int [primary]\n}", 2, `setting "primary" has no meaning here: expected pk, primary key`},
		{"a setting's value", "Table a {\n x int [pk: 1]\n}", 2, "pk takes no value"},
		{"no default", "Table a {\n x int [default: ]\n}", 2, `expected a value: a string, a number, an expression in backticks or a word, found "]"`},
		{"a check that is no expression", "Table a {\n x int [check: 'x > 0']\n}", 2, "check needs an expression in backticks"},
		{"a note that is no string", "Table a {\n x int [note: 1]\n}", 2, "note needs a string in single quotes"},
		{"an open string", "Table a {\n x int [note: 'abc\n", 2, "a string in ' does not end on its line"},
		{"an open text", "Note x: '''abc\n", 1, "a string in ''' does not end: close it"},
		{"an open expression", "Table a { x int [check: `a", 1, "an expression does not end: close it with a backtick"},
		{"an open comment", "\n/* x", 2, "a comment does not end"},
		{"many to many", "Table a { x int }\nTable b { y int }\nRef: a.x <> b.y", 3, "add a table with a column for each side"},
		{"many to many inline", "Table a { x int [ref: <> a.x] }", 1, "add a table with a column for each side"},
		{"no such table", "Table a { x int }\n\nRef: a.x < b.y", 3, `there is no table "b"`},
		{"no such column", "Table a { x int }\nRef: a.x > a.y", 2, `table "a" has no column "y"`},
		{"unlike sides", "Table a { x int\ny int }\nRef: a.(x, y) > a.x", 3, "2 columns refer to 1: both sides need as many"},
		{"the same column", "Table a { x int }\nRef: a.x > a.x", 2, "the same column"},
		{"an action", "Table a { x int\ny int }\nRef: a.x > a.y [delete: never]", 3, "delete needs one of cascade, restrict, set null, set default, no action"},
		{"no relationship", "Ref: a.x b.y", 1, "expected one of > < - between two columns"},
		{"an empty Ref", "Ref {\n}", 1, "Ref is empty"},
		{"a table twice", "Table a { x int }\nTable a { x int }", 2, `table "a" is declared twice`},
		{"a column twice", "Table a { x int\nx int }", 2, `column "x" is declared twice`},
		{"an enum twice", "Enum a { x }\nEnum a { x }", 2, `enum "a" is declared twice`},
		{"an empty enum", "Enum a {\n}", 1, `enum "a" has no values`},
		{"an index on nothing", "Table a { x int\nindexes {\n y\n} }", 3, `table "a" has no column "y"`},
		{"two primary keys", "Table a { x int [pk]\ny int\nindexes { y [pk] } }", 3, "has another primary key already"},
		{"no such partial", "Table a {\n ~p\n}", 2, `there is no TablePartial "p"`},
		{"several files", "use { table a } from './x'", 1, "put it all into one file"},
		{"a schema the dialect lacks", "Table app.a { x int }", 1, `SQL Server has no schema "app": write a`},
		{"escapes", `Note x: '\uzz'`, 1, "four hexadecimal digits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(c.text, fixed)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.line, e.Line)
			assert.Contains(t, e.Message, c.says)
		})
	}
}

func TestTextIsBounded(t *testing.T) {
	_, err := Parse(strings.Repeat(" ", maxBytes+1), typesDialect())
	assert.ErrorContains(t, err, "at most")
	_, err = Parse("Table \xff { }", typesDialect())
	assert.ErrorContains(t, err, "not UTF-8")
	_, err = Parse("Table a {\n"+strings.Repeat("a", 300)+"\n}", typesDialect())
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 300, "a message repeats the caller's input")
	var wide strings.Builder
	wide.WriteString("TablePartial p {\n")
	for i := range 1000 {
		fmt.Fprintf(&wide, "c%d int\n", i)
	}
	wide.WriteString("}\n")
	for i := range 500 {
		fmt.Fprintf(&wide, "Table t%d {\n~p\n}\n", i)
	}
	_, err = Parse(wide.String(), typesDialect())
	var e *Error
	require.True(t, errors.As(err, &e), "%v", err)
	assert.Contains(t, e.Message, "columns")
}

func TestNamesAndTextsOfAnyKindAreReadBack(t *testing.T) {
	for _, text := range []string{"plain", "two words", `q"u'o\te`, "line\nbreak", "  indented\n    text", "tab\there", "\x01", "ends in \\", "'''", "ünï", "Table", "2fa", "a\r\nb", "x\n"} {
		def := designer.Definition{Tables: []designer.TableDefinition{{Name: text, Comment: text, Columns: []designer.Column{
			{Name: text, DataType: "integer", Comment: text, DefaultValue: typesDialect().StringLiteral(text)}}}}}
		rendered := Render(build(t, typesDialect(), def))
		got, err := Parse(rendered, typesDialect())
		require.NoError(t, err, "%s", rendered)
		assert.Equal(t, def.Tables, got.Tables, "%s", rendered)
	}
}
