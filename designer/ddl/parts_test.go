package ddl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/ddl"
)

// shape writes what was read in a line a table.
func shape(def designer.Definition) string {
	var lines []string
	for _, td := range def.Tables {
		var parts []string
		for _, c := range td.Columns {
			text := c.Name + " " + c.DataType
			for _, more := range []struct {
				has  bool
				text string
			}{{c.MaxLength != "", "(" + c.MaxLength + ")"}, {!c.IsNullable, " not null"}, {c.IsIdentity, " identity"}, {c.DefaultValue != "", " = " + c.DefaultValue}, {c.Comment != "", " # " + c.Comment}} {
				if more.has {
					text += more.text
				}
			}
			parts = append(parts, strings.TrimSpace(text))
		}
		if k := td.PrimaryKey; k != nil {
			parts = append(parts, fmt.Sprintf("pk %s%v", k.Name, k.Columns))
		}
		for _, x := range td.Indexes {
			kind := "index"
			if x.Unique {
				kind = "unique"
			}
			for _, p := range x.Parts {
				kind += " " + p.Column + p.Expression
			}
			parts = append(parts, kind)
		}
		for _, k := range td.ForeignKeys {
			parts = append(parts, fmt.Sprintf("fk %s > %s.%s %s", k.Mappings[0].Column, k.ReferencedTable.Name, k.Mappings[0].ReferencedColumn, k.OnDelete))
		}
		for _, k := range td.Checks {
			parts = append(parts, "check "+k.Expression)
		}
		lines = append(lines, strings.TrimPrefix(td.Schema+"."+td.Name, ".")+": "+strings.Join(parts, ", "))
	}
	return strings.Join(lines, "\n")
}

func TestTablesAreReadAsPeopleWriteThem(t *testing.T) {
	for _, tt := range []struct{ name, dialect, script, want string }{
		{"inline rules", "postgres", "create table if not exists a (id serial primary key, n int not null default 1 check (n > 0), b_id int references b on delete cascade, u text unique);\ncreate table b (x bigint primary key)",
			"a: id integer not null identity, n integer not null = 1, b_id integer, u text, pk [id], unique u, fk b_id > b.x cascade, check n > 0\nb: x bigint not null, pk [x]"},
		{"words that are names", "postgres", `CREATE TABLE a (key text, index int, "check" int, period int, comment text NOT NULL, like_it bool)`,
			"a: key text, index integer, check integer, period integer, comment text not null, like_it boolean"},
		{"types of several words", "postgres", "CREATE TABLE a (a double precision, b character varying(20) DEFAULT 'x'::character varying NOT NULL, c timestamp(3) with time zone DEFAULT now() NOT NULL, d int[] , e integer ARRAY)",
			"a: a double precision, b varchar(20) not null = 'x', c timestamptz not null = now(), d integer[], e integer[]"},
		{"a search path", "postgres", "SET search_path TO shop, public; CREATE TABLE a (id int); COMMENT ON COLUMN a.id IS 'x'; CREATE TABLE public.b (id int)",
			"shop.a: id integer # x\nb: id integer"},
		{"a key that is added", "mysql", "CREATE TABLE `a` (`id` int(11) NOT NULL, `b` int unsigned DEFAULT NULL); ALTER TABLE `a` ADD PRIMARY KEY (`id`), ADD KEY `b` (`b`); ALTER TABLE `a` MODIFY `id` int(11) NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=3;",
			"a: id int not null identity, b int unsigned, pk [id], index b"},
		{"a table that is made twice", "mysql", "CREATE TABLE a (x int); DROP TABLE a; CREATE TABLE a (y int);", "a: y int"},
		{"no types", "sqlite", "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, b, c NOT NULL DEFAULT (1+2), 'd' VARCHAR(9), UNIQUE (b, c) ON CONFLICT IGNORE)",
			"a: id INTEGER not null identity, b, c  not null = (1+2), d VARCHAR(9), pk [id], unique b c"},
		{"a trigger with statements", "sqlite", "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; CREATE TABLE x (a); END; CREATE TABLE b (id)", "b: id"},
		{"no semicolons", "mssql", "CREATE TABLE a (id int IDENTITY(5, 2) NOT NULL PRIMARY KEY)\nCREATE TABLE [dbo].[b] ([id] int CONSTRAINT [d] DEFAULT ((0)))\nIF 1 = 1\n  CREATE TABLE c (x nvarchar(max))\nGO\nCREATE PROC p AS\nCREATE TABLE d (x int)\nGO",
			"a: id int not null identity, pk [id]\nb: id int = ((0))\nc: x nvarchar(MAX)"},
		{"rows that look like statements", "postgres", "COPY a (x) FROM stdin;\nCREATE TABLE no (a int);\n\\.\n\\connect x\nCREATE TABLE b (id int);", "b: id integer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			loaded, err := ddl.Read(tt.script, dialects()[tt.dialect])
			require.NoError(t, err)
			assert.Equal(t, tt.want, shape(loaded.Definition))
			assert.Empty(t, loaded.Notes)
		})
	}
}

