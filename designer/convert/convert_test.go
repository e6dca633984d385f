package convert_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/convert"
	"github.com/berth-dev/berth/designer/mssql"
)

// one is a design of one table with one column.
func one(c designer.Column) designer.Definition {
	c.Name, c.IsNullable = "c", true
	return designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{c}}}}
}

// converted converts a definition of one dialect to another.
func converted(t testing.TB, from, to string, def designer.Definition) (designer.Definition, []string) {
	t.Helper()
	s := build(t, sides()[from], def)
	out, notes, err := convert.Convert(s, sides()[to].engine.Dialect())
	require.NoError(t, err)
	return out, notes
}

// column reads a type as the dialect does.
func column(t testing.TB, dialect, text string) designer.Column {
	t.Helper()
	c, err := sides()[dialect].engine.Dialect().ReadType(text)
	require.Nil(t, err, "%s: %s", dialect, text)
	return c
}

func TestTypesAreMappedByWhatTheyHold(t *testing.T) {
	for _, c := range []struct {
		from, to, was, want string
		told                bool // in a note
	}{
		{"postgres", "mssql", "integer", "int", false},
		{"postgres", "mssql", "varchar(20)", "nvarchar(20)", false},
		{"postgres", "mssql", "varchar(5000)", "nvarchar(MAX)", true},
		{"postgres", "mssql", "text", "nvarchar(MAX)", false},
		{"postgres", "mssql", "char(3)", "nchar(3)", false},
		{"postgres", "mssql", "uuid", "uniqueidentifier", false},
		{"postgres", "mssql", "jsonb", "nvarchar(MAX)", true},
		{"postgres", "mssql", "timestamptz", "datetimeoffset(6)", false},
		{"postgres", "mssql", "timestamp(3)", "datetime2(3)", false},
		{"postgres", "mssql", "numeric", "decimal(38,10)", true},
		{"postgres", "mssql", "numeric(50,20)", "decimal(38,8)", true},
		{"postgres", "mssql", "bytea", "varbinary(MAX)", false},
		{"postgres", "mssql", "boolean", "bit", false},
		{"postgres", "mssql", "interval", "nvarchar(64)", true},
		{"postgres", "mysql", "uuid", "char(36)", true},
		{"postgres", "mysql", "timestamp", "datetime(6)", false},
		{"postgres", "mysql", "varchar", "longtext", false},
		{"postgres", "mysql", "varchar(20000)", "longtext", true},
		{"postgres", "mysql", "bit(8)", "bit(8)", false},
		{"postgres", "mysql", "inet", "varchar(45)", true},
		{"postgres", "sqlite", "timestamptz", "DATETIME", true},
		{"postgres", "sqlite", "numeric", "NUMERIC", false},
		{"postgres", "sqlite", "smallint", "SMALLINT", false},
		{"postgres", "sqlite", "integer[]", "JSON", true},
		{"mysql", "postgres", "tinyint", "smallint", false},
		{"mysql", "postgres", "tinyint unsigned", "smallint", false},
		{"mysql", "postgres", "int unsigned", "bigint", false},
		{"mysql", "postgres", "bigint unsigned", "numeric(20)", true},
		{"mysql", "postgres", "mediumint unsigned", "integer", false},
		{"mysql", "postgres", "decimal(9,2) unsigned", "numeric(9,2)", false},
		{"mysql", "postgres", "boolean", "boolean", false},
		{"mysql", "postgres", "year", "smallint", false},
		{"mysql", "postgres", "datetime", "timestamp(0)", false},
		{"mysql", "postgres", "json", "jsonb", false},
		{"mysql", "postgres", "varbinary(16)", "bytea", true},
		{"mysql", "postgres", "set('a','b')", "varchar(4)", true},
		{"mysql", "mssql", "bit(1)", "bit", true},
		{"mysql", "mssql", "double", "float", false},
		{"mysql", "sqlite", "point", "TEXT", true},
		{"mssql", "postgres", "nvarchar(20)", "varchar(20)", false},
		{"mssql", "postgres", "nvarchar(MAX)", "text", false},
		{"mssql", "postgres", "datetime2", "timestamp", true},
		{"mssql", "postgres", "datetime", "timestamp(3)", false},
		{"mssql", "postgres", "tinyint", "smallint", false},
		{"mssql", "postgres", "rowversion", "bytea", true},
		{"mssql", "postgres", "money", "numeric(19,4)", true},
		{"mssql", "mysql", "money", "decimal(19,4)", true},
		{"mssql", "mysql", "nvarchar(MAX)", "longtext", false},
		{"mssql", "mysql", "datetimeoffset", "timestamp(6)", true},
		{"mssql", "mysql", "sysname", "varchar(128)", false},
		{"mssql", "sqlite", "hierarchyid", "TEXT", true},
		{"mssql", "sqlite", "uniqueidentifier", "UUID", false},
		{"sqlite", "mysql", "INTEGER", "bigint", false},
		{"sqlite", "mysql", "DECIMAL(10,2)", "decimal(10,2)", false},
		{"sqlite", "mysql", "ANY", "longtext", true},
		{"sqlite", "mssql", "DATETIME", "datetime2", false},
		{"sqlite", "mssql", "BOOLEAN", "bit", false},
	} {
		t.Run(c.from+" "+c.was+" to "+c.to, func(t *testing.T) {
			out, notes := converted(t, c.from, c.to, one(column(t, c.from, c.was)))
			assert.Equal(t, c.want, sides()[c.to].engine.Dialect().TypeText(out.Tables[0].Columns[0]))
			assert.Equal(t, c.told, len(notes) > 0, "%v", notes)
			for _, n := range notes {
				assert.True(t, strings.HasPrefix(n, "t.c: "), n)
			}
		})
	}
}

