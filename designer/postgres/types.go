package postgres

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Families of types. Those of one family compare with each other through an
// index, whichever side of a foreign key they are on.
const (
	integers = "integer"
	decimals = "decimal"
	floats   = "float"
	texts    = "text"
	times    = "timestamp"
	bits     = "bit"
	networks = "network"
)

// internalNames maps the catalogue's names of types to those that people use,
// where they differ.
var internalNames = map[string]string{
	"int2": "smallint", "int4": "integer", "int8": "bigint", "bool": "boolean",
	"float4": "real", "float8": "double precision",
}

// fractions is how many digits of a second a time has where none are given.
const fractions = 6

// types lists PostgreSQL's types, common ones first. The digits of seconds
// are a scale.
func types() []designer.TypeInfo {
	return slices.Concat(numberTypes(), textTypes(), timeTypes(), otherTypes())
}

func plain(family string, kind designer.TypeKind, name string, aliases ...string) designer.TypeInfo {
	if family == "" {
		family = name
	}
	return designer.TypeInfo{Name: name, Aliases: aliases, Family: family, Kind: kind}
}

func numberTypes() []designer.TypeInfo {
	integer := func(kind designer.TypeKind, name string, aliases ...string) designer.TypeInfo {
		t := plain(integers, kind, name, aliases...)
		t.Identity = true
		return t
	}
	numeric := plain(decimals, designer.KindDecimal, "numeric", "decimal", "dec")
	numeric.Precision = designer.Range{Min: 1, Max: 1000, Unset: true}
	numeric.Scale = designer.Range{Min: 0, Max: 1000}
	return []designer.TypeInfo{
		integer(designer.KindInt32, "integer", "int", "int4"),
		integer(designer.KindInt64, "bigint", "int8"),
		integer(designer.KindInt16, "smallint", "int2"),
		plain("", designer.KindBool, "boolean", "bool"),
		numeric,
		plain(floats, designer.KindFloat64, "double precision", "float8", "float"),
		plain(floats, designer.KindFloat32, "real", "float4"),
	}
}

func textTypes() []designer.TypeInfo {
	sized := func(kind designer.TypeKind, length designer.Param, name string, aliases ...string) designer.TypeInfo {
		t := plain(texts, kind, name, aliases...)
		t.Length, t.MaxLength = length, 10485760
		return t
	}
	char := sized(designer.KindChar, designer.Required, "char", "character", "national character", "nchar", "national char")
	char.DefaultLength = "1"
	return []designer.TypeInfo{
		plain(texts, designer.KindText, "text"),
		sized(designer.KindVarchar, designer.Optional, "varchar", "character varying", "char varying",
			"national character varying", "national char varying"),
		char,
		plain("", designer.KindUUID, "uuid"),
		plain("", designer.KindJSON, "jsonb"),
		plain("", designer.KindJSON, "json"),
	}
}

func timeTypes() []designer.TypeInfo {
	timed := func(family string, kind designer.TypeKind, name string, aliases ...string) designer.TypeInfo {
		t := plain(family, kind, name, aliases...)
		t.Scale = designer.Range{Min: 0, Max: fractions, Default: fractions}
		return t
	}
	return []designer.TypeInfo{
		timed(times, designer.KindTimestampTZ, "timestamptz", "timestamp with time zone"),
		timed(times, designer.KindTimestamp, "timestamp", "timestamp without time zone"),
		plain(times, designer.KindDate, "date"),
		timed("", designer.KindTime, "time", "time without time zone"),
		timed("", designer.KindTimeTZ, "timetz", "time with time zone"),
		timed("", designer.KindInterval, "interval"),
	}
}

