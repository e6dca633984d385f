package lint_test

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lint/rule"
)

// ruleCase is a design that a rule finds something in, and one like it in
// which it does not.
type ruleCase struct {
	rule                    rule.ID
	in                      []string // dialects; nil: all that the rule is for
	bad, good               string
	badObjects, goodObjects []object
}

const orders = "orders: id int key\n"

var cases = []ruleCase{
	{rule: rule.NoPrimaryKey, bad: "a: x int", good: "a: x int key"},
	{rule: rule.NoPrimaryKey, bad: "a: x int; unique uq (x)", good: "a: x int key; unique uq (x)"},
	{rule: rule.BusinessKey, bad: "a: email text key", good: "a: email_id text key"},
	{rule: rule.NullableUnique, bad: "a: x int null; unique uq (x)", good: "a: x int; unique uq (x)"},
	{rule: rule.SmallIdentity, bad: "a: id small key identity", good: "a: id int key identity"},
	{rule: rule.SmallIdentity, in: []string{"mysql"}, bad: "a: id mediumint key identity", good: "a: id int unsigned key identity"},
	{rule: rule.IntIdentity, bad: "a: id int key identity", good: "a: id big key identity"},
	{rule: rule.IntIdentity, in: []string{"mysql"}, bad: "a: id int unsigned key identity", good: "a: id bigint unsigned key identity"},
	{rule: rule.UnsuitableKey, bad: "a: x float key", good: "a: x int key"},
	{rule: rule.UnsuitableKey, in: []string{"postgres"}, bad: "a: x jsonb; unique uq (x)", good: "a: x jsonb; index ix (x)"},
	{rule: rule.UnsuitableKey, in: []string{"sqlite", "mysql"}, bad: "a: x blob key", good: "a: x varbinary(16) key"},

	{rule: rule.UnindexedForeignKey, bad: orders + "a: id int key, o int -> orders.id", good: orders + "a: id int key, o int -> orders.id; index ix (o, id)"},
	{rule: rule.UnindexedForeignKey, in: []string{"sqlite", "postgres"}, bad: orders + "a: id int key, o int null -> orders.id; index ix (o) where id > 3",
		good: orders + "a: id int key, o int null -> orders.id; index ix (o) where (o IS NOT NULL)"},
	{rule: rule.ForeignKeyType, in: noSQLite, bad: "orders: id big key\na: id int key, o int -> orders.id", good: orders + "a: id int key, o int -> orders.id"},
	{rule: rule.ForeignKeyType, in: noSQLite, bad: "orders: id text key\na: id int key, o short -> orders.id", good: "orders: id short key\na: id int key, o text -> orders.id"},
	{rule: rule.ForeignKeyType, in: []string{"sqlite"}, bad: orders + "a: id int key, o TEXT -> orders.id", good: orders + "a: id int key, o BIGINT -> orders.id"},
	{rule: rule.DanglingForeignKey, bad: "a: id int key, o int -> orders.id", good: orders + "a: id int key, o int -> orders.id"},
	{rule: rule.ForeignKeyTarget, bad: "orders: id int key, n int\na: id int key, o int -> orders.n", good: "orders: id int key, n int; unique uq (n)\na: id int key, o int -> orders.n"},
	{rule: rule.DuplicateForeignKey, bad: orders + "a: id int key, o int -> orders.id; key again o -> orders.id", good: orders + "a: id int key, o int -> orders.id, p int -> orders.id"},
	{rule: rule.MissingForeignKey, bad: orders + "a: id int key, order_id int", good: orders + "a: id int key, order_id int -> orders.id"},
	{rule: rule.MissingForeignKey, bad: "OrderLines: Id int key\na: Id int key, OrderLineId int", good: orders + "a: id int key, order_id int, order_type text"},
	{rule: rule.SetNullOnRequired, bad: orders + "a: id int key, o int -> orders.id set_null", good: orders + "a: id int key, o int null -> orders.id set_null"},
	{rule: rule.SetDefaultWithoutDefault, bad: orders + "a: id int key, o int -> orders.id set_default", good: orders + "a: id int key, o int null -> orders.id set_default"},
	{rule: rule.NoOnDelete, bad: orders + "a: o int key -> orders.id, n int key", good: orders + "a: o int key -> orders.id cascade, n int key"},
	{rule: rule.NullableCompositeKey, bad: "o: x int key, y int key\na: id int key, x int, y int null; key fk x+y -> o.x+y", good: "o: x int key, y int key\na: id int key, x int, y int; key fk x+y -> o.x+y"},
	{rule: rule.CircularRequired, bad: "a: id int key, b int -> b.id\nb: id int key, a int -> a.id", good: "a: id int key, b int null -> b.id\nb: id int key, a int -> a.id"},
	{rule: rule.CircularRequired, in: []string{"sqlite", "postgres"}, bad: "a: id int key, b int -> b.id\nb: id int key, c int -> c.id\nc: id int key, a int -> a.id",
		good: "a: id int key, b int -> b.id deferrable\nb: id int key, a int -> a.id"},
	{rule: rule.CircularReference, bad: "a: id int key, b int null -> b.id\nb: id int key, a int -> a.id", good: "a: id int key, b int null -> b.id, a int null -> a.id\nb: id int key"},

	{rule: rule.DuplicateIndex, bad: "a: x int key, y int; index one (y); index two (y)", good: "a: x int key, y int; index one (y, x); index two (x, y)"},
	{rule: rule.DuplicateIndex, bad: "a: x int key, y int key; index one (x, y)", good: "a: x int key, y int key; index one (y, x)"},
	{rule: rule.DuplicateIndex, bad: "a: x int key, y int; index one (y); unique two (y)", good: "a: x int key, y int; index one (y)"},
	{rule: rule.PrefixIndex, bad: "a: x int key, y int; index one (y); index two (y, x)", good: "a: x int key, y int; index one (y); index two (x, y)"},
	{rule: rule.PrefixIndex, bad: "a: x int key, y int key; index one (x)", good: "a: x int key, y int key; index one (y)"},
	{rule: rule.TooManyIndexes, bad: "a: " + columns(21) + indexes(21), good: "a: " + columns(21) + indexes(20)},

	{rule: rule.ReservedName, bad: "select: x int key", good: "selects: x int key"},
	{rule: rule.ReservedName, bad: "a: id int key, from text", good: "a: id int key, sender text"},
	{rule: rule.UnsafeName, bad: `"order lines": x int key`, good: "order_lines: x int key"},
	{rule: rule.UnsafeName, bad: `a: id int key, "1st" text`, good: "a: id int key, früh text"},
	{rule: rule.MixedCaseName, bad: "Orders: x int key", good: "orders: x int key"},
	{rule: rule.MixedCaseName, in: []string{"postgres"}, bad: "orders: Id int key", good: "orders: id int key"},
	{rule: rule.CaseOnlyNames, bad: "a: id int key, name text, Name text", good: "a: id int key, name text, names text"},
	{rule: rule.InconsistentTableNames, bad: "a_a: x int\na_b: x int\na_c: x int\na_d: x int\na_e: x int\na_f: x int\na_g: x int\na_h: x int\na_i: x int\nAJ: x int",
		good: "a_a: x int\na_b: x int\na_c: x int\na_d: x int\nAE: x int"},
	{rule: rule.InconsistentColumnNames, bad: "a: x_a int, x_b int, x_c int, x_d int, x_e int, x_f int, x_g int, x_h int, x_i int, xJ int",
		good: "a: xA int, xB int, xC int, x int"},
	{rule: rule.MixedPlural, bad: "user: x int\norder: x int\nline: x int\nitem: x int\naliases: x int", good: "user: x int\norder: x int\nline: x int\nitem: x int\npart: x int\nnote: x int\nport: x int\nship: x int\ndock: x int\nuser_alias: x int\nweb_series: x int"},
	{rule: rule.MixedPlural, bad: "users: x int\norders: x int\nlines: x int\nitems: x int\naddress: x int", good: "users: x int\norders: x int\nlines: x int\nitems: x int\naddresses: x int"},

	{rule: rule.InconsistentType, bad: "a: n int\nb: n int\nc: n int\nd: n text", good: "a: n int\nb: n int\nc: n text\nd: n text"},
	{rule: rule.InconsistentType, bad: "a: n int\nb: n int\nc: n int\nd: n text key", good: "a: id int key\nb: id int key\nc: id int key\nd: id text key"},
	{rule: rule.InconsistentType, bad: "a: url text\nb: url text\nc: url text\nd: url int", good: orders + "a: url text\nb: url text\nc: url text\nd: url int -> orders.id"},
	{rule: rule.FloatMoney, bad: "a: id int key, unit_price float", good: "a: id int key, unit_price exact, tax_rate float"},
	{rule: rule.MoneyType, bad: "a: id int key, x money", good: "a: id int key, x exact"},
	{rule: rule.TimestampNoZone, bad: "a: id int key, x timestamp", good: "a: id int key, x timestamptz"},
	{rule: rule.TimestampRange, bad: "a: id int key, x timestamp", good: "a: id int key, x datetime"},
	{rule: rule.TextForTime, bad: "a: id int key, birth_date text", good: "a: id int key, birth_date date, date_format text"},
	{rule: rule.TextForTime, bad: "a: id int key, created_at text", good: "a: id int key, looked text"},
	{rule: rule.TimeWithZone, bad: "a: id int key, x timetz", good: "a: id int key, x time"},
	{rule: rule.LegacyType, bad: "a: id int key, x ntext", good: "a: id int key, x nvarchar(max)"},
	{rule: rule.JSONNotJSONB, bad: "a: id int key, x json", good: "a: id int key, x jsonb"},
	{rule: rule.PaddedChar, bad: "a: id int key, x char(3)", good: "a: id int key, x char(1), y varchar(3)"},
	{rule: rule.SerialColumn, bad: "a: id int key identity serial", good: "a: id int key identity"},
	{rule: rule.ThreeByteText, bad: "a: id int key, x text collate=utf8mb3_general_ci", good: "a: id int key, x text collate=utf8mb4_general_ci"},
	{rule: rule.ThreeByteText, bad: "a with collation=utf8_bin: id int key", good: "a with collation=utf8mb4_bin: id int key"},
	{rule: rule.UntypedColumn, bad: "a: id int key, x -", good: "a: id int key, x ANY"},
	{rule: rule.MisleadingType, bad: "a: id int key, x STRING", good: "a: id int key, x VARCHAR(20), y CHARPOINT"},
	{rule: rule.MisleadingType, bad: "a: id int key, x FLOATING POINT", good: "a with strict=true: id int key, x STRING"},
	{rule: rule.BadDefault, bad: "a: id int key, x int = 'none'", good: "a: id int key, x int = '12', y int = now()"},
	{rule: rule.BadDefault, in: []string{"postgres"}, bad: "a: id int key, x int = 'none'::integer", good: "a: id int key, x int = '12'::integer"},
	{rule: rule.NullDefault, bad: "a: id int key, x int = NULL", good: "a: id int key, x int null = NULL"},
	{rule: rule.EnumWithoutValues, badObjects: []object{enum("mood")}, goodObjects: []object{enum("mood", "fine")}},
	{rule: rule.UnusedType, bad: "a: id int key", badObjects: []object{enum("mood", "fine")}, good: "a: id int key, m mood", goodObjects: []object{enum("mood", "fine")}},

	{rule: rule.EmptyTable, bad: "a:", good: "a: x int"},
	{rule: rule.OneColumn, bad: "a: x int key", good: "a: x int key\nb: x int key -> a.x, y int"},
	{rule: rule.TooManyColumns, bad: "a: " + columns(51), good: "a: " + columns(50)},
	{rule: rule.NumberedColumns, bad: "a: id int key, phone1 text, phone2 text, phone3 text", good: "a: id int key, line1 text, line2 text, md5 text, sha256 text, utf8 text"},
	{rule: rule.NumberedColumns, bad: "a: id int key, line9 text, line10 text, line11 text, line30 text", good: "a: id int key, title_32 text, title_87 text, title_112 text, title_113 text"},
	{rule: rule.IsolatedTable, bad: "a: x int key", good: orders + "a: x int key -> orders.id"},
	{rule: rule.NonTransactional, bad: "a with engine=MyISAM: id int key", good: "a: id int key"},
}

// noSQLite are the dialects whose types differ in size.
var noSQLite = []string{"postgres", "mysql", "mssql"}

func enum(name string, values ...string) object {
	o := object{Kind: designer.ObjectType, Schema: "public", Name: name, Values: values}
	if len(values) == 0 {
		o.Definition = "CREATE TYPE public." + name + " AS ENUM ()"
	}
	return o
}

// columns are n columns that are not a list of numbered ones.
func columns(n int) string {
	text := ""
	for i := range n {
		if i > 0 {
			text += ", "
		}
		text += letters(i) + " int"
	}
	return text
}

func indexes(n int) string {
	text := ""
	for i := range n {
		text += "; index ix_" + letters(i) + " (" + letters(i) + ")"
	}
	return text
}

func letters(i int) string { return "c" + string(rune('a'+i/26)) + string(rune('a'+i%26)) }