func TestDefaultsMeanTheSame(t *testing.T) {
	for _, c := range []struct{ from, to, typ, was, want string }{
		{"postgres", "mssql", "timestamp", "now()", "sysdatetime()"},
		{"postgres", "mssql", "timestamptz", "CURRENT_TIMESTAMP", "sysdatetimeoffset()"},
		{"postgres", "mysql", "timestamp", "now()", "current_timestamp(6)"},
		{"postgres", "mysql", "date", "now()", "(curdate())"},
		{"postgres", "mysql", "date", "('now'::text)::date", "(curdate())"},
		{"postgres", "sqlite", "timestamp", "LOCALTIMESTAMP(3)", "CURRENT_TIMESTAMP"},
		{"postgres", "mssql", "uuid", "gen_random_uuid()", "newid()"},
		{"postgres", "mysql", "uuid", "gen_random_uuid()", "(uuid())"},
		{"postgres", "sqlite", "uuid", "gen_random_uuid()", ""},
		{"postgres", "mssql", "boolean", "true", "1"},
		{"postgres", "mysql", "boolean", "false", "0"},
		{"postgres", "mysql", "text", "'it''s'::text", "('it''s')"},
		{"postgres", "mysql", "varchar(9)", "'x'::character varying", "'x'"},
		{"postgres", "mysql", "varchar(9)", `'a\b'::character varying`, `'a\\b'`},
		{"postgres", "mssql", "varchar(9)", "'ü'::character varying", "N'ü'"},
		{"postgres", "mssql", "numeric(9,2)", "(0)::numeric", "0"},
		{"postgres", "mssql", "numeric(9,2)", "'-1.5'::numeric", "-1.5"},
		{"postgres", "mssql", "numeric(9,2)", "'-1.5'::integer", "-1.5"},
		{"postgres", "sqlite", "integer", "nextval('s'::regclass)", ""},
		{"postgres", "sqlite", "interval", "'1 day'::interval", ""},
		{"postgres", "sqlite", "integer", "NULL::integer", ""},
		{"postgres", "sqlite", "timestamp", "timezone('utc'::text, now())", "CURRENT_TIMESTAMP"},
		{"mssql", "postgres", "bit", "(1)", "true"},
		{"mssql", "postgres", "int", "((0))", "0"},
		{"mssql", "postgres", "int", "-1", "-1"},
		{"mssql", "postgres", "nvarchar(9)", "(N'x')", "'x'"},
		{"mssql", "postgres", "datetime2", "getdate()", "now()"},
		{"mssql", "postgres", "date", "CONVERT([date],getdate())", "CURRENT_DATE"},
		{"mssql", "postgres", "uniqueidentifier", "newsequentialid()", "gen_random_uuid()"},
		{"mssql", "postgres", "nvarchar(9)", "user_name()", ""},
		{"mysql", "postgres", "datetime", "current_timestamp()", "now()"},
		{"mysql", "postgres", "datetime(6)", "current_timestamp(6)", "now()"},
		{"mysql", "postgres", "datetime", "'0000-00-00 00:00:00'", ""},
		{"mysql", "postgres", "boolean", "1", "true"},
		{"mysql", "postgres", "bit(1)", "b'1'", ""},
		{"mysql", "mssql", "bit(1)", "b'1'", "1"},
		{"mysql", "postgres", "varchar(9)", `'it\'s'`, "'it''s'"},
		{"mysql", "postgres", "char(36)", "uuid()", "gen_random_uuid()"},
		{"sqlite", "postgres", "DATETIME", "CURRENT_TIMESTAMP", "now()"},
		{"sqlite", "postgres", "DATETIME", "datetime('now')", "now()"},
		{"sqlite", "postgres", "INTEGER", "1 + 2", "(1 + 2)"},
		{"sqlite", "postgres", "TEXT", "lower('X')", "(lower('X'))"},
		{"sqlite", "postgres", "BLOB", "x'00'", ""},
		{"sqlite", "postgres", "INTEGER", "'many'", ""},
	} {
		t.Run(c.from+" "+c.was+" to "+c.to, func(t *testing.T) {
			col := column(t, c.from, c.typ)
			col.DefaultValue = c.was
			out, notes := converted(t, c.from, c.to, one(col))
			assert.Equal(t, c.want, out.Tables[0].Columns[0].DefaultValue)
			if c.want == "" && !strings.HasPrefix(c.was, "NULL") {
				assert.Contains(t, strings.Join(notes, "\n"), "t.c: default")
			}
		})
	}
}