func TestWhatCannotBeReadLeavesTheRestAndIsNamedWithItsLine(t *testing.T) {
	for _, tt := range []struct{ name, dialect, script, want, note string }{
		{"an unknown type", "postgres", "CREATE TABLE a (\n  id int,\n  at geometry(Point,4326) NOT NULL,\n  n int);", "a: id integer, at text not null, n integer",
			"line 3: column a.at: the type geometry(Point,4326) is not known here: it becomes text"},
		{"an unknown rule", "postgres", "CREATE TABLE a (\n  id int FROBNICATE 3,\n  n int);", "a: id integer, n integer", "line 2: FROBNICATE 3 of column a.id is left out"},
		{"a column without a name", "postgres", "CREATE TABLE a (id int,\n'x' text, n int)", "a: id integer, n integer", "line 2: 'x' text is left out of table a: a column has a name"},
		{"a column twice", "mysql", "CREATE TABLE a (id int,\nID int)", "a: id int", "line 2: column ID of table a is left out: there is one of the name"},
		{"an exclusion", "postgres", "CREATE TABLE a (\n  id int,\n  EXCLUDE USING gist (id WITH =))", "a: id integer", "line 3: EXCLUDE USING gist (id WITH =) of table a is left out"},
		{"a key of another table's column", "mysql", "CREATE TABLE a (id int,\n  KEY k (nothing))", "a: id int", "line 2: KEY k (nothing) of table a is left out"},
		{"an index on what is not there", "sqlite", "CREATE TABLE a (id);\nCREATE INDEX i ON b (x);", "a: id", "line 2: index i is left out: the script has no table b"},
		{"an inheritance", "postgres", "CREATE TABLE a (id int NOT NULL, n text);\nCREATE TABLE b (x int, PRIMARY KEY (id))\nINHERITS (a, c);", "a: id integer not null, n text\nb: id integer not null, n text, x integer, pk [id]",
			"line 3: table b: that it inherits is left out, and its columns are its own"},
		{"a table of a query", "postgres", "CREATE TABLE a (id int);\nCREATE TABLE b AS SELECT 1;", "a: id integer", "line 2: table b is left out: it is made of another one or of a query"},
		{"an ALTER", "postgres", "CREATE TABLE a (id int);\nALTER TABLE a ENABLE ROW LEVEL SECURITY;", "a: id integer", "line 2: ENABLE ROW LEVEL SECURITY of table a is left out"},
		{"a foreign key of no column", "postgres", "CREATE TABLE a (id int, FOREIGN KEY (x) REFERENCES b (y))", "a: id integer", "a foreign key of table a is left out: the table has no column x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			loaded, err := ddl.Read(tt.script, dialects()[tt.dialect])
			require.NoError(t, err)
			assert.Equal(t, tt.want, shape(loaded.Definition))
			assert.Equal(t, []string{tt.note}, loaded.Notes)
		})
	}
}

func TestStatementsThatServersTakeAreNoErrors(t *testing.T) {
	for _, tt := range []struct{ name, dialect, script, want string }{
		{"a table without columns", "postgres", "CREATE TABLE public.a (\n);", "a: "},
		{"a partition as pg_dump writes it", "postgres", "CREATE TABLE public.a (id int) PARTITION BY RANGE (id);\nCREATE TABLE public.a1 (id int);\n" +
			"ALTER TABLE ONLY public.a ATTACH PARTITION public.a1 FOR VALUES FROM (1) TO (2);\nALTER TABLE ONLY public.a1 ADD CONSTRAINT a1_pkey PRIMARY KEY (id);", "a: id integer"},
		{"rows behind COPY with options", "postgres", "CREATE TABLE a (id int);\nCOPY a FROM stdin WITH DELIMITER '|';\ntimeout|90 minutes\n\\.\n", "a: id integer"},
		{"a comma at the end", "mssql", "CREATE TABLE a (id int, n int,)", "a: id int, n int"},
		{"a trigger that is switched off and on", "mssql", "CREATE TABLE a (id int)\nGO\nDISABLE TRIGGER t ON a\nGO\nENABLE TRIGGER t ON a\nGO\n", "a: id int"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			loaded, err := ddl.Read(tt.script, dialects()[tt.dialect])
			require.NoError(t, err)
			assert.Equal(t, tt.want, shape(loaded.Definition))
			for _, note := range loaded.Notes {
				assert.Contains(t, note, "its partitions are left out")
			}
		})
	}
}

