package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTypeRules(t *testing.T) {
	tests := []struct{ rule, column, message string }{
		{"a length is required", `{"name":"a","dataType":"nvarchar"}`, "Column 'a' needs a maxLength for data type 'nvarchar': give a number from 1 to 4000 or MAX"},
		{"a blank length is none", `{"name":"a","dataType":"nvarchar()","maxLength":""}`, "Column 'a' needs a maxLength for data type 'nvarchar': give a number from 1 to 4000 or MAX"},
		{"a length is positive", `{"name":"a","dataType":"nvarchar","maxLength":0}`, "maxLength '0' is invalid for data type 'nvarchar': give a number from 1 to 4000 or MAX"},
		{"a length is a number", `{"name":"a","dataType":"varchar(ten)"}`, "maxLength 'ten' is invalid for data type 'varchar': give a number from 1 to 4000 or MAX"},
		{"a length is bounded", `{"name":"a","dataType":"nvarchar(4001)"}`, "maxLength '4001' is invalid for data type 'nvarchar': give a number from 1 to 4000 or MAX"},
		{"a length is not for every type", `{"name":"a","dataType":"int","maxLength":"5"}`, "Data type 'int' takes no maxLength"},
		{"arguments are not for every type", `{"name":"a","dataType":"int(11)"}`, "Data type 'int' does not take (11)"},
		{"arguments are not too many", `{"name":"a","dataType":"decimal(1,2,3)"}`, "Data type 'decimal' does not take (1,2,3)"},
		{"arguments are numbers", `{"name":"a","dataType":"decimal(a)"}`, "Data type 'decimal' does not take (a)"},
		{"precision has a range", `{"name":"a","dataType":"decimal","precision":39}`, "Precision 39 is out of range for data type 'decimal': 1 to 38"},
		{"precision is not for every type", `{"name":"a","dataType":"int","precision":5}`, "Data type 'int' takes no precision"},
		{"scale has a range", `{"name":"a","dataType":"datetime2","scale":8}`, "Scale 8 is out of range for data type 'datetime2': 0 to 7"},
		{"scale is not for every type", `{"name":"a","dataType":"float","scale":1}`, "Data type 'float' takes no scale"},
		{"scale stays below precision", `{"name":"a","dataType":"decimal(4,5)"}`, "Scale 5 exceeds precision 4"},
		{"a length is given once", `{"name":"a","dataType":"nvarchar(20)","maxLength":"30"}`, "maxLength conflicts with the data type's own text: give it once"},
		{"a precision is given once", `{"name":"a","dataType":"decimal(9)","precision":8}`, "precision conflicts with the data type's own text: give it once"},
		{"a scale is given once", `{"name":"a","dataType":"decimal(9,3)","scale":2}`, "scale conflicts with the data type's own text: give it once"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			err := refuse(t, shop(t, serverDialect()), addsColumn(tt.column))
			assert.Equal(t, tt.message, err.Message)
			assert.Equal(t, ValidationError, err.Reason)
		})
	}
}

func TestAnUnknownTypeGetsASampleOfThoseThatAre(t *testing.T) {
	err := refuse(t, shop(t, serverDialect()), addsColumn(`{"name":"a","dataType":"strng"}`))
	assert.Equal(t, "Data type 'strng' is invalid", err.Message)
	require.NotNil(t, err.Hints)
	assert.Len(t, err.Hints.AllowedDataTypeSample, MaxHints)
	assert.Equal(t, "int", err.Hints.AllowedDataTypeSample[0])
	for _, text := range []string{"nvarchar(20", "nvarchar)20(", "nvarchar(2)(3)", "int identity(1,1)"} {
		err := refuse(t, shop(t, serverDialect()), addsColumn(`{"name":"a","dataType":"`+text+`"}`))
		assert.Contains(t, err.Message, "is invalid", text)
	}
}

