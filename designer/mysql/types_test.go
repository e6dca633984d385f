package mysql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/e2e/long"
)

func TestATypeIsKeptAsTheServerGivesItBack(t *testing.T) {
	for text, want := range map[string]designer.Column{
		"INTEGER":                         {DataType: "int"},
		"int(11)":                         {DataType: "int"},
		"int(10) unsigned":                {DataType: "int unsigned"},
		"bigint  UNSIGNED":                {DataType: "bigint unsigned"},
		"int signed":                      {DataType: "int"},
		"tinyint(1)":                      {DataType: "boolean"},
		"bool":                            {DataType: "boolean"},
		"tinyint(4)":                      {DataType: "tinyint"},
		"numeric(12, 4)":                  {DataType: "decimal", Precision: 12, Scale: 4},
		"decimal(12,4) unsigned":          {DataType: "decimal unsigned", Precision: 12, Scale: 4},
		"decimal":                         {DataType: "decimal", Precision: 10},
		"double precision":                {DataType: "double"},
		"float(53)":                       {DataType: "double"},
		"float(10)":                       {DataType: "float"},
		"float(7,2)":                      {DataType: "float", Precision: 7, Scale: 2},
		"character varying(20)":           {DataType: "varchar", MaxLength: "20"},
		"datetime(3)":                     {DataType: "datetime", Scale: 3},
		"year(4)":                         {DataType: "year"},
		"bit":                             {DataType: "bit", Precision: 1},
		"enum('a', 'b''c','d\\'e','f,g')": {DataType: "enum", Values: []string{"a", "b'c", "d'e", "f,g"}},
		`SET("x","y)")`:                   {DataType: "set", Values: []string{"x", "y)"}},
	} {
		t.Run(text, func(t *testing.T) {
			s := designer.New(mysql.Dialect(), &designer.Options{DefaultSchema: "app"})
			name := text
			_, refused := s.Apply(designer.Edit{Op: designer.AddTable, Table: designer.TableRef{Name: "t"},
				InitialColumns: []designer.ColumnSpec{{Name: new("c"), DataType: &name}}})
			require.Nil(t, refused)
			got := s.Tables()[0].Columns[0]
			want.ID, want.Name, want.IsNullable = got.ID, "c", true
			assert.Equal(t, want, got)
		})
	}
}

func TestATypeThatCannotBeMeantIsRefused(t *testing.T) {
	for text, message := range map[string]string{
		"enum":           "Column 'c' needs the values of data type 'enum': write enum('a','b')",
		"enum(a,b)":      "Data type 'enum' does not take (a,b)",
		"enum('a','a')":  "Column 'c' has the value 'a' twice",
		"int zerofill":   "Data type 'int zerofill' is invalid",
		"int(1,2)":       "Data type 'int' does not take (1,2)",
		"varchar":        "Column 'c' needs a maxLength for data type 'varchar': give a number from 1 to 65535",
		"decimal(66,1)":  "Precision 66 is out of range for data type 'decimal': 1 to 65",
		"nvarchar(max)":  "maxLength 'max' is invalid for data type 'varchar': give a number from 1 to 65535",
		"timestamp(9)":   "Scale 9 is out of range for data type 'timestamp': 0 to 6",
		"enum('a'":       "Data type 'enum('a'' is invalid",
		"uniqueidentifi": "Data type 'uniqueidentifi' is invalid",
	} {
		t.Run(text, func(t *testing.T) {
			s := designer.New(mysql.Dialect(), &designer.Options{DefaultSchema: "app"})
			name := text
			_, refused := s.Apply(designer.Edit{Op: designer.AddTable, Table: designer.TableRef{Name: "t"},
				InitialColumns: []designer.ColumnSpec{{Name: new("c"), DataType: &name}}})
			require.NotNil(t, refused)
			assert.Equal(t, message, refused.Message)
		})
	}
}

func TestValuesFollowTheType(t *testing.T) {
	s := designer.New(mysql.Dialect(), &designer.Options{DefaultSchema: "app"})
	set := func(fields string) designer.Column {
		apply(t, s, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{`+fields+`}}]`)
		return s.Tables()[0].Columns[0]
	}
	apply(t, s, `[{"op":"add_table","table":{"name":"t"},"initialColumns":[{"name":"c","dataType":"enum('a','b')"}]}]`)
	assert.Equal(t, []string{"a", "b"}, set(`"isNullable":false`).Values)
	assert.Equal(t, []string{"a", "b"}, set(`"dataType":"enum"`).Values, "the type said again")
	before := s.Version()
	assert.Equal(t, []string{"a", "b", "c"}, set(`"dataType":"enum('a','b','c')"`).Values)
	assert.NotEqual(t, before, s.Version())
	assert.Equal(t, []string{"a", "b", "c", "d"}, set(`"values":["a","b","c","d"]`).Values, "without the type")
	assert.Equal(t, "set", set(`"dataType":"set","values":["x"]`).DataType)
	assert.Empty(t, set(`"dataType":"int"`).Values)
	for fields, message := range map[string]string{
		`"values":["a"]`:                                        "Data type 'int' takes no values",
		`"dataType":"enum","values":["a","a"]`:                  "Column 'c' has the value 'a' twice",
		`"dataType":"enum('a')","values":["b"]`:                 "values conflicts with the data type's own text: give it once",
		`"dataType":"enum('a')","values":["a"],"maxLength":"3"`: "Data type 'enum' takes no maxLength",
	} {
		_, refused := s.Apply(decode(t, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{`+fields+`}}]`)[0])
		require.NotNil(t, refused, fields)
		assert.Equal(t, message, refused.Message)
	}
}