func TestChecksAreTakenOverOnlyWhereTheyMeanTheSame(t *testing.T) {
	columns := map[string][]designer.Column{}
	for dialect, types := range map[string][]string{
		"postgres": {"numeric", "varchar(9)", "boolean", "integer"}, "mssql": {"decimal(9,2)", "nvarchar(9)", "bit", "int"},
		"mysql": {"decimal(9,2)", "varchar(9)", "boolean", "int"}, "sqlite": {"NUMERIC", "TEXT", "BOOLEAN", "INTEGER"},
	} {
		for i, name := range []string{"price", "Name", "active", "n"} {
			c := column(t, dialect, types[i])
			c.Name = name
			columns[dialect] = append(columns[dialect], c)
		}
	}
	for _, c := range []struct{ from, to, was, want string }{
		{"postgres", "mssql", "(price >= (0)::numeric)", "[price] >= 0"},
		{"postgres", "mssql", `(("Name")::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))`, "[Name] IN ('a', 'b')"},
		{"postgres", "mysql", `"Name" <> ALL (ARRAY['a'::text, 'b'::text])`, "`Name` NOT IN ('a', 'b')"},
		{"postgres", "mysql", `("Name")::text ~~ 'a%'::text`, "`Name` LIKE 'a%'"},
		{"postgres", "mssql", `(length(("Name")::text) > 3)`, "len([Name]) > 3"},
		{"postgres", "mysql", `(char_length("Name") > 3) AND (n IS NOT NULL)`, "(char_length(`Name`) > 3) AND (`n` IS NOT NULL)"},
		{"postgres", "sqlite", "price BETWEEN (1)::numeric AND (9)::numeric", `"price" BETWEEN 1 AND 9`},
		{"postgres", "sqlite", `(n)::numeric < price`, `"n" < "price"`},
		{"postgres", "sqlite", `((n)::numeric / price) > 1`, ""},
		{"postgres", "sqlite", `"Name" ~ '^a'::text`, ""},
		{"postgres", "sqlite", `(price)::integer = n`, ""},
		{"postgres", "sqlite", `active`, ""},
		{"postgres", "mssql", `("Name" || 'x'::text) <> ''::text`, ""},
		{"postgres", "sqlite", `("Name" || 'x'::text) <> ''::text`, `("Name" || 'x') <> ''`},
		{"postgres", "sqlite", `CASE WHEN n > 1 THEN price > 0::numeric ELSE true END`, `CASE WHEN "n" > 1 THEN "price" > 0 ELSE TRUE END`},
		{"mssql", "postgres", "([price]>=(0) AND [n]<(9))", `"price" >= 0 AND "n" < 9`},
		{"mssql", "postgres", "([Name]=N'b' OR [Name]=N'a')", `"Name" = 'b' OR "Name" = 'a'`},
		{"mssql", "postgres", "([t].[n]!=(1))", `"n" <> 1`},
		{"mssql", "postgres", "(len([Name])>(3))", `length("Name") > 3`},
		{"mssql", "postgres", "([active]=(1))", ""},
		{"mssql", "postgres", "([Name]+'x'<>'')", ""},
		{"mssql", "postgres", "(isnull([n],(0))>(0))", `coalesce("n", 0) > 0`},
		{"mssql", "postgres", "(datalength([Name])>(0))", ""},
		{"mysql", "sqlite", "`active` = 1", `"active" = 1`},
		{"mysql", "postgres", "`n` / 2 > 1", ""},
		{"mysql", "postgres", "`n` > 0 and `Name` in ('a','b')", `"n" > 0 AND "Name" IN ('a', 'b')`},
		{"mysql", "postgres", "json_valid(`Name`)", ""},
		{"mysql", "postgres", "length(`Name`) > 1", ""},
		{"sqlite", "mysql", `price > 0 AND "name" <> ''`, "`price` > 0 AND `Name` <> ''"},
		{"sqlite", "mysql", `gone > 0`, ""},
		{"postgres", "mysql", "price <> 'NaN'::numeric", ""},
		{"postgres", "sqlite", "price <> '-1.5'::numeric", `"price" <> '-1.5'`},
		{"mysql", "postgres", "`n`", ""},
		{"mysql", "mssql", "`n` > 1 + (`n` > 0)", ""},
		{"mysql", "sqlite", "`n`", `"n"`},
		{"mysql", "postgres", "`n` > 'x'", ""},
		{"mysql", "postgres", "`n` > '5'", `"n" > '5'`},
		{"mysql", "postgres", "`Name` > 5", ""},
		{"mysql", "sqlite", "`n` > 1 = (`n` > 2)", ""},
		{"mysql", "postgres", "(`n` > 1) = (`n` > 2)", `("n" > 1) = ("n" > 2)`},
		{"mysql", "mssql", "(`n` > 1) = (`n` > 2)", ""},
		{"mysql", "postgres", "case when `n` > 1 then `n` else 'x' end > 1", ""},
		{"mysql", "sqlite", "substr(`Name`, 2) > 'a'", `substr("Name", 2) > 'a'`},
		{"mysql", "mssql", "substr(`Name`, 2) > 'a'", ""},
		{"sqlite", "postgres", "trim(name, 'x') <> ''", `trim("Name", 'x') <> ''`},
		{"sqlite", "mysql", "trim(name, 'x') <> ''", ""},
		{"sqlite", "mysql", `name GLOB 'a*'`, ""},
		{"sqlite", "mysql", `length(name) > 1 -- x`, ""},
	} {
		t.Run(c.from+" "+c.was+" to "+c.to, func(t *testing.T) {
			out, notes := converted(t, c.from, c.to, designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: columns[c.from],
				Checks: []designer.CheckDefinition{{Name: "k", Expression: c.was}}}}})
			if c.want == "" {
				assert.Empty(t, out.Tables[0].Checks)
				assert.Contains(t, strings.Join(notes, "\n"), "t.k: the check")
				return
			}
			require.Len(t, out.Tables[0].Checks, 1, "%v", notes)
			assert.Equal(t, c.want, out.Tables[0].Checks[0].Expression)
		})
	}
}

