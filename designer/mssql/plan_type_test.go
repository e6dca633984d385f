package mssql

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer"
)

func TestTypesChangeTheWayTheServerTakes(t *testing.T) {
	max := func(name string) designer.Column { return designer.Column{DataType: name, MaxLength: "MAX"} }
	plain := func(name string) designer.Column { return designer.Column{DataType: name} }
	for _, tt := range []struct {
		from, to designer.Column
		want     conversion
	}{
		{plain("int"), plain("bigint"), implicit},
		{plain("int"), plain("varchar"), implicit},
		{plain("varchar"), plain("int"), implicit},
		{plain("nvarchar"), plain("varbinary"), explicit},
		{plain("varbinary"), plain("nvarchar"), implicit},
		{plain("int"), plain("datetime"), implicit},
		{plain("datetime"), plain("int"), explicit},
		{plain("int"), plain("date"), impossible},
		{plain("date"), plain("datetime2"), implicit},
		{plain("date"), plain("int"), impossible},
		{plain("uniqueidentifier"), plain("int"), impossible},
		{plain("uniqueidentifier"), plain("char"), implicit},
		{plain("xml"), max("nvarchar"), explicit},
		{plain("nvarchar"), plain("xml"), implicit},
		{plain("text"), max("varchar"), implicit},
		{plain("text"), plain("varchar"), explicit},
		{plain("image"), max("varbinary"), implicit},
		{plain("int"), plain("rowversion"), regenerated},
		{plain("rowversion"), plain("binary"), explicit},
		{plain("geometry"), plain("geography"), impossible},
		{plain("sql_variant"), plain("int"), explicit},
		{plain("Flag"), plain("bit"), implicit},
	} {
		assert.Equal(t, tt.want, conversionOf(tt.from, tt.to), "%s to %s", tt.from.DataType, tt.to.DataType)
	}
}

func TestNarrowingIsNoticed(t *testing.T) {
	for _, tt := range []struct {
		from, to designer.Column
		want     bool
	}{
		{designer.Column{DataType: "int"}, designer.Column{DataType: "bigint"}, false},
		{designer.Column{DataType: "bigint"}, designer.Column{DataType: "int"}, true},
		{designer.Column{DataType: "varchar", MaxLength: "9"}, designer.Column{DataType: "varchar", MaxLength: "10"}, false},
		{designer.Column{DataType: "varchar", MaxLength: "MAX"}, designer.Column{DataType: "varchar", MaxLength: "8000"}, true},
		{designer.Column{DataType: "decimal", Precision: 10, Scale: 2}, designer.Column{DataType: "decimal", Precision: 10, Scale: 4}, true},
		{designer.Column{DataType: "decimal", Precision: 10, Scale: 2}, designer.Column{DataType: "decimal", Precision: 12, Scale: 4}, false},
	} {
		assert.Equal(t, tt.want, narrows(tt.from, tt.to), "%v to %v", tt.from, tt.to)
	}
}
