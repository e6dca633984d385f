package mysql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
)

func TestWhatIsReadIsSettledAlready(t *testing.T) {
	db := newDatabase(t)
	load(t, db, fixture(t, "everything.sql"))
	s := build(t, read(t, db))
	before := s.Definition()
	for _, table := range s.Tables() {
		mysql.Dialect().Settle(table)
	}
	assert.Equal(t, before, s.Definition())
}

// TestADefaultIsWrittenAsTheServerWritesIt asks the server about each.
func TestADefaultIsWrittenAsTheServerWritesIt(t *testing.T) {
	db := newDatabase(t)
	s := designer.New(mysql.Dialect(), &designer.Options{DefaultSchema: "app"})
	apply(t, s, `[{"op":"add_table","table":{"name":"t"},"initialColumns":[{"name":"id","dataType":"int"}]}]`)
	for i, c := range []struct{ dataType, value string }{
		{"int", "5"}, {"int", "'5'"}, {"int", "1.6"}, {"int", "-1.5"}, {"int", "+3"}, {"int", "(7)"}, {"int", "true"}, {"bigint", "007"}, {"int", "NULL"},
		{"decimal(10,2)", "0"}, {"decimal(10,2)", "'1.5'"}, {"decimal(10,2)", "-1"}, {"decimal(10,2)", "1.005"}, {"decimal", "1.7"}, {"decimal(5,1) unsigned", "2"},
		{"double", "1.50"}, {"double", ".5"}, {"float", "1.10"}, {"float", "3"}, {"float(7,2)", "1"}, {"double", "-0.25"}, {"double", "1.0"},
		{"varchar(10)", "5"}, {"varchar(10)", "1.50"}, {"varchar(10)", "'it''s'"}, {"varchar(10)", `"x"`}, {"varchar(10)", "null"}, {"char(3)", "true"}, {"varchar(10)", "('x')"},
		{"boolean", "FALSE"}, {"boolean", "1"}, {"bit(4)", "b'0101'"}, {"enum('A','b')", "'a'"},
		{"datetime", "CURRENT_TIMESTAMP"}, {"datetime", "now()"}, {"timestamp(3)", "NOW(3)"}, {"datetime(6)", "localtimestamp(6)"}, {"datetime", "(current_timestamp())"},
		{"varchar(40)", "uuid()"}, {"int", "(1 + 2)"},
	} {
		spec := designer.ColumnSpec{Name: new(fmt.Sprintf("c%d", i)), DataType: new(c.dataType), DefaultValue: new(c.value)}
		_, refused := s.Apply(designer.Edit{Op: designer.AddColumn, Table: designer.TableRef{Name: "t"}, Column: spec})
		require.Nil(t, refused)
	}
	plan, err := mysql.Engine{}.Script(s)
	require.NoError(t, err)
	run(t, db, plan)
	want, got := s.Definition().Tables[0].Columns, build(t, read(t, db)).Definition().Tables[0].Columns
	require.Len(t, got, len(want))
	for i := range want {
		assert.Equal(t, want[i].DefaultValue, got[i].DefaultValue, "%s %s", want[i].Name, want[i].DataType)
	}
}

func TestANewTypeTakesAwayWhatItDoesNotHave(t *testing.T) {
	s := build(t, designer.Definition{Tables: []designer.TableDefinition{{Name: "t",
		Columns: []designer.Column{
			{Name: "a", DataType: "varchar", MaxLength: "50", Collation: "latin1_bin", Options: map[string]string{mysql.OptionCompressed: "COMPRESSED"}},
			{Name: "d", DataType: "datetime", Options: map[string]string{mysql.OptionOnUpdate: "current_timestamp()", mysql.OptionInvisible: "yes"}},
			{Name: "e", DataType: "datetime", Options: map[string]string{mysql.OptionOnUpdate: "current_timestamp()"}},
		},
		PrimaryKey: &designer.KeyDefinition{Columns: []string{"a", "d"}, Options: map[string]string{mysql.OptionOrder: "desc,asc", mysql.OptionComment: "x"}},
		Indexes:    []designer.IndexDefinition{{Name: "ix", Parts: []designer.IndexKeyDefinition{{Column: "a", Length: 10}}}},
	}}})
	set := func(column, fields string) {
		apply(t, s, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"`+column+`"},"set":{`+strings.ReplaceAll(fields, "'", `"`)+`}}]`)
	}
	set("a", "'maxLength':'10'")
	set("d", "'dataType':'date','isPrimaryKey':false")
	set("e", "'dataType':'datetime(3)'")
	table := s.Definition().Tables[0]
	assert.Zero(t, table.Indexes[0].Parts[0].Length, "it is the whole column now")
	assert.Equal(t, map[string]string{mysql.OptionInvisible: "yes"}, table.Columns[1].Options)
	assert.Equal(t, map[string]string{mysql.OptionOnUpdate: "current_timestamp(3)"}, table.Columns[2].Options)
	assert.Equal(t, map[string]string{mysql.OptionComment: "x"}, table.PrimaryKey.Options)
	set("a", "'dataType':'int'")
	assert.Equal(t, designer.Column{Name: "a", DataType: "int"}, s.Definition().Tables[0].Columns[0])
}