func TestASchemaWithoutAPlaceIsFlattened(t *testing.T) {
	id := column(t, "postgres", "integer")
	id.Name = "id"
	table := func(schema, name string) designer.TableDefinition {
		return designer.TableDefinition{Schema: schema, Name: name, Columns: []designer.Column{id}, PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}}}
	}
	users := table("app", "Users")
	users.ForeignKeys = []designer.ForeignKeyDefinition{{Name: "fk", ReferencedTable: designer.TableRef{Schema: "public", Name: "users"},
		Mappings: []designer.NameMapping{{Column: "id", ReferencedColumn: "id"}}}}
	out, notes := converted(t, "postgres", "sqlite", designer.Definition{Tables: []designer.TableDefinition{users, table("public", "users"), table("app", "app_users")}})
	names := map[string]bool{}
	for _, td := range out.Tables {
		names[td.Name] = true
	}
	assert.Equal(t, map[string]bool{"users": true, "app_users": true, "app_Users_2": true}, names, "%v", notes)
	assert.Equal(t, "users", out.Tables[1].ForeignKeys[0].ReferencedTable.Name)
	assert.Contains(t, notes, "app.Users: SQLite has no schemas: the table is among the others")
	assert.Contains(t, notes, "app.Users: the table becomes app_Users_2")
}

