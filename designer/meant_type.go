package designer

import (
	"slices"
	"strings"
)

// MeantType is what a name of another database or library means in a dialect.
type MeantType struct {
	Text     string // as edits write it: "double precision", "nvarchar(MAX)"
	Identity bool   // the name also says that the column numbers itself
}

// meaning is what a name means: the kinds that hold it, the best first.
type meaning struct {
	kinds    []TypeKind
	identity bool
	bounded  bool // a text that is bounded where the dialect's unbounded one is no ordinary choice
}

// Kinds of values by what callers ask for. A dialect without the first has one
// of the others.
var (
	texts      = []TypeKind{KindText, KindNVarchar, KindVarchar}
	blobs      = []TypeKind{KindBlob, KindVarbinary}
	timestamps = []TypeKind{KindTimestamp, KindTimestampTZ}
	zoned      = []TypeKind{KindTimestampTZ, KindTimestamp}
	documents  = []TypeKind{KindJSON, KindText, KindNVarchar}
	uuids      = []TypeKind{KindUUID, KindChar}
	bools      = []TypeKind{KindBool, KindInt8, KindInt16}
	int16s     = []TypeKind{KindInt16, KindInt32}
	int32s     = []TypeKind{KindInt32, KindInt64}
	int64s     = []TypeKind{KindInt64}
	doubles    = []TypeKind{KindFloat64, KindFloat32}
	decimals   = []TypeKind{KindDecimal}
)

// meanings are names that some databases and libraries have for types, in
// lower case and without arguments. A dialect's own names go first.
var meanings = map[string]meaning{
	"string": {kinds: texts, bounded: true}, "str": {kinds: texts, bounded: true}, "varchar2": {kinds: []TypeKind{KindVarchar}},
	"nvarchar2": {kinds: []TypeKind{KindNVarchar, KindVarchar}}, "nvarchar": {kinds: []TypeKind{KindNVarchar, KindVarchar}},
	"varchar": {kinds: []TypeKind{KindVarchar}}, "character varying": {kinds: []TypeKind{KindVarchar}},
	"nchar": {kinds: []TypeKind{KindNChar, KindChar}}, "charfield": {kinds: []TypeKind{KindVarchar}},
	"text": {kinds: texts}, "clob": {kinds: texts}, "nclob": {kinds: texts}, "ntext": {kinds: texts}, "longtext": {kinds: texts},
	"mediumtext": {kinds: texts}, "tinytext": {kinds: texts}, "textfield": {kinds: texts}, "citext": {kinds: texts},

	"blob": {kinds: blobs}, "longblob": {kinds: blobs}, "mediumblob": {kinds: blobs}, "tinyblob": {kinds: blobs}, "bytea": {kinds: blobs},
	"bytes": {kinds: blobs}, "buffer": {kinds: blobs}, "image": {kinds: blobs}, "raw": {kinds: blobs},
	"binary": {kinds: blobs}, "varbinary": {kinds: blobs},

	"bool": {kinds: bools}, "boolean": {kinds: bools}, "booleanfield": {kinds: bools},
	"tinyint": {kinds: []TypeKind{KindInt8, KindUint8, KindInt16}}, "byte": {kinds: []TypeKind{KindInt8, KindUint8, KindInt16}},
	"int2": {kinds: int16s}, "smallint": {kinds: int16s}, "short": {kinds: int16s}, "year": {kinds: int16s},
	"int": {kinds: int32s}, "integer": {kinds: int32s}, "int4": {kinds: int32s}, "int32": {kinds: int32s}, "mediumint": {kinds: int32s},
	"integerfield": {kinds: int32s}, "bigint": {kinds: int64s}, "int8": {kinds: int64s}, "int64": {kinds: int64s}, "long": {kinds: int64s},
	"biginteger": {kinds: int64s}, "bigintegerfield": {kinds: int64s}, "unsigned int": {kinds: []TypeKind{KindUint32, KindInt64}},
	"int unsigned": {kinds: []TypeKind{KindUint32, KindInt64}}, "uint32": {kinds: []TypeKind{KindUint32, KindInt64}},

	"serial": {kinds: int32s, identity: true}, "serial4": {kinds: int32s, identity: true}, "increments": {kinds: int32s, identity: true},
	"autoincrement": {kinds: int32s, identity: true}, "autofield": {kinds: int32s, identity: true}, "identity": {kinds: int32s, identity: true},
	"bigserial": {kinds: int64s, identity: true}, "serial8": {kinds: int64s, identity: true}, "bigincrements": {kinds: int64s, identity: true},
	"bigautofield": {kinds: int64s, identity: true}, "smallserial": {kinds: int16s, identity: true}, "serial2": {kinds: int16s, identity: true},

	"double": {kinds: doubles}, "double precision": {kinds: doubles}, "float8": {kinds: doubles}, "float64": {kinds: doubles},
	"float": {kinds: doubles}, "floatfield": {kinds: doubles}, "float4": {kinds: []TypeKind{KindFloat32, KindFloat64}},
	"float32": {kinds: []TypeKind{KindFloat32, KindFloat64}}, "real": {kinds: []TypeKind{KindFloat32, KindFloat64}},
	"single": {kinds: []TypeKind{KindFloat32, KindFloat64}}, "decimal": {kinds: decimals}, "numeric": {kinds: decimals},
	"decimalfield": {kinds: decimals}, "money": {kinds: []TypeKind{KindMoney, KindDecimal}}, "smallmoney": {kinds: []TypeKind{KindMoney, KindDecimal}},

	"datetime": {kinds: timestamps}, "datetime2": {kinds: timestamps}, "smalldatetime": {kinds: timestamps}, "timestamp": {kinds: timestamps},
	"datetimefield": {kinds: timestamps}, "timestamp without time zone": {kinds: timestamps}, "datetimeoffset": {kinds: zoned}, "timestamptz": {kinds: zoned},
	"datetimetz": {kinds: zoned}, "timestamp with time zone": {kinds: zoned}, "dateonly": {kinds: []TypeKind{KindDate}},
	"datefield": {kinds: []TypeKind{KindDate}}, "timetz": {kinds: []TypeKind{KindTimeTZ, KindTime}},

	"uuid": {kinds: uuids}, "guid": {kinds: uuids}, "uniqueidentifier": {kinds: uuids}, "uuidfield": {kinds: uuids},
	"json": {kinds: documents}, "jsonb": {kinds: documents}, "jsonfield": {kinds: documents}, "object": {kinds: documents},
	"xml": {kinds: []TypeKind{KindXML, KindText, KindNVarchar}}, "inet": {kinds: []TypeKind{KindNetwork}},
}

