package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// conversion describes how a column gets from one type to another.
type conversion int

const (
	implicit    conversion = iota // ALTER COLUMN does it
	explicit                      // CONVERT does it, into a new column
	regenerated                   // the server makes new values up
	impossible
)

// typeClass groups types that convert the same way.
type typeClass int

const (
	classUnknown typeClass = iota
	classNumber
	classFloat
	classText
	classBinary
	classDateTime // datetime and smalldatetime, which are numbers inside
	classDate     // those of 2008 with a date
	classTime
	classGUID
	classXML
	classOldText // text and ntext
	classImage
	classVariant
	classRowVersion
	classHierarchy
	classSpatial
)

func classOf(dataType string) typeClass {
	switch strings.ToLower(dataType) {
	case "int", "integer", "bigint", "smallint", "tinyint", "bit", "decimal", "dec", "numeric", "money", "smallmoney":
		return classNumber
	case "float", "double precision", "real":
		return classFloat
	case "binary", "varbinary", "binary varying":
		return classBinary
	case "datetime", "smalldatetime":
		return classDateTime
	case "date", "datetime2", "datetimeoffset":
		return classDate
	case "time":
		return classTime
	case "uniqueidentifier":
		return classGUID
	case "xml":
		return classXML
	case "text", "ntext", "national text":
		return classOldText
	case "image":
		return classImage
	case "sql_variant":
		return classVariant
	case "rowversion", "timestamp":
		return classRowVersion
	case "hierarchyid":
		return classHierarchy
	case "geography", "geometry":
		return classSpatial
	}
	if info, known := typesByName[strings.ToLower(dataType)]; known && isText(info.Name) {
		return classText
	}
	return classUnknown
}

// conversionOf follows the table of conversions in "CAST and CONVERT
// (Transact-SQL)" and what ALTER TABLE says of types that it does not alter.
// What is not known is left to the server.
func conversionOf(from, to designer.Column) conversion {
	a, b := classOf(from.DataType), classOf(to.DataType)
	switch {
	case b == classRowVersion:
		return regenerated
	case a == classUnknown || b == classUnknown:
		return implicit
	case a == classRowVersion: // ALTER COLUMN takes none
		return among(b, explicit, classBinary, classNumber, classText)
	case a == b:
		return sameClass(from, to, a)
	}
	return between(a, b, to)
}

func sameClass(from, to designer.Column, c typeClass) conversion {
	if c == classSpatial && !strings.EqualFold(from.DataType, to.DataType) {
		return impossible
	}
	if c == classOldText && !strings.EqualFold(from.DataType, to.DataType) {
		return explicit
	}
	return implicit
}

// between is of two classes that differ.
func between(a, b typeClass, to designer.Column) conversion {
	switch a {
	case classNumber:
		return firstOf(among(b, implicit, classFloat, classText, classBinary, classDateTime, classVariant), impossible)
	case classFloat:
		return firstOf(among(b, implicit, classNumber, classText, classDateTime, classVariant), among(b, explicit, classBinary))
	case classText:
		return firstOf(among(b, implicit, classNumber, classFloat, classDateTime, classDate, classTime, classGUID, classXML, classOldText),
			among(b, explicit, classBinary, classImage, classHierarchy, classVariant))
	case classBinary:
		return firstOf(among(b, implicit, classText, classNumber, classDateTime, classGUID, classXML, classImage),
			among(b, explicit, classDate, classTime, classHierarchy, classVariant))
	case classDateTime:
		return firstOf(among(b, implicit, classText, classDate, classTime, classVariant), among(b, explicit, classNumber, classFloat, classBinary))
	case classDate, classTime:
		return fromDate(a, b)
	case classGUID:
		return firstOf(among(b, implicit, classText, classBinary), among(b, explicit, classVariant))
	case classVariant:
		return explicit
	case classXML, classHierarchy:
		return among(b, explicit, classText, classBinary)
	case classOldText, classImage:
		return fromOldText(a, b, to)
	}
	return impossible
}

func fromDate(a, b typeClass) conversion {
	switch {
	case b == classTime || b == classDate || b == classDateTime:
		return explicit // which of them convert by themselves differs by type
	case a == classDate || a == classTime:
		return firstOf(among(b, implicit, classText), among(b, explicit, classBinary, classVariant))
	}
	return impossible
}

// fromOldText alters into the MAX type that took a type's place, and converts
// into the others.
func fromOldText(a, b typeClass, to designer.Column) conversion {
	next := b == classText && a == classOldText || b == classBinary && a == classImage
	switch {
	case next && strings.EqualFold(to.MaxLength, "max"):
		return implicit
	case next:
		return explicit
	}
	return impossible
}

// among is c where the class is one of those listed, else impossible.
func among(class typeClass, c conversion, list ...typeClass) conversion {
	for _, one := range list {
		if one == class {
			return c
		}
	}
	return impossible
}

// firstOf is the easier of two ways.
func firstOf(a, b conversion) conversion {
	if a != impossible {
		return a
	}
	return b
}

// narrows reports whether values of before may not fit afterwards.
func narrows(from, to designer.Column) bool {
	if !strings.EqualFold(from.DataType, to.DataType) {
		return !widerNumber(from.DataType, to.DataType)
	}
	return shorter(to.MaxLength, from.MaxLength) || to.Precision-to.Scale < from.Precision-from.Scale || to.Scale < from.Scale
}

func widerNumber(from, to string) bool {
	order := map[string]int{"bit": 1, "tinyint": 2, "smallint": 3, "int": 4, "bigint": 5}
	a, b := order[strings.ToLower(from)], order[strings.ToLower(to)]
	return a > 0 && b > a
}

// shorter reports whether length a holds less than length b.
func shorter(a, b string) bool {
	return bytesOf(a) < bytesOf(b)
}

func bytesOf(length string) int {
	if strings.EqualFold(length, "max") {
		return 1 << 30
	}
	n := 0
	for _, c := range length {
		if c < '0' || c > '9' {
			return 0
		}
		n = min(n*10+int(c-'0'), 1<<29)
	}
	return n
}