func TestNamesThatAreTooLongAreShortenedAndStayApart(t *testing.T) {
	long := strings.Repeat("ü", 60)
	a, b := column(t, "mssql", "int"), column(t, "mssql", "int")
	a.Name, b.Name = long+"a", long+"b"
	out, notes := converted(t, "mssql", "postgres", designer.Definition{Tables: []designer.TableDefinition{
		{Name: long, Columns: []designer.Column{a, b}}, {Name: long + "x", Columns: []designer.Column{a}}}})
	assert.Equal(t, strings.Repeat("ü", 31), out.Tables[0].Name)
	assert.Equal(t, strings.Repeat("ü", 30)+"_2", out.Tables[1].Name)
	assert.NotEqual(t, out.Tables[0].Columns[0].Name, out.Tables[0].Columns[1].Name)
	assert.Len(t, notes, 5)
}

func TestKeysThatWouldCascadeTwiceDoNotOnSQLServer(t *testing.T) {
	id := column(t, "postgres", "integer")
	ref := func(name, to, column string) designer.ForeignKeyDefinition {
		return designer.ForeignKeyDefinition{Name: name, ReferencedTable: designer.TableRef{Name: to}, OnDelete: designer.Cascade,
			Mappings: []designer.NameMapping{{Column: column, ReferencedColumn: "id"}}}
	}
	table := func(name string, keys ...designer.ForeignKeyDefinition) designer.TableDefinition {
		td := designer.TableDefinition{Name: name, PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}}, ForeignKeys: keys}
		for _, n := range []string{"id", "a", "b"} {
			c := id
			c.Name, c.IsNullable = n, n != "id"
			td.Columns = append(td.Columns, c)
		}
		return td
	}
	out, notes := converted(t, "postgres", "mssql", designer.Definition{Tables: []designer.TableDefinition{
		table("a"), table("b", ref("ba", "a", "a")), table("c", ref("ca", "a", "a"), ref("cb", "b", "b")), table("d", ref("dd", "d", "a"))}})
	actions := map[string]designer.Action{}
	for _, td := range out.Tables {
		for _, k := range td.ForeignKeys {
			actions[k.Name] = k.OnDelete
		}
	}
	assert.Equal(t, map[string]designer.Action{"ba": designer.Cascade, "ca": designer.Cascade, "cb": designer.NoAction, "dd": designer.NoAction}, actions)
	assert.Len(t, notes, 2)
}

func TestADesignOfTheSameDialectIsLeftAsItIs(t *testing.T) {
	s := build(t, sides()["mssql"], one(column(t, "mssql", "rowversion")))
	out, notes, err := convert.Convert(s, mssql.Dialect())
	require.NoError(t, err)
	assert.Empty(t, notes)
	assert.Equal(t, s.Definition(), out)
}

func TestACharacterThatNoNameMayHaveThereIsReplaced(t *testing.T) {
	id := column(t, "postgres", "integer")
	id.Name, id.Comment, id.DefaultValue = "😀 id", "a 😀", "'😀'::text"
	id.DataType = "text"
	out, notes := converted(t, "postgres", "mysql", designer.Definition{Tables: []designer.TableDefinition{{Name: "Ürder 😀", Columns: []designer.Column{id}}}})
	assert.Equal(t, "Ürder _", out.Tables[0].Name)
	assert.Equal(t, "_ id", out.Tables[0].Columns[0].Name)
	assert.Equal(t, "a \ufffd", out.Tables[0].Columns[0].Comment)
	assert.Equal(t, "('\ufffd')", out.Tables[0].Columns[0].DefaultValue)
	assert.Contains(t, notes, "Ürder 😀._ id: the default has characters beyond U+FFFF, which MySQL/MariaDB cannot keep there: they are replaced")
	assert.Contains(t, notes, "Ürder 😀: the table becomes Ürder _")
}

