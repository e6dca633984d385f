package sqlite

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// types lists the types people write, common ones first. SQLite takes any
// words for a type and derives an affinity from them; lengths and precisions
// are kept but not enforced. Only INTEGER makes a key that numbers itself.
func types() []designer.TypeInfo {
	plain := func(name string, aliases ...string) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Aliases: aliases, Family: affinity(name).family()}
	}
	sized := func(name string, aliases ...string) designer.TypeInfo {
		t := plain(name, aliases...)
		t.Length = designer.Optional
		return t
	}
	decimal := func(name string, aliases ...string) designer.TypeInfo {
		t := plain(name, aliases...)
		t.Precision = designer.Range{Min: 1, Max: 1000, Unset: true}
		t.Scale = designer.Range{Min: 0, Max: 1000}
		return t
	}
	integer := plain("INTEGER")
	integer.Identity = true
	return []designer.TypeInfo{
		integer, plain("TEXT"), plain("REAL"), plain("BLOB"), decimal("NUMERIC"),
		sized("VARCHAR", "CHARACTER VARYING", "VARYING CHARACTER"), plain("BOOLEAN", "BOOL"),
		plain("DATETIME"), plain("DATE"), decimal("DECIMAL", "DEC"), plain("INT"), plain("BIGINT"),
		plain("TIMESTAMP"), plain("TIME"), sized("NVARCHAR", "NATIONAL VARCHAR"),
		sized("CHAR", "CHARACTER"), sized("NCHAR", "NATIVE CHARACTER"),
		plain("SMALLINT"), plain("TINYINT"), plain("MEDIUMINT"), plain("INT2"), plain("INT8"),
		plain("UNSIGNED BIG INT"), plain("FLOAT"), plain("DOUBLE", "DOUBLE PRECISION"),
		plain("CLOB"), plain("JSON"), plain("JSONB"), plain("UUID"), sized("BINARY"), sized("VARBINARY"),
		plain("ANY"),
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

// sameFamily tells whether a foreign key may pair the columns: where both
// have a numeric affinity, or the same one, or one has none and so stores
// whatever it is given.
func sameFamily(a, b designer.Column) bool {
	x, y := affinity(a.DataType), affinity(b.DataType)
	return x.family() == y.family() || x == blobAffinity || y == blobAffinity
}
