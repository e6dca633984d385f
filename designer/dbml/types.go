package dbml

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// usualTypes is what the names that DBML files use mean on any database. It
// is never modified.
var usualTypes = map[string]designer.TypeKind{
	"bool": designer.KindBool, "boolean": designer.KindBool,
	"tinyint": designer.KindInt8, "smallint": designer.KindInt16, "int2": designer.KindInt16,
	"int": designer.KindInt32, "integer": designer.KindInt32, "int4": designer.KindInt32,
	"bigint": designer.KindInt64, "int8": designer.KindInt64,
	"decimal": designer.KindDecimal, "numeric": designer.KindDecimal, "money": designer.KindMoney,
	"real": designer.KindFloat32, "float4": designer.KindFloat32,
	"float": designer.KindFloat64, "double": designer.KindFloat64, "double precision": designer.KindFloat64, "float8": designer.KindFloat64,
	"char": designer.KindChar, "varchar": designer.KindVarchar, "string": designer.KindVarchar,
	"character varying": designer.KindVarchar, "nchar": designer.KindNChar, "nvarchar": designer.KindNVarchar,
	"text": designer.KindText, "longtext": designer.KindText, "mediumtext": designer.KindText, "clob": designer.KindText,
	"binary": designer.KindBinary, "varbinary": designer.KindVarbinary, "blob": designer.KindBlob, "bytea": designer.KindBlob,
	"date": designer.KindDate, "time": designer.KindTime,
	"datetime": designer.KindTimestamp, "datetime2": designer.KindTimestamp, "timestamp": designer.KindTimestamp,
	"timestamptz": designer.KindTimestampTZ, "timestamp with time zone": designer.KindTimestampTZ, "datetimeoffset": designer.KindTimestampTZ,
	"uuid": designer.KindUUID, "guid": designer.KindUUID, "uniqueidentifier": designer.KindUUID,
	"json": designer.KindJSON, "jsonb": designer.KindJSON, "xml": designer.KindXML,
}

// standIns are what takes the place of a kind that a dialect lacks. It is
// never modified.
var standIns = map[designer.TypeKind][]designer.TypeKind{
	designer.KindBool: {designer.KindInt8, designer.KindUint8}, designer.KindInt8: {designer.KindInt16}, designer.KindMoney: {designer.KindDecimal},
	designer.KindText: {designer.KindNVarchar, designer.KindVarchar}, designer.KindJSON: {designer.KindText, designer.KindNVarchar},
	designer.KindXML: {designer.KindText}, designer.KindBlob: {designer.KindVarbinary},
	designer.KindBinary: {designer.KindVarbinary, designer.KindBlob}, designer.KindVarbinary: {designer.KindBlob},
	designer.KindNVarchar: {designer.KindVarchar}, designer.KindNChar: {designer.KindChar},
	designer.KindTimestampTZ: {designer.KindTimestamp},
}

// key is where an enum is found.
func (r *resolver) key(n name) (string, error) {
	schema, err := r.schema(n)
	at := foldPlace(r.place(schema, n.name))
	return at[0] + "\x00" + at[1], err
}

// enum registers an enum and, where enums are types of the database, adds it.
func (r *resolver) enum(e *enum) error {
	key, err := r.key(e.name)
	if err != nil {
		return err
	}
	if r.enums[key] != nil {
		return failAt(e.line, "enum %q is declared twice", excerpt(e.name.String()))
	}
	r.enums[key] = e
	if !r.d.TypeNames.Enums {
		return nil
	}
	schema, err := r.schema(e.name)
	literals := make([]string, len(e.values))
	for i, v := range e.values {
		literals[i] = r.d.StringLiteral(v)
	}
	full := r.d.QuoteIdentifier(e.name.name)
	if schema != "" {
		full = r.d.QuoteIdentifier(schema) + "." + full
	}
	r.def.Objects = append(r.def.Objects, designer.Object{Kind: designer.ObjectType, Schema: schema, Name: e.name.name, Values: e.values,
		Definition: "CREATE TYPE " + full + " AS ENUM (" + strings.Join(literals, ", ") + ")"})
	return err
}