// MusicBrainz checks its counters in 46 tables, which MySQL refuses.
func TestACheckThatMySQLTakesNoneOfIsLeftOutWithANote(t *testing.T) {
	id, low := column(t, "postgres", "integer"), column(t, "postgres", "integer")
	id.Name, id.IsIdentity, id.IdentitySeed, id.IdentityIncrement, low.Name, low.IsNullable = "id", true, 1, 1, "low", true
	def := designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{id, low}, PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}},
		Checks: []designer.CheckDefinition{{Name: "ck", Expression: "(id > 0)"}, {Name: "other", Expression: "(low > 0)"}}}}}
	out, notes := converted(t, "postgres", "mysql", def)
	require.Len(t, out.Tables[0].Checks, 1)
	assert.Equal(t, "other", out.Tables[0].Checks[0].Name)
	assert.Contains(t, notes, "t.ck: the check (id > 0) is left out: MySQL/MariaDB counts id up, and no check may name such a column there")
	for _, to := range []string{"sqlite", "mssql"} {
		out, _ := converted(t, "postgres", to, def)
		assert.Len(t, out.Tables[0].Checks, 2, to)
	}
}

func TestADomainBecomesWhatItIsMadeOf(t *testing.T) {
	year, code, bare := designer.Column{Name: "released", DataType: "year", IsNullable: true}, designer.Column{Name: "c", DataType: "app.code", IsNullable: true},
		designer.Column{Name: "n", DataType: "year", DefaultValue: "2000", IsNullable: true}
	object := func(schema, name, text string) designer.Object {
		return designer.Object{Kind: designer.ObjectType, Schema: schema, Name: name, Definition: text}
	}
	def := designer.Definition{Tables: []designer.TableDefinition{{Schema: "public", Name: "film", Columns: []designer.Column{year, code, bare}}},
		Objects: []designer.Object{
			object("public", "year", `CREATE DOMAIN public.year AS number DEFAULT 1999 NOT NULL CONSTRAINT year_check CHECK (((VALUE >= 1901) AND (VALUE <= 2155)))`),
			object("public", "number", "CREATE DOMAIN public.number AS smallint CHECK ((VALUE <> 13))"),
			object("app", "code", `CREATE DOMAIN app.code AS character varying(8) COLLATE pg_catalog."C" CONSTRAINT k CHECK (((VALUE)::text ~ '^x'::text))`),
			object("public", "unused", "CREATE DOMAIN public.unused AS text"),
		}}
	out, notes := converted(t, "postgres", "mysql", def)
	columns := out.Tables[0].Columns
	assert.Equal(t, designer.Column{Name: "released", DataType: "smallint", DefaultValue: "1999"}, columns[0])
	assert.Equal(t, designer.Column{Name: "c", DataType: "varchar", MaxLength: "8", IsNullable: true}, columns[1])
	assert.Equal(t, "2000", columns[2].DefaultValue)
	var checks []string
	for _, k := range out.Tables[0].Checks {
		checks = append(checks, k.Name+": "+k.Expression)
	}
	assert.Equal(t, []string{"film_released_check: (`released` >= 1901) AND (`released` <= 2155)", "film_released_check_2: `released` <> 13",
		"film_n_check: (`n` >= 1901) AND (`n` <= 2155)", "film_n_check_2: `n` <> 13"}, checks)
	text := strings.Join(notes, "\n")
	assert.Contains(t, text, "film.released: year is a type of the database's own: the column is of number, which that is made of\n"+
		"film.released: number is a type of the database's own: the column is of smallint, which that is made of")
	assert.Contains(t, text, "film.film_c_check: the check")
	assert.Contains(t, text, "type public.unused: left out")
	assert.NotContains(t, text, "type public.year")

	out, _ = converted(t, "mssql", "postgres", designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{
		{Name: "mail", DataType: "Email", IsNullable: true}}}}, Objects: []designer.Object{object("dbo", "Email", "CREATE TYPE [dbo].[Email] FROM nvarchar(200) NOT NULL")}})
	assert.Equal(t, designer.Column{Name: "mail", DataType: "varchar", MaxLength: "200", IsNullable: true}, out.Tables[0].Columns[0])
}