func TestATextThatIsNoSQLSaysWhere(t *testing.T) {
	for _, tt := range []struct{ script, at, says string }{
		{"hello world", "1:1", `expected a statement of SQL, found "hello"`},
		{"CREATE TABLE a (id int);\n  nonsense here;", "2:3", `found "nonsense"`},
		{"CREATE TABLE a (id int", "1:16", "the parenthesis of table 'a' is not closed"},
		{"CREATE TABLE a (id int,, n int)", "1:24", "expected a column, found a comma"},
		{"CREATE TABLE a (id int,)", "1:23", "expected a column, found a comma"},
		{"CREATE TABLE (id int)", "1:14", "expected the name of a table"},
		{"CREATE TABLE a;", "1:15", "expected ( and the columns of table 'a'"},
		{"model User {\n  id Int @id\n}", "1:1", `found "model"`},
	} {
		_, err := ddl.Read(tt.script, dialects()["postgres"])
		var place *designer.ScriptError
		require.ErrorAs(t, err, &place, tt.script)
		assert.Equal(t, tt.at, fmt.Sprintf("%d:%d", place.Line, place.Column), tt.script)
		assert.ErrorContains(t, err, tt.says)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"CREATE TABLE a (id int PRIMARY KEY, b text DEFAULT 'x' CHECK (b <> ''), CONSTRAINT k FOREIGN KEY (b) REFERENCES c);",
		"CREATE TABLE [dbo].[a]([id] [int] IDENTITY(1,1) NOT NULL) ON [PRIMARY]\nGO\nALTER TABLE a ADD DEFAULT (0) FOR [id]\nEXEC sp_addextendedproperty 'MS_Description', 'x', 'SCHEMA', dbo, 'TABLE', a",
		"/*!50001 CREATE VIEW v AS SELECT 1*/; DELIMITER ;;\nCREATE TRIGGER t BEGIN END;;\nDELIMITER ;\nCREATE TABLE a (e enum('a','b'), KEY (e(2) DESC))",
		"COPY a FROM stdin;\n1\n\\.\nCREATE TYPE t AS ENUM ('a'); CREATE DOMAIN d AS int CHECK (VALUE > 0); ALTER SEQUENCE s OWNED BY a.b; COMMENT ON COLUMN a.b IS 'x'",
		"CREATE UNIQUE INDEX i ON a USING gin (lower(x) text_ops DESC NULLS LAST, (b)) INCLUDE (c) WHERE (d)", "CREATE TABLE a (((",
	} {
		f.Add(seed)
	}
	all := dialects()
	f.Fuzz(func(t *testing.T, script string) {
		for name, d := range all {
			loaded, err := ddl.Read(script, d)
			if err != nil {
				require.ErrorAs(t, err, new(*designer.ScriptError))
				continue
			}
			_, err = designer.Build(d, loaded.Definition, nil)
			require.NoError(t, err, "%s: what is read builds", name)
		}
	})
}

// A dump may have lines of a megabyte, and a text that is made to hurt anything.
func TestLongTextsAreReadInTimeThatTheirLengthCosts(t *testing.T) {
	row := "(1,'" + strings.Repeat("x", 90) + "'),"
	for name, script := range map[string]string{
		"one long line":      "INSERT INTO a VALUES " + strings.Repeat(row, 40_000) + ";\nCREATE TABLE b (id int);",
		"parentheses":        "CREATE TABLE b (id int, CHECK " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000) + ");",
		"many columns":       "CREATE TABLE b (id int" + strings.Repeat(",\n c int", 100_000) + ");",
		"many notes":         "CREATE TABLE b (id int);" + strings.Repeat("\nCREATE INDEX i ON c (x);", 50_000),
		"many small batches": strings.Repeat("GO\n", 300_000) + "CREATE TABLE b (id int)",
	} {
		loaded, err := ddl.Read(script, dialects()["mssql"])
		require.NoError(t, err, name)
		require.Len(t, loaded.Tables, 1, name)
		assert.LessOrEqual(t, len(loaded.Notes), 1001, name)
	}
}