// samples are names that are too open to have one meaning: what comes near.
var samples = map[string][]TypeKind{
	"number": {KindDecimal, KindInt32, KindFloat64}, "enum": {KindEnum, KindVarchar, KindText}, "set": {KindSet, KindText},
	"array": {KindJSON, KindText}, "date time": timestamps, "char varying": {KindVarchar}, "hstore": documents, "interval": {KindInterval, KindVarchar, KindText},
	"geometry": {KindGeometry}, "geography": {KindGeography, KindGeometry}, "bit": {KindBit, KindBool}, "rowversion": {KindRowVersion, KindBlob, KindVarbinary},
}

// Meant returns what text, which the dialect does not know as a type, means
// in it. It is false for a type that it knows, and where there is no one
// meaning.
func (d *Dialect) Meant(text string) (MeantType, bool) {
	t := d.splitType(text)
	most := len(t.args) == 1 && strings.EqualFold(t.args[0], "max")
	info, known := d.Type(t.name)
	if known && (!most || info.AllowsMax) {
		return MeantType{}, false
	}
	m, ok := meanings[strings.ToLower(t.name)]
	if !ok {
		return MeantType{}, false
	}
	if most { // a length that is none
		t.args = nil
		if slices.Contains(m.kinds, KindVarbinary) {
			m.kinds = blobs
		} else {
			m.kinds = texts
		}
	}
	if info = d.typeFor(m, len(t.args) > 0); info == nil {
		return MeantType{}, false
	}
	return MeantType{Text: info.Name + info.argumentsLike(t.args, m.bounded), Identity: m.identity && info.Identity}, true
}

// typeFor returns the type that stands for a meaning; sized: with a length.
// nil: there is none.
func (d *Dialect) typeFor(m meaning, sized bool) *TypeInfo {
	if m.bounded {
		for _, k := range []TypeKind{KindNVarchar, KindVarchar} {
			if t, ok := d.TypeOfKind(k); ok && (sized || t.Length == Required) {
				return t
			}
		}
	}
	if m.identity { // the dialect may have one type for all of them
		for _, k := range m.kinds {
			if t := d.identityOf(k); t != nil {
				return t
			}
		}
		if t := d.identityOf(KindInt64); t != nil {
			return t
		}
	}
	for _, k := range m.kinds {
		if t, ok := d.TypeOfKind(k); ok {
			return t
		}
	}
	return nil
}

// identityOf returns the type of a kind that may number itself, nil if there is
// none.
func (d *Dialect) identityOf(k TypeKind) *TypeInfo {
	for i := range d.Types {
		if d.Types[i].Kind == k && d.Types[i].Identity {
			return &d.Types[i]
		}
	}
	return nil
}

// argumentsLike writes the arguments that a caller gave to another type, those
// that this one takes, and a length where it needs one.
func (t *TypeInfo) argumentsLike(args []string, bounded bool) string {
	if len(args) > 0 {
		if a, err := readArgs(t, typeText{args: args}); err == nil && (a.length == nil || t.checkLength(*a.length) == nil) {
			return "(" + strings.Join(args, ",") + ")"
		}
	}
	switch {
	case t.Length != Required:
		return ""
	case bounded:
		return "(255)"
	case t.AllowsMax:
		return "(MAX)"
	case t.Kind == KindChar: // for a UUID
		return "(36)"
	case t.DefaultLength != "":
		return "(" + t.DefaultLength + ")"
	}
	return "(255)"
}

// typesLike lists at most [MaxHints] types for a name that the dialect does
// not know: what it means first, then what is spelled like it.
func (d *Dialect) typesLike(name string) []string {
	var list []string
	if m, ok := d.Meant(name); ok {
		list = append(list, m.Text)
	}
	key := strings.ToLower(strings.TrimSpace(name))
	kinds := samples[key]
	if m, ok := meanings[key]; ok {
		kinds = m.kinds
	}
	for _, k := range kinds {
		for _, t := range d.Types {
			if t.Kind == k && !t.Legacy {
				list = append(list, t.Name)
			}
		}
	}
	const alike = 4 // beside those that are meant
	names := mapEach(d.Types, func(t TypeInfo) string { return t.Name })
	near := Nearest(name, names)
	if len(list) > 0 {
		near = near[:min(len(near), alike)]
	}
	var out []string
	for _, n := range append(list[:min(len(list), MaxHints-min(len(near), alike))], near...) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out[:min(len(out), MaxHints)]
}