func TestATypeThatNoColumnHasIsNamedAsLeftOut(t *testing.T) {
	state := designer.Column{Name: "state", DataType: "state", IsNullable: true}
	enum := func(name string) designer.Object {
		return designer.Object{Kind: designer.ObjectType, Schema: "public", Name: name, Values: []string{"a", "b"}, Definition: "CREATE TYPE public." + name + " AS ENUM ('a', 'b')"}
	}
	out, notes := converted(t, "postgres", "mysql", designer.Definition{Tables: []designer.TableDefinition{{Schema: "public", Name: "t", Columns: []designer.Column{state}}},
		Objects: []designer.Object{enum("state"), enum("unused")}})
	assert.Equal(t, []string{"a", "b"}, out.Tables[0].Columns[0].Values)
	assert.Equal(t, []string{"type public.unused: left out, it is PostgreSQL's own"}, notes)
}

func TestValuesThatTheOtherServerCannotHoldAreNoCheck(t *testing.T) {
	for values, want := range map[string]string{"a b": "CK_t_state", "a \x00": ""} {
		state := designer.Column{Name: "state", DataType: "enum", Values: strings.Fields(values), IsNullable: true}
		out, notes := converted(t, "mysql", "sqlite", designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{state}}}})
		if want != "" {
			require.Len(t, out.Tables[0].Checks, 1)
			assert.Equal(t, want, out.Tables[0].Checks[0].Name)
			continue
		}
		assert.Empty(t, out.Tables[0].Checks)
		assert.Contains(t, notes, "t.state: any text is taken, not only the values of its type: SQLite cannot hold them all")
	}
}

// A unique key refuses other rows where case does not count.
func TestAUniqueKeyOfTextsSaysWhatCaseIsWorth(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"postgres", "mysql", "t.k: values of name that differ in case only are one: that is how MySQL/MariaDB compares texts, unless their collation says otherwise"},
		{"postgres", "mssql", "t.k: values of name that differ in case only are one: that is how SQL Server compares texts, unless their collation says otherwise"},
		{"mysql", "sqlite", "t.k: values of name that differ in case only are two: that is how SQLite compares texts, unless their collation says otherwise"},
		{"postgres", "sqlite", ""},
		{"mssql", "mysql", ""},
	} {
		name, n := column(t, c.from, "varchar(9)"), column(t, c.from, "int")
		name.Name, n.Name = "name", "n"
		_, notes := converted(t, c.from, c.to, designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{name, n},
			PrimaryKey: &designer.KeyDefinition{Columns: []string{"n"}},
			Indexes:    []designer.IndexDefinition{{Name: "k", Unique: true, Parts: []designer.IndexKeyDefinition{{Column: "name"}, {Column: "n"}}}}}}})
		if c.want == "" {
			assert.NotContains(t, strings.Join(notes, "\n"), "in case only")
			continue
		}
		assert.Contains(t, notes, c.want)
		assert.NotContains(t, strings.Join(notes, "\n"), "primary key")
	}
}

// A unique constraint of PostgreSQL names columns and nothing more.
func TestAUniqueConstraintKeepsTheOrderOfItsColumnsWhereOneHasAny(t *testing.T) {
	for to, keeps := range map[string]bool{"mssql": true, "mysql": true, "sqlite": true, "postgres": false} {
		from := "mssql"
		if to == from {
			from = "sqlite"
		}
		a, b := column(t, from, "int"), column(t, from, "int")
		a.Name, b.Name = "a", "b"
		parts := []designer.IndexKeyDefinition{{Column: "a"}, {Column: "b", Descending: true}}
		out, notes := converted(t, from, to, designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{a, b},
			Indexes: []designer.IndexDefinition{{Name: "k", Constraint: true, Parts: parts}, {Name: "i", Unique: true, Parts: parts}}}}})
		order := map[string]bool{}
		for _, x := range out.Tables[0].Indexes {
			order[x.Name] = x.Parts[1].Descending
		}
		assert.Equal(t, map[string]bool{"k": keeps, "i": true}, order, to)
		lost := "t.k: the descending order of b is left out: a unique constraint of PostgreSQL has none"
		assert.Equal(t, !keeps, slices.Contains(notes, lost), "%s: %s", to, notes)
	}
}