func otherTypes() []designer.TypeInfo {
	bit := plain(bits, designer.KindBit, "bit")
	bit.Length, bit.DefaultLength, bit.MaxLength = designer.Required, "1", 83886080
	varbit := plain(bits, "", "varbit", "bit varying")
	varbit.Length, varbit.MaxLength = designer.Optional, 83886080
	list := []designer.TypeInfo{
		plain("", designer.KindBlob, "bytea"), plain("", designer.KindMoney, "money"),
		plain("", designer.KindXML, "xml"), bit, varbit,
		plain(networks, designer.KindNetwork, "inet"), plain(networks, "", "cidr"), plain(texts, "", "bpchar"),
		plain("macaddr", "", "macaddr"), plain("macaddr", "", "macaddr8"), plain("oid", "", "oid"), plain("oid", "", "regclass"),
	}
	for _, name := range strings.Fields(`tsvector tsquery jsonpath
		point line lseg box path polygon circle
		int4range int8range numrange tsrange tstzrange daterange
		int4multirange int8multirange nummultirange tsmultirange tstzmultirange datemultirange
		xid8 pg_lsn`) {
		list = append(list, plain("", "", name))
	}
	return list
}

// known looks types up. It is never modified.
var known = &designer.Dialect{Types: types(), TypeNames: designer.TypeNameRules{Arrays: true}}

// sameFamily reports whether a column of a's type may refer to one of b's: the
// types compare with each other, or every value of a becomes one of b. What
// is not known here is left to the server.
func sameFamily(a, b designer.Column) bool {
	x, ok := known.Type(a.DataType)
	y, both := known.Type(b.DataType)
	if !ok || !both || x.Family == y.Family {
		return true
	}
	switch x.Family {
	case integers:
		return y.Family == decimals || y.Family == floats || y.Family == "oid"
	case decimals:
		return y.Family == floats
	case "time":
		return y.Family == "timetz" || y.Family == "interval"
	}
	return false
}

// baseType writes the type that a domain restricts, and nothing but a type.
func baseType(d *designer.Domain) string {
	if isTypeText(d.Base) {
		return d.Base
	}
	return ident(d.Base)
}

// domainOf reads what a query says of a domain: base, NOT NULL, default, and
// the names and conditions of its checks. nil: it is of a type of the
// database's own, or has what a design does not say.
func domainOf(o designer.Object, parts []string) *designer.Domain {
	c, err := known.ReadType(parts[0])
	if err != nil || len(o.Extras) > 0 || strings.Contains(o.Definition, " COLLATE ") {
		return nil
	}
	d := &designer.Domain{Base: known.TypeText(c), NotNull: parts[1] != "", Default: parts[2]}
	for i := 3; i+1 < len(parts); i += 2 {
		d.Checks = append(d.Checks, designer.DomainCheck{Name: parts[i], Expression: parts[i+1]})
	}
	slices.SortFunc(d.Checks, func(a, b designer.DomainCheck) int {
		return strings.Compare(designer.Fold(a.Name), designer.Fold(b.Name))
	})
	return d
}

// maxValue is how many bytes of an enum's value the server keeps.
const maxValue = 63

// namedTypes are the types of a database's own that edits make.
func namedTypes() designer.NamedTypeRules {
	return designer.NamedTypeRules{Classes: []designer.TypeClass{designer.ClassEnum, designer.ClassDomain}, Define: defineType, LongestValue: maxValue}
}

// defineType writes the statement that makes a type.
func defineType(t *designer.NamedType) string {
	if d := t.Domain; d != nil {
		text := "CREATE DOMAIN " + qualified(t.Schema, t.Name) + " AS " + baseType(d)
		if d.Default != "" {
			text += " DEFAULT " + operand(d.Default)
		}
		if d.NotNull {
			text += " NOT NULL"
		}
		for _, k := range d.Checks {
			text += " CONSTRAINT " + ident(k.Name) + " CHECK (" + k.Expression + ")"
		}
		return text
	}
	values := make([]string, len(t.Values))
	for i, v := range t.Values {
		values[i] = literal(v.Name)
	}
	return "CREATE TYPE " + qualified(t.Schema, t.Name) + " AS ENUM (" + strings.Join(values, ", ") + ")"
}