// columnType returns a column that has a type only, and adds the check that
// stands for an enum where the dialect has none.
func (r *resolver) columnType(td *designer.TableDefinition, c *column) (designer.Column, error) {
	key, err := r.key(c.typ.name)
	if e := r.enums[key]; err == nil && e != nil && c.typ.suffix == "" {
		for _, v := range e.values {
			r.spent += len(v) + 8
		}
		if r.spent > maxValueBytes {
			return designer.Column{}, failAt(c.line, "the enums are too large for the columns that use them")
		}
		return r.enumColumn(td, c, e), nil
	}
	full := c.typ.name.String()
	if info, known := r.d.Type(full); !known || !r.meansOtherwise(full, info) {
		if col, err := r.d.ReadType(full + c.typ.suffix); err == nil {
			return col, nil
		}
	}
	if col, ok := r.usual(c.typ); ok && !r.sameProduct() {
		return col, nil
	}
	return unknownType(full, c.typ.suffix), nil
}

// numbersItself gives an identity column a type that supports it if its own
// does not: SQLite has only one such type.
func (r *resolver) numbersItself(c *designer.Column) {
	if info, known := r.d.Type(c.DataType); known && info.Identity {
		return
	}
	for _, kind := range []designer.TypeKind{designer.KindInt64, designer.KindInt32} {
		if info, ok := r.d.TypeOfKind(kind); ok && info.Identity {
			c.DataType, c.MaxLength, c.Precision, c.Scale = info.Name, "", 0, 0
			return
		}
	}
}

// meansOtherwise reports whether the name means a row version here and a time
// everywhere else, or is an obsolete type, and the file is for another product.
func (r *resolver) meansOtherwise(name string, info *designer.TypeInfo) bool {
	return !r.sameProduct() && (info.Legacy || info.Kind == designer.KindRowVersion && strings.EqualFold(name, "timestamp"))
}

// sameProduct reports whether the file says that it is for this dialect, so that
// its types are the dialect's, known or not.
func (r *resolver) sameProduct() bool {
	letters := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), " ", "") }
	from := letters(r.file.databaseType)
	return from != "" && (from == letters(r.d.Title) || from == letters(r.d.Name))
}

// usual finds the dialect's type for a name that DBML files use.
func (r *resolver) usual(t columnType) (designer.Column, bool) {
	kind, ok := usualTypes[strings.ToLower(t.name.String())]
	if !ok || strings.Contains(t.suffix, "[") {
		return designer.Column{}, false
	}
	for _, k := range append([]designer.TypeKind{kind}, standIns[kind]...) {
		info, ok := r.d.TypeOfKind(k)
		if !ok {
			continue
		}
		if c, err := r.d.ReadType(info.Name + t.suffix); err == nil && k == kind {
			return c, true
		}
		if info.AllowsMax && k != kind {
			if c, err := r.d.ReadType(info.Name + "(max)"); err == nil {
				return c, true
			}
		}
		if c, err := r.d.ReadType(info.Name); err == nil {
			return c, true
		}
	}
	return designer.Column{}, false
}

// numbers are the arguments of a type that a column has fields for.
var numbers = lazyregexp.New(`^\((\d{1,9})(?:,(\d{1,9}))?\)$`)

// unknownType keeps a type that the dialect does not have as it is written.
func unknownType(name, suffix string) designer.Column {
	m := numbers().FindStringSubmatch(suffix)
	if m == nil {
		return designer.Column{DataType: name + suffix}
	}
	c := designer.Column{DataType: name}
	if m[2] == "" {
		c.MaxLength = m[1]
		return c
	}
	c.Precision, _ = strconv.Atoi(m[1]) // nine digits
	c.Scale, _ = strconv.Atoi(m[2])
	return c
}

// enumColumn is a column of an enum in the dialect's way.
func (r *resolver) enumColumn(td *designer.TableDefinition, c *column, e *enum) designer.Column {
	if r.d.TypeNames.Enums {
		return designer.Column{DataType: e.name.String()}
	}
	if info, ok := r.d.TypeOfKind(designer.KindEnum); ok {
		return designer.Column{DataType: info.Name, Values: slices.Clone(e.values)}
	}
	literals, longest := make([]string, len(e.values)), 1
	for i, v := range e.values {
		literals[i], longest = r.d.StringLiteral(v), max(longest, len(v))
	}
	td.Checks = append(td.Checks, designer.CheckDefinition{
		Expression: r.d.QuoteIdentifier(c.name) + " IN (" + strings.Join(literals, ", ") + ")"})
	for _, try := range []string{"varchar(" + strconv.Itoa(longest) + ")", "text"} {
		if col, err := r.d.ReadType(try); err == nil {
			return col
		}
	}
	return unknownType("varchar", "")
}
