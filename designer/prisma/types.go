package prisma

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// native is a type of a database as Prisma calls it behind "@db.".
type native struct {
	name   string // "VarChar"
	sql    string // "varchar"
	scalar string // of a field that has it
}

// database is what Prisma makes of a schema on one kind of database.
type database struct {
	providers []string          // the first is what is written
	scalars   map[string]string // the type that stands for each scalar
	natives   []native
}

// The databases, by the names of dialects. They are never modified.
var databases = map[string]database{
	"postgres": {[]string{"postgresql", "postgres", "cockroachdb"}, map[string]string{
		"String": "text", "Boolean": "boolean", "Int": "integer", "BigInt": "bigint", "Float": "double precision", "Decimal": "numeric(65,30)",
		"DateTime": "timestamp(3)", "Json": "jsonb", "Bytes": "bytea"},
		natives(`String Text:text Char:char VarChar:varchar Bit:bit VarBit:varbit Uuid:uuid Xml:xml Inet:inet Citext:citext
			Boolean Boolean:boolean
			Int Integer:integer Int4:integer SmallInt:smallint Int2:smallint Oid:oid
			BigInt BigInt:bigint Int8:bigint
			Float DoublePrecision:double_precision Float8:double_precision Real:real Float4:real
			Decimal Decimal:numeric Money:money
			DateTime Timestamp:timestamp Timestamptz:timestamptz Date:date Time:time Timetz:timetz
			Json JsonB:jsonb Json:json
			Bytes ByteA:bytea`)},
	"mysql": {[]string{"mysql"}, map[string]string{
		"String": "varchar(191)", "Boolean": "tinyint(1)", "Int": "int", "BigInt": "bigint", "Float": "double", "Decimal": "decimal(65,30)",
		"DateTime": "datetime(3)", "Json": "json", "Bytes": "longblob"},
		natives(`String VarChar:varchar Text:text Char:char TinyText:tinytext MediumText:mediumtext LongText:longtext
			Int Int:int UnsignedInt:int_unsigned SmallInt:smallint UnsignedSmallInt:smallint_unsigned MediumInt:mediumint
			UnsignedMediumInt:mediumint_unsigned TinyInt:tinyint UnsignedTinyInt:tinyint_unsigned Year:year
			BigInt BigInt:bigint UnsignedBigInt:bigint_unsigned
			Float Float:float Double:double
			Decimal Decimal:decimal
			DateTime DateTime:datetime Date:date Time:time Timestamp:timestamp
			Json Json:json
			Bytes Bit:bit LongBlob:longblob Blob:blob TinyBlob:tinyblob MediumBlob:mediumblob Binary:binary VarBinary:varbinary`)},
	"sqlite": {[]string{"sqlite"}, map[string]string{
		"String": "TEXT", "Boolean": "BOOLEAN", "Int": "INTEGER", "BigInt": "BIGINT", "Float": "REAL", "Decimal": "DECIMAL",
		"DateTime": "DATETIME", "Json": "JSONB", "Bytes": "BLOB"}, nil},
	"mssql": {[]string{"sqlserver"}, map[string]string{
		"String": "nvarchar(1000)", "Boolean": "bit", "Int": "int", "BigInt": "bigint", "Float": "float(53)", "Decimal": "decimal(32,16)",
		"DateTime": "datetime2", "Json": "nvarchar(max)", "Bytes": "varbinary(max)"},
		natives(`String NVarChar:nvarchar VarChar:varchar Char:char NChar:nchar Text:text NText:ntext Xml:xml UniqueIdentifier:uniqueidentifier
			Boolean Bit:bit
			Int Int:int SmallInt:smallint TinyInt:tinyint
			BigInt BigInt:bigint
			Float Float:float Real:real Money:money SmallMoney:smallmoney
			Decimal Decimal:decimal
			DateTime DateTime2:datetime2 DateTime:datetime Date:date Time:time DateTimeOffset:datetimeoffset SmallDateTime:smalldatetime
			Bytes VarBinary:varbinary Binary:binary Image:image`)},
}

