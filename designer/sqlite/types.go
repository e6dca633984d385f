package sqlite

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// types lists the types people write, common ones first. SQLite takes any
// words for a type and derives an affinity from them; lengths and precisions
// are kept but not enforced. Only INTEGER makes a key that numbers itself. A
// FLOAT holds eight bytes, as REAL does.
func types() []designer.TypeInfo {
	plain := func(kind designer.TypeKind, name string, aliases ...string) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Aliases: aliases, Family: affinity(name).family(), Kind: kind}
	}
	sized := func(kind designer.TypeKind, name string, aliases ...string) designer.TypeInfo {
		t := plain(kind, name, aliases...)
		t.Length = designer.Optional
		return t
	}
	decimal := func(name string, aliases ...string) designer.TypeInfo {
		t := plain(designer.KindDecimal, name, aliases...)
		t.Precision = designer.Range{Min: 1, Max: 1000, Unset: true}
		t.Scale = designer.Range{Min: 0, Max: 1000}
		return t
	}
	integer := plain(designer.KindInt64, "INTEGER")
	integer.Identity = true
	return []designer.TypeInfo{
		integer, plain(designer.KindText, "TEXT"), plain(designer.KindFloat64, "REAL"),
		plain(designer.KindBlob, "BLOB"), decimal("NUMERIC"),
		sized(designer.KindVarchar, "VARCHAR", "CHARACTER VARYING", "VARYING CHARACTER"),
		plain(designer.KindBool, "BOOLEAN", "BOOL"),
		plain(designer.KindTimestamp, "DATETIME"), plain(designer.KindDate, "DATE"), decimal("DECIMAL", "DEC"),
		plain(designer.KindInt32, "INT"), plain(designer.KindInt64, "BIGINT"),
		plain(designer.KindTimestamp, "TIMESTAMP"), plain(designer.KindTime, "TIME"),
		sized(designer.KindNVarchar, "NVARCHAR", "NATIONAL VARCHAR"),
		sized(designer.KindChar, "CHAR", "CHARACTER"), sized(designer.KindNChar, "NCHAR", "NATIVE CHARACTER"),
		plain(designer.KindInt16, "SMALLINT"), plain(designer.KindInt8, "TINYINT"), plain(designer.KindInt24, "MEDIUMINT"),
		plain(designer.KindInt16, "INT2"), plain(designer.KindInt64, "INT8"),
		plain(designer.KindUint64, "UNSIGNED BIG INT"),
		plain(designer.KindFloat64, "FLOAT"), plain(designer.KindFloat64, "DOUBLE", "DOUBLE PRECISION"),
		plain(designer.KindText, "CLOB"), plain(designer.KindJSON, "JSON"), plain(designer.KindJSON, "JSONB"),
		plain(designer.KindUUID, "UUID"), sized(designer.KindBinary, "BINARY"), sized(designer.KindVarbinary, "VARBINARY"),
		plain("", "ANY"), // whatever it is given, like no type at all
	}
}

// affinityOf is SQLite's idea of a column's type.
type affinityOf int

const (
	blobAffinity affinityOf = iota
	textAffinity
	numericAffinity
	integerAffinity
	realAffinity
)

// affinity applies the rules of "Determination Of Column Affinity", in their
// order.
func affinity(dataType string) affinityOf {
	t := strings.ToUpper(dataType)
	has := func(part string) bool { return strings.Contains(t, part) }
	switch {
	case has("INT"):
		return integerAffinity
	case has("CHAR"), has("CLOB"), has("TEXT"):
		return textAffinity
	case has("BLOB"), t == "":
		return blobAffinity
	case has("REAL"), has("FLOA"), has("DOUB"):
		return realAffinity
	}
	return numericAffinity
}

func (a affinityOf) family() string {
	return [...]string{"blob", "text", "numeric", "numeric", "numeric"}[a]
}

// sameFamily reports whether a foreign key may pair the columns: where both
// have a numeric affinity, or the same one, or one has none and so stores
// whatever it is given.
func sameFamily(a, b designer.Column) bool {
	x, y := affinity(a.DataType), affinity(b.DataType)
	return x.family() == y.family() || x == blobAffinity || y == blobAffinity
}