func TestATypeIsTakenApart(t *testing.T) {
	tests := []struct {
		name, column string
		want         Column
	}{
		{"a length", `"dataType":"nvarchar(200)"`, Column{DataType: "nvarchar", MaxLength: "200"}},
		{"a length said twice", `"dataType":"nvarchar( 200 )","maxLength":200`, Column{DataType: "nvarchar", MaxLength: "200"}},
		{"a length in another spelling", `"dataType":"varchar","maxLength":" 0200 "`, Column{DataType: "varchar", MaxLength: "200"}},
		{"the greatest length", `"dataType":"VARCHAR(max)"`, Column{DataType: "VARCHAR", MaxLength: "MAX"}},
		{"an optional length", `"dataType":"varbinary"`, Column{DataType: "varbinary"}},
		{"precision and scale", `"dataType":"decimal( 18 , 4 )"`, Column{DataType: "decimal", Precision: 18, Scale: 4}},
		{"precision and scale beside blanks", `"dataType":"decimal(18,4)","maxLength":"","precision":0,"scale":0`, Column{DataType: "decimal", Precision: 18, Scale: 4}},
		{"an alias", `"dataType":"Numeric(9)"`, Column{DataType: "Numeric", Precision: 9, Scale: 2}},
		{"an alias of two words", `"dataType":"character  varying(9)"`, Column{DataType: "character varying", MaxLength: "9"}},
		{"defaults", `"dataType":"decimal"`, Column{DataType: "decimal", Precision: 18, Scale: 2}},
		{"a precision below the default scale", `"dataType":"decimal","precision":1`, Column{DataType: "decimal", Precision: 1, Scale: 1}},
		{"a single argument that is a scale", `"dataType":"datetime2(3)"`, Column{DataType: "datetime2", Scale: 3}},
		{"a precision of none", `"dataType":"float","precision":0`, Column{DataType: "float"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := shop(t, serverDialect())
			apply(t, s, "["+addsColumn(`{"name":"a",`+tt.column+`}`)+"]")
			got := columnOf(t, s, "Orders", "a")
			tt.want.ID, tt.want.Name, tt.want.IsNullable = got.ID, "a", true
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestAChangedTypeRefillsItsDefaults(t *testing.T) {
	tests := []struct {
		name, column, set string
		want              Column
	}{
		{"a required length", "Total", `{"dataType":"nvarchar","defaultValue":""}`, Column{DataType: "nvarchar", MaxLength: "50"}},
		{"a required length given as a blank", "Total", `{"dataType":"varchar","maxLength":"","precision":0,"scale":0}`, Column{DataType: "varchar", MaxLength: "50"}},
		{"an optional length", "Note", `{"dataType":"varbinary"}`, Column{DataType: "varbinary", MaxLength: "MAX"}},
		{"precision and scale", "Note", `{"dataType":"decimal"}`, Column{DataType: "decimal", Precision: 18, Scale: 2}},
		{"precision and scale given as blanks", "Note", `{"dataType":"decimal","maxLength":"","precision":0,"scale":0}`, Column{DataType: "decimal", Precision: 18, Scale: 2}},
		{"nothing where the type takes nothing", "Note", `{"dataType":"date"}`, Column{DataType: "date"}},
		{"the same type keeps its length", "Note", `{"dataType":"NVARCHAR"}`, Column{DataType: "NVARCHAR", MaxLength: "MAX"}},
		{"an alias keeps precision and scale", "Total", `{"dataType":"numeric"}`, Column{DataType: "numeric", Precision: 10, Scale: 2}},
		{"a length alone", "Note", `{"maxLength":"30"}`, Column{DataType: "nvarchar", MaxLength: "30"}},
		{"a scale alone", "Total", `{"scale":10}`, Column{DataType: "decimal", Precision: 10, Scale: 10}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := shop(t, serverDialect())
			was := columnOf(t, s, "Orders", tt.column)
			apply(t, s, "["+setsColumn("Orders", tt.column, tt.set)+"]")
			got := columnOf(t, s, "Orders", tt.column)
			tt.want.ID, tt.want.Name, tt.want.IsNullable, tt.want.DefaultValue = was.ID, was.Name, true, got.DefaultValue
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestAScaleThatSomebodyAskedForIsNotCut(t *testing.T) {
	s := shop(t, serverDialect())
	apply(t, s, "["+setsColumn("Orders", "Total", `{"scale":6}`)+"]")
	err := refuse(t, s, setsColumn("Orders", "Total", `{"precision":5}`))
	assert.Equal(t, "Scale 6 exceeds precision 5", err.Message)
}
