package designer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATypesTextIsReadBackAsTheSameType(t *testing.T) {
	d := serverDialect()
	d.Types = append(d.Types, TypeInfo{Name: "enum", Kind: KindEnum, Values: true})
	d.TypeNames.Split = func(text string) (string, []string, []string, bool) {
		return "enum", nil, []string{"a", "it's", ""}, strings.HasPrefix(text, "enum(")
	}
	for text, want := range map[string]Column{
		"int":                  {DataType: "int"},
		"nvarchar(20)":         {DataType: "nvarchar", MaxLength: "20"},
		"nvarchar(MAX)":        {DataType: "nvarchar", MaxLength: "MAX"},
		"decimal(10,2)":        {DataType: "decimal", Precision: 10, Scale: 2},
		"decimal(10,0)":        {DataType: "decimal", Precision: 10},
		"datetime2":            {DataType: "datetime2", Scale: 7},
		"datetime2(0)":         {DataType: "datetime2"},
		"enum('a','it''s','')": {DataType: "enum", Values: []string{"a", "it's", ""}},
	} {
		c, err := d.ReadType(text)
		require.Nil(t, err, "%s", text)
		assert.Equal(t, want, c, "%s", text)
		assert.Equal(t, text, d.TypeText(c))
	}
}

func TestARequiredLengthHasADefaultWhereTypesAreRead(t *testing.T) {
	c, err := serverDialect().ReadType("varchar")
	require.Nil(t, err)
	assert.Equal(t, "varchar(50)", serverDialect().TypeText(c))
}

func TestTheDatabasesSpellingOfATypeGoesFirst(t *testing.T) {
	assert.Equal(t, "NVARCHAR (20)", serverDialect().TypeText(Column{DataType: "NVARCHAR", MaxLength: "20", TypeText: "NVARCHAR (20)"}))
	assert.Equal(t, "", serverDialect().TypeText(Column{}))
	assert.Equal(t, "decimal(9,2) unsigned", serverDialect().TypeText(Column{DataType: "decimal unsigned", Precision: 9, Scale: 2}))
	assert.Equal(t, "varchar(20)[]", openDialect().TypeText(Column{DataType: "varchar[]", MaxLength: "20"}))
}

func TestTypesThatAreNoneAreRefused(t *testing.T) {
	for _, text := range []string{"", "nothing", "int(3)", "nvarchar(0)", "enum('a')", "decimal(99,1)"} {
		_, err := serverDialect().ReadType(text)
		assert.NotNil(t, err, "%s", text)
	}
}

func TestStringsAreWrittenAsTheDialectReadsThem(t *testing.T) {
	d := serverDialect()
	assert.Equal(t, `'it''s \'`, d.StringLiteral(`it's \`))
	d.SQL.Backslashes = true
	assert.Equal(t, `'it''s \\'`, d.StringLiteral(`it's \`))
}

func TestIdentifiersAreQuotedAsTheDialectDoes(t *testing.T) {
	assert.Equal(t, "[a]]b]", serverDialect().QuoteIdentifier("a]b"))
	assert.Equal(t, `"a""b"`, openDialect().QuoteIdentifier(`a"b`))
}

func TestTheFirstTypeOfAKindStandsForIt(t *testing.T) {
	d := &Dialect{Types: []TypeInfo{{Name: "odd"}, {Name: "old", Kind: KindTimestamp, Legacy: true}, {Name: "datetime2", Kind: KindTimestamp}, {Name: "datetime", Kind: KindTimestamp}}}
	info, ok := d.TypeOfKind(KindTimestamp)
	require.True(t, ok)
	assert.Equal(t, "datetime2", info.Name)
	for _, kind := range []TypeKind{"", KindJSON} {
		_, ok = d.TypeOfKind(kind)
		assert.False(t, ok, "%q", kind)
	}
}
