package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// maxLength is the longest bounded string in bytes; one of two-byte
// characters has half of it.
const maxLength = 8000

// typesByName finds a type by its lower-case name or alias. It is never
// modified.
var typesByName = byName(types())

func byName(list []designer.TypeInfo) map[string]*designer.TypeInfo {
	m := map[string]*designer.TypeInfo{}
	for i := range list {
		m[strings.ToLower(list[i].Name)] = &list[i]
		for _, a := range list[i].Aliases {
			m[strings.ToLower(a)] = &list[i]
		}
	}
	return m
}

// types lists the types of SQL Server 2016 and later, common ones first. The
// names are those that the catalogue shows; what SQL Server takes for one of
// them and does not remember is an alias.
func types() []designer.TypeInfo {
	return []designer.TypeInfo{
		integer("int", designer.KindInt32, "integer"), integer("bigint", designer.KindInt64),
		text("nvarchar", designer.KindNVarchar, maxLength/2, "national character varying", "national char varying"),
		text("varchar", designer.KindVarchar, maxLength, "character varying", "char varying"),
		decimal("decimal", "dec"),
		plain("bit", "bit", designer.KindBool),
		fraction("datetime2", designer.KindTimestamp), plain("date", "date", designer.KindDate),
		plain("uniqueidentifier", "uniqueidentifier", designer.KindUUID),
		plain("float", "float", designer.KindFloat64, "double precision"),
		plain("datetime", "datetime", designer.KindTimestamp), plain("money", "money", designer.KindMoney),
		text("varbinary", designer.KindVarbinary, maxLength, "binary varying"),
		integer("smallint", designer.KindInt16), integer("tinyint", designer.KindUint8),
		padded("nchar", designer.KindNChar, maxLength/2, "national character", "national char"),
		padded("char", designer.KindChar, maxLength, "character"),
		fraction("time", designer.KindTime), fraction("datetimeoffset", designer.KindTimestampTZ),
		decimal("numeric"), plain("real", "real", designer.KindFloat32),
		padded("binary", designer.KindBinary, maxLength),
		plain("xml", "xml", designer.KindXML), plain("smallmoney", "smallmoney", designer.KindMoney),
		plain("smalldatetime", "smalldatetime", designer.KindTimestamp),
		plain("rowversion", "rowversion", designer.KindRowVersion, "timestamp"),
		plain("sysname", "text", ""), plain("sql_variant", "sql_variant", ""),
		plain("hierarchyid", "hierarchyid", ""),
		plain("geography", "geography", designer.KindGeography), plain("geometry", "geometry", designer.KindGeometry),
		legacy("ntext", designer.KindText, "national text"), legacy("text", designer.KindText), legacy("image", designer.KindBlob),
	}
}

func plain(name, family string, kind designer.TypeKind, aliases ...string) designer.TypeInfo {
	return designer.TypeInfo{Name: name, Aliases: aliases, Family: family, Kind: kind}
}

// legacy is a type that Microsoft says not to use in new work.
func legacy(name string, kind designer.TypeKind, aliases ...string) designer.TypeInfo {
	t := plain(name, name, kind, aliases...)
	t.Legacy = true
	return t
}

func integer(name string, kind designer.TypeKind, aliases ...string) designer.TypeInfo {
	t := plain(name, name, kind, aliases...)
	t.Identity = true
	return t
}

// padded is a type of fixed length. A length is required: without one it
// would silently be 1.
func padded(name string, kind designer.TypeKind, longest int, aliases ...string) designer.TypeInfo {
	t := plain(name, family(name), kind, aliases...)
	t.Length, t.MaxLength, t.DefaultLength = designer.Required, longest, "50"
	return t
}

func text(name string, kind designer.TypeKind, longest int, aliases ...string) designer.TypeInfo {
	t := padded(name, kind, longest, aliases...)
	t.AllowsMax = true
	return t
}

func decimal(name string, aliases ...string) designer.TypeInfo {
	t := plain(name, name, designer.KindDecimal, aliases...)
	t.Precision = designer.Range{Min: 1, Max: 38, Default: 18}
	t.Scale = designer.Range{Min: 0, Max: 38}
	t.Identity = true
	return t
}

// fraction is a type with digits of a second.
func fraction(name string, kind designer.TypeKind) designer.TypeInfo {
	t := plain(name, name, kind)
	t.Scale = designer.Range{Min: 0, Max: 7, Default: 7}
	return t
}

// family separates text, which has a collation, from bytes.
func family(name string) string {
	if strings.HasSuffix(name, "binary") {
		return "binary"
	}
	return "text"
}

// isText reports whether values of the type are compared by a collation.
func isText(dataType string) bool {
	switch strings.ToLower(dataType) {
	case "char", "varchar", "nchar", "nvarchar", "text", "ntext", "sysname":
		return true
	}
	return false
}

// sameFamily reports whether a foreign key may pair the columns: SQL Server
// wants the same type (error 1778), the same length and scale (1753) and the
// same collation (1757). It takes decimals of unlike precision where both
// need the same room. What the dialect does not know, such as a type of the
// user's own, is left to the server.
func sameFamily(a, b designer.Column) bool {
	d := typesByName
	x, known := d[strings.ToLower(a.DataType)]
	y, both := d[strings.ToLower(b.DataType)]
	if !known || !both {
		return true
	}
	return x.Name == y.Name && strings.EqualFold(a.MaxLength, b.MaxLength) && a.Scale == b.Scale &&
		decimalBytes(a.Precision) == decimalBytes(b.Precision) && strings.EqualFold(a.Collation, b.Collation)
}

// decimalBytes is the room a decimal of so many digits needs; 0 for types
// without a precision.
func decimalBytes(precision int) int {
	switch {
	case precision == 0:
		return 0
	case precision <= 9:
		return 5
	case precision <= 19:
		return 9
	case precision <= 28:
		return 13
	}
	return 17
}

// fixedBytes is the room that a binary value needs for any value of a type
// with a size of its own, 0 for the others ("Storage" on the types' pages).
func fixedBytes(c designer.Column) int {
	const precisionByte, decimalHeader = 1, 4
	switch strings.ToLower(c.DataType) {
	case "bit", "tinyint":
		return 1
	case "smallint":
		return 2
	case "date":
		return 3
	case "int", "integer", "real", "smallmoney", "smalldatetime":
		return 4
	case "time":
		return 5 + precisionByte
	case "bigint", "float", "double precision", "money", "datetime", "rowversion", "timestamp":
		return 8
	case "datetime2":
		return 8 + precisionByte
	case "datetimeoffset":
		return 10 + precisionByte
	case "uniqueidentifier":
		return 16
	case "decimal", "dec", "numeric":
		return decimalBytes(c.Precision) + decimalHeader
	}
	return 0
}