// TestPairsThatTheDesignerAllowsAreThoseTheServerAllows asks the server about
// every pair of types.
func TestPairsThatTheDesignerAllowsAreThoseTheServerAllows(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	d := mysql.Dialect()
	texts := map[string]string{"varchar": "varchar(20)", "char": "char(5)", "varbinary": "varbinary(20)", "binary": "binary(5)",
		"enum": "enum('a')", "set": "set('a')"}
	// what the server pairs though it makes no sense
	lenient := func(a, b designer.TypeInfo) bool {
		binary := func(t designer.TypeInfo) bool { // stored as bytes: any of them goes with any other
			switch t.Family {
			case "binary", "decimal", "decimal unsigned", "bit", "datetime", "timestamp", "time", "uuid", "inet6", "inet4":
				return true
			}
			return false
		}
		byte1 := func(t designer.TypeInfo) bool {
			return t.Name == "tinyint unsigned" || t.Family == "enum" || t.Family == "set" || t.Family == "year"
		}
		byte3 := func(t designer.TypeInfo) bool { return t.Name == "mediumint" || t.Family == "date" }
		return binary(a) && binary(b) || byte1(a) && byte1(b) || byte3(a) && byte3(b)
	}
	indexable := func(t designer.TypeInfo) bool {
		return t.Kind != designer.KindText && t.Kind != designer.KindBlob && t.Kind != designer.KindGeometry && t.Name != "json"
	}
	var all []designer.TypeInfo
	for _, typ := range d.Types {
		if indexable(typ) {
			all = append(all, typ)
		}
	}
	text := func(typ designer.TypeInfo) string {
		if texts[typ.Name] != "" {
			return texts[typ.Name]
		}
		return typ.Name
	}
	for i, a := range long.Sample(t, 6, all) {
		exec(t, db, fmt.Sprintf("CREATE TABLE p%d (c %s PRIMARY KEY)", i, text(a)))
		for _, b := range all {
			_, err := db.Exec(fmt.Sprintf("CREATE TABLE c (c %s, FOREIGN KEY (c) REFERENCES p%d (c))", text(b), i))
			if err == nil {
				exec(t, db, "DROP TABLE c")
			} else {
				require.Contains(t, err.Error(), "incorrectly formed", "%s to %s", b.Name, a.Name)
			}
			allowed := d.ForeignKeys.Pairs(designer.Column{DataType: b.Name}, designer.Column{DataType: a.Name})
			if allowed || err != nil || !lenient(a, b) {
				assert.Equal(t, err == nil, allowed, "%s to %s: %v", b.Name, a.Name, err)
			}
		}
	}
}

func TestTextsOfDifferentCollationsAreNotPaired(t *testing.T) {
	same := mysql.Dialect().ForeignKeys.Pairs
	text := func(collation string) designer.Column {
		return designer.Column{DataType: "varchar", Collation: collation}
	}
	assert.True(t, same(text(""), text("latin1_bin")), "the table may have that one")
	assert.True(t, same(text("latin1_bin"), text("LATIN1_BIN")))
	assert.False(t, same(text("utf8mb4_bin"), text("latin1_bin")))
	assert.True(t, same(designer.Column{DataType: "vector"}, text("")), "what is not known is left to the server")
}

func TestEveryWordThatNeedsQuotesIsReserved(t *testing.T) {
	db := newDatabase(t)
	reserved := mysql.Dialect().Reserved
	rows, err := db.Query("SELECT word FROM information_schema.keywords")
	require.NoError(t, err)
	var words []string
	for rows.Next() {
		var w string
		require.NoError(t, rows.Scan(&w))
		if strings.Trim(strings.ToUpper(w), "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" {
			words = append(words, w)
		}
	}
	require.NoError(t, rows.Err())
	require.Greater(t, len(words), 300)
	refused := 0
	for _, w := range words {
		parsed, err := db.Prepare("CREATE TABLE t (a int, " + w + " int)") // which makes no table
		if err != nil {
			assert.True(t, reserved[strings.ToUpper(w)], "%s: %v", w, err)
			refused++
			continue
		}
		require.NoError(t, parsed.Close())
	}
	assert.Greater(t, refused, 200, "words are refused where they are parsed")
}
