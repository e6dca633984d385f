package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// types lists the data types, common ones first. An unsigned type is a type
// of its own: foreign keys do not pair it with its signed twin. Where several
// types hold the same, the one that loses nothing comes first.
func types() []designer.TypeInfo {
	return append(append(numericTypes(), textTypes()...), otherTypes()...)
}

func numericTypes() []designer.TypeInfo {
	integer := func(name string, kind designer.TypeKind, aliases ...string) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Aliases: aliases, Family: name, Kind: kind, Identity: true}
	}
	decimal := func(name string, kind designer.TypeKind, aliases ...string) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Aliases: aliases, Family: name, Kind: kind,
			Precision: designer.Range{Min: 1, Max: 65, Default: 10}, Scale: designer.Range{Min: 0, Max: 38}}
	}
	floating := func(name string, kind designer.TypeKind, aliases ...string) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Aliases: aliases, Family: strings.Fields(name)[0], Kind: kind,
			Precision: designer.Range{Min: 1, Max: 255, Unset: true}, Scale: designer.Range{Min: 0, Max: 30}}
	}
	boolean := designer.TypeInfo{Name: "boolean", Aliases: []string{"bool"}, Family: "tinyint", Kind: designer.KindBool}
	return []designer.TypeInfo{
		integer("int", designer.KindInt32, "integer", "int4"), integer("bigint", designer.KindInt64, "int8"),
		decimal("decimal", designer.KindDecimal, "numeric", "dec", "fixed"), boolean,
		integer("int unsigned", designer.KindUint32, "integer unsigned", "int4 unsigned"),
		integer("bigint unsigned", designer.KindUint64, "int8 unsigned"),
		integer("tinyint", designer.KindInt8, "int1"), integer("tinyint unsigned", designer.KindUint8, "int1 unsigned"),
		integer("smallint", designer.KindInt16, "int2"), integer("smallint unsigned", designer.KindUint16, "int2 unsigned"),
		integer("mediumint", designer.KindInt24, "middleint", "int3"),
		integer("mediumint unsigned", "", "middleint unsigned", "int3 unsigned"),
		floating("double", designer.KindFloat64, "double precision", "real", "float8"),
		floating("float", designer.KindFloat32, "float4"),
		decimal("decimal unsigned", "", "numeric unsigned", "dec unsigned", "fixed unsigned"),
		floating("double unsigned", "", "double precision unsigned", "real unsigned"), floating("float unsigned", ""),
		{Name: "bit", Family: "bit", Kind: designer.KindBit, Precision: designer.Range{Min: 1, Max: 64, Default: 1}},
	}
}

func textTypes() []designer.TypeInfo {
	sized := func(name, family string, kind designer.TypeKind, most int, length string, aliases ...string) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Aliases: aliases, Family: family, Kind: kind,
			Length: designer.Required, MaxLength: most, DefaultLength: length}
	}
	unbounded := func(name, family string, kind designer.TypeKind, aliases ...string) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Aliases: aliases, Family: family, Kind: kind}
	}
	enum := func(name string, kind designer.TypeKind) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Family: name, Kind: kind, Values: true}
	}
	return []designer.TypeInfo{
		sized("varchar", "text", designer.KindVarchar, 65535, "255", "character varying", "varcharacter",
			"nvarchar", "national varchar", "national character varying", "nchar varying"),
		sized("char", "text", designer.KindChar, 255, "1", "character", "nchar", "national char", "national character"),
		unbounded("longtext", "text", designer.KindText), unbounded("text", "text", designer.KindText),
		unbounded("mediumtext", "text", designer.KindText, "long", "long varchar"), unbounded("tinytext", "text", designer.KindText),
		sized("varbinary", "binary", designer.KindVarbinary, 65535, "255"), sized("binary", "binary", designer.KindBinary, 255, "1"),
		unbounded("longblob", "binary", designer.KindBlob), unbounded("blob", "binary", designer.KindBlob),
		unbounded("mediumblob", "binary", designer.KindBlob, "long varbinary"), unbounded("tinyblob", "binary", designer.KindBlob),
		enum("enum", designer.KindEnum), enum("set", designer.KindSet),
	}
}

func otherTypes() []designer.TypeInfo {
	plain := func(name string, kind designer.TypeKind, aliases ...string) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Aliases: aliases, Family: name, Kind: kind}
	}
	timed := func(name string, kind designer.TypeKind) designer.TypeInfo {
		t := plain(name, kind)
		t.Scale = designer.Range{Min: 0, Max: 6}
		return t
	}
	all := []designer.TypeInfo{
		timed("datetime", designer.KindTimestamp), timed("timestamp", designer.KindTimestampTZ),
		plain("date", designer.KindDate), timed("time", designer.KindTime), plain("json", designer.KindJSON),
		plain("year", designer.KindYear), plain("uuid", designer.KindUUID), plain("inet6", designer.KindNetwork),
		plain("inet4", designer.KindNetwork), plain("geometry", designer.KindGeometry),
	}
	for _, name := range []string{"point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon"} {
		all = append(all, plain(name, designer.KindGeometry))
	}
	return append(all, plain("geometrycollection", designer.KindGeometry, "geomcollection"))
}

// catalogue is what typeNamed looks in; it is never modified.
var catalogue = designer.Dialect{Types: types()}

// typeNamed finds a type by its name or an alias.
func typeNamed(name string) (*designer.TypeInfo, bool) { return catalogue.Type(name) }

// sameFamily reports whether InnoDB lets a foreign key pair the columns.
// Integers must be of one size and sign; texts of one collation, as far as
// the columns say it themselves.
func sameFamily(a, b designer.Column) bool {
	x, known := typeNamed(a.DataType)
	y, both := typeNamed(b.DataType)
	switch {
	case !known || !both:
		return true
	case x.Family != y.Family:
		return false
	case x.Family == "text" && a.Collation != "" && b.Collation != "":
		return strings.EqualFold(a.Collation, b.Collation)
	}
	return true
}
