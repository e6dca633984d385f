package lint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
)

var dialects = map[string]*designer.Dialect{"sqlite": sqlite.Dialect(), "postgres": postgres.Dialect(), "mysql": mysql.Dialect(), "mssql": mssql.Dialect()}

// dialectNames are in the order of the documents' columns.
var dialectNames = []string{"sqlite", "postgres", "mysql", "mssql"}

// words are the types of cases that are the same in every dialect.
var words = map[string]map[string]string{
	"int":   {"sqlite": "INTEGER", "postgres": "integer", "mysql": "int", "mssql": "int"},
	"big":   {"sqlite": "INTEGER", "postgres": "bigint", "mysql": "bigint", "mssql": "bigint"},
	"small": {"sqlite": "SMALLINT", "postgres": "smallint", "mysql": "smallint", "mssql": "smallint"},
	"text":  {"sqlite": "TEXT", "postgres": "varchar(200)", "mysql": "varchar(200)", "mssql": "nvarchar(200)"},
	"short": {"sqlite": "BLOB", "postgres": "varchar(20)", "mysql": "varchar(20)", "mssql": "nvarchar(20)"},
	"float": {"sqlite": "REAL", "postgres": "double precision", "mysql": "double", "mssql": "float"},
	"exact": {"sqlite": "NUMERIC(19,4)", "postgres": "numeric(19,4)", "mysql": "decimal(19,4)", "mssql": "decimal(19,4)"},
	"date":  {"sqlite": "DATE", "postgres": "date", "mysql": "date", "mssql": "date"},
}

// object is a type of a database of its own.
type object = designer.Object

// table reads a table from a line of text:
//
//	order_line: id int key, order_id int null -> orders.id cascade, note text = 'x'; index ix (a, b); unique uq (c)
//
// A name in quotes may have spaces. What no test needs, it does not read.
func table(t *testing.T, dialect, text string) designer.TableDefinition {
	t.Helper()
	d := dialects[dialect]
	name, body, _ := strings.Cut(text, ":")
	def := designer.TableDefinition{Name: bare(name), Columns: []designer.Column{}}
	if n, options, ok := strings.Cut(def.Name, " with "); ok {
		key, value, _ := strings.Cut(options, "=")
		def.Name, def.Options = n, map[string]string{key: value}
	}
	parts := strings.Split(body, ";")
	for _, c := range strings.Split(parts[0], ", ") {
		if strings.TrimSpace(c) != "" {
			addColumn(t, d, &def, strings.TrimSpace(c))
		}
	}
	for _, x := range parts[1:] {
		addPart(t, &def, strings.TrimSpace(x))
	}
	return def
}

func bare(s string) string { return strings.Trim(strings.TrimSpace(s), `"`) }

func addColumn(t *testing.T, d *designer.Dialect, def *designer.TableDefinition, text string) {
	text, initial, _ := strings.Cut(text, " = ")
	text, reference, _ := strings.Cut(text, " -> ")
	quoted := ""
	if strings.HasPrefix(text, `"`) {
		var rest string
		quoted, rest, _ = strings.Cut(text[1:], `"`)
		text = "x" + rest
	}
	words0 := strings.Fields(text)
	name, rest := words0[0], words0[1:]
	if quoted != "" {
		name = quoted
	}
	c := designer.Column{Name: name, DefaultValue: initial}
	var typ []string
	for _, w := range rest {
		switch w {
		case "null":
			c.IsNullable = true
		case "key":
			if def.PrimaryKey == nil {
				def.PrimaryKey = &designer.KeyDefinition{}
			}
			def.PrimaryKey.Columns = append(def.PrimaryKey.Columns, name)
		case "identity":
			c.IsIdentity, c.IdentitySeed, c.IdentityIncrement = true, 1, 1
		case "serial":
			c.Options = map[string]string{"identity": "serial"}
		default:
			if v, ok := strings.CutPrefix(w, "collate="); ok {
				c.Collation = v
				continue
			}
			typ = append(typ, w)
		}
	}
	written := strings.Join(typ, " ")
	if w := words[written]; w != nil {
		written = w[d.Name]
	}
	if written != "" && written != "-" {
		read, err := d.ReadType(written)
		if err != nil { // a database may hold a type that the dialect does not know
			read.DataType = written
		}
		c.DataType, c.MaxLength, c.Precision, c.Scale = read.DataType, read.MaxLength, read.Precision, read.Scale
	}
	def.Columns = append(def.Columns, c)
	if reference != "" {
		addReference(def, "FK_"+def.Name+"_"+name, name, reference)
	}
}

// addReference adds a key "orders.id cascade" from columns "a, b".
func addReference(def *designer.TableDefinition, name, columns, text string) {
	f := strings.Fields(text)
	to, refs, _ := strings.Cut(f[0], ".")
	k := designer.ForeignKeyDefinition{Name: name, ReferencedTable: designer.TableRef{Name: to}}
	targets := strings.Split(refs, "+")
	for i, c := range strings.Split(columns, "+") {
		k.Mappings = append(k.Mappings, designer.NameMapping{Column: c, ReferencedColumn: targets[i]})
	}
	for _, w := range f[1:] {
		switch w {
		case "deferrable":
			k.Deferrable = designer.DeferrableInitEnd
		default:
			k.OnDelete = designer.Action(w)
		}
	}
	def.ForeignKeys = append(def.ForeignKeys, k)
}

// addPart reads "index NAME (a, b) where …", "unique NAME (a)" or "key NAME a+b -> t.x+y".
func addPart(t *testing.T, def *designer.TableDefinition, text string) {
	kind, rest, _ := strings.Cut(text, " ")
	name, rest, _ := strings.Cut(rest, " ")
	if kind == "key" {
		columns, to, _ := strings.Cut(rest, " -> ")
		addReference(def, name, columns, to)
		return
	}
	require.Contains(t, []string{"index", "unique"}, kind, text)
	list, where, _ := strings.Cut(strings.TrimPrefix(rest, "("), ")")
	x := designer.IndexDefinition{Name: name, Unique: kind == "unique"}
	_, x.Where, _ = strings.Cut(where, " where ")
	for _, c := range strings.Split(list, ", ") {
		x.Parts = append(x.Parts, designer.IndexKeyDefinition{Column: c})
	}
	def.Indexes = append(def.Indexes, x)
}

// schema makes a design of a dialect from lines of text.
func schema(t *testing.T, dialect, text string, objects ...object) *designer.Schema {
	t.Helper()
	var def designer.Definition
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			def.Tables = append(def.Tables, table(t, dialect, strings.TrimSpace(line)))
		}
	}
	def.Objects = objects
	s, err := designer.Build(dialects[dialect], def, nil)
	require.NoError(t, err)
	require.NoError(t, s.Check())
	return s
}