// natives reads lines of a scalar and its types.
func natives(list string) (all []native) {
	scalar := ""
	for _, word := range strings.Fields(list) {
		name, sql, is := strings.Cut(word, ":")
		if !is {
			scalar = word
			continue
		}
		all = append(all, native{name, strings.ReplaceAll(sql, "_", " "), scalar})
	}
	return all
}

// sqlType returns the type of the database that "@db." names.
func (b database) sqlType(name string, args []string) string {
	sql := strings.ToLower(name)
	for _, n := range b.natives {
		if strings.EqualFold(n.name, name) {
			sql = n.sql
		}
	}
	if len(args) == 0 {
		return sql
	}
	word, unsigned, _ := strings.Cut(sql, " unsigned")
	if strings.HasSuffix(sql, " unsigned") {
		unsigned = " unsigned"
	}
	return word + "(" + strings.Join(args, ",") + ")" + unsigned
}

// scalarOf returns the scalar that has a column's type, and what names the type
// where it is not the one that stands for the scalar. ok is false if there is
// none.
func (b database) scalarOf(d *designer.Dialect, c designer.Column) (scalar, written string, ok bool) {
	bare := designer.Column{DataType: c.DataType, MaxLength: c.MaxLength, Precision: c.Precision, Scale: c.Scale}
	full := d.TypeText(bare)
	for _, name := range scalars {
		if name == "Json" && d.Name == "mssql" {
			continue // it has none
		}
		if col, err := d.ReadType(b.scalars[name]); err == nil && strings.EqualFold(d.TypeText(col), full) {
			return name, "", true
		}
	}
	info, known := d.Type(c.DataType)
	if !known {
		return "", "", false
	}
	for _, n := range b.natives {
		if other, is := d.Type(n.sql); is && other.Name == info.Name {
			arguments := parenthesis(full)
			if n.name == "Decimal" && arguments != "" && !strings.Contains(arguments, ",") {
				arguments = strings.TrimSuffix(arguments, ")") + ", 0)"
			}
			bare := slices.Contains(strings.Fields(withoutArguments[d.Name]), n.name)
			return n.scalar, "@db." + n.name + arguments, arguments == "" || !bare
		}
	}
	if len(b.natives) > 0 {
		return "", "", false
	}
	return looseScalars[info.Kind], "", looseScalars[info.Kind] != "" // SQLite, whose types Prisma does not name
}

// withoutArguments are the types that Prisma takes no arguments of.
var withoutArguments = map[string]string{"mysql": "Float Double", "mssql": "DateTimeOffset DateTime2 DateTime Date Time SmallDateTime Money"}

// parenthesis returns the arguments of a type with their parentheses.
func parenthesis(full string) string {
	from, to := strings.IndexByte(full, '('), strings.IndexByte(full, ')')
	if from < 0 || to < from {
		return ""
	}
	return strings.ReplaceAll(strings.ReplaceAll(full[from:to+1], ",", ", "), "MAX", "Max")
}

// scalars are Prisma's types, in the order in which they are tried.
var scalars = []string{"String", "Boolean", "Int", "BigInt", "Float", "Decimal", "DateTime", "Json", "Bytes"}

// looseScalars are those of SQLite, which has no types of its own to name.
var looseScalars = map[designer.TypeKind]string{
	designer.KindBool: "Boolean", designer.KindInt8: "Int", designer.KindInt16: "Int", designer.KindInt24: "Int", designer.KindInt32: "Int", designer.KindInt64: "BigInt",
	designer.KindUint64: "BigInt", designer.KindDecimal: "Decimal", designer.KindMoney: "Decimal", designer.KindFloat32: "Float", designer.KindFloat64: "Float",
	designer.KindChar: "String", designer.KindVarchar: "String", designer.KindNChar: "String", designer.KindNVarchar: "String", designer.KindText: "String",
	designer.KindBlob: "Bytes", designer.KindBinary: "Bytes", designer.KindVarbinary: "Bytes", designer.KindDate: "DateTime", designer.KindTimestamp: "DateTime",
	designer.KindTimestampTZ: "DateTime", designer.KindJSON: "Json", designer.KindUUID: "String",
}

func isScalar(name string) bool {
	_, is := databases["sqlite"].scalars[name]
	return is
}
