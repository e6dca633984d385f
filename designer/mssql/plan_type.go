package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
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

// conversionOutcome is what becomes of the values of a column that gets another type.
type conversionOutcome int

const (
	fits  conversionOutcome = iota // every value is one of the new type
	fails                          // the server refuses those that are not
	loses                          // values, or parts of them, are gone, and no error says so
)

// outcomeOf follows the pair of types alone, whichever way the plan takes:
// "CAST and CONVERT (Transact-SQL)", its sections on implicit conversions,
// truncating and rounding, date and time styles and binary types, and the
// pages of the types. Two values that become one are a loss. Of types that it
// does not know it assumes the worst.
func outcomeOf(from, to designer.Column) conversionOutcome {
	a, b := classOf(from.DataType), classOf(to.DataType)
	switch {
	case a == classUnknown || b == classUnknown:
		return lossUnless(strings.EqualFold(typeText(from), typeText(to)))
	case b == classRowVersion:
		return lossUnless(a == classRowVersion)
	case b == classVariant: // it holds up to 8,000 bytes with their type
		return failUnless(!strings.EqualFold(characters(from), "max") && a != classXML && a != classImage && a != classHierarchy && a != classSpatial)
	case b == classBinary && fixedBytes(from) > 0:
		// "Converting any value of any type to a binary value of large enough
		// size and then back to the type always results in the same value."
		return lossUnless(bytesOf(to.MaxLength) >= fixedBytes(from))
	case a == classNumber:
		return ofNumber(from, to, b)
	case a == classText || a == classOldText:
		return ofText(from, to, a, b)
	case a == classDateTime || a == classDate || a == classTime:
		return ofDate(from, to, a, b)
	}
	return ofOther(from, to, a, b)
}

// lossUnless and failUnless are what happens where values may not fit.
func lossUnless(all bool) conversionOutcome {
	if all {
		return fits
	}
	return loses
}

func failUnless(all bool) conversionOutcome {
	if all {
		return fits
	}
	return fails
}

// exactNumber describes a type of exact numbers: the digits before the point that its
// largest value has and those that every number of so many digits fits into,
// and the digits behind the point.
type exactNumber struct{ needs, holds, scale int }

func exactOf(c designer.Column) (exactNumber, bool) {
	switch strings.ToLower(c.DataType) {
	case "bit":
		return exactNumber{1, 0, 0}, true
	case "tinyint":
		return exactNumber{3, 0, 0}, true // none below 0
	case "smallint":
		return exactNumber{5, 4, 0}, true
	case "int", "integer":
		return exactNumber{10, 9, 0}, true
	case "bigint":
		return exactNumber{19, 18, 0}, true
	case "smallmoney":
		return exactNumber{6, 5, 4}, true
	case "money":
		return exactNumber{15, 14, 4}, true
	case "decimal", "dec", "numeric":
		whole := c.Precision - c.Scale
		return exactNumber{whole, whole, c.Scale}, true
	}
	return exactNumber{}, false
}

// digits is how many a value may have.
func (e exactNumber) digits() int { return e.needs + e.scale }

// ofNumber: "numeric to int: truncate", "money to int: round", "numeric to
// numeric: round"; what is too large is an arithmetic overflow.
func ofNumber(from, to designer.Column, b typeClass) conversionOutcome {
	e, _ := exactOf(from)
	isMoney := strings.HasSuffix(strings.ToLower(from.DataType), "money")
	switch b {
	case classNumber:
		next, _ := exactOf(to)
		same := typesByName[strings.ToLower(from.DataType)] == typesByName[strings.ToLower(to.DataType)] && e == next
		switch {
		case same:
			return fits
		case strings.EqualFold(to.DataType, "bit"), next.scale < e.scale: // what is not 0 becomes 1
			return loses
		}
		return failUnless(e.needs <= next.holds || widerNumber(from.DataType, to.DataType))
	case classFloat: // 53 bits hold 15 digits, 24 bits 6: "float and real"
		most := 15
		if strings.EqualFold(to.DataType, "real") {
			most = 6
		}
		return lossUnless(e.digits() <= most)
	case classText, classOldText:
		const signAndPoint = 2
		narrow := bytesOf(characters(to)) < e.digits()+signAndPoint
		switch {
		case isMoney: // style 0 writes two digits behind the point
			return loses
		case narrow && e.scale == 0 && !strings.HasPrefix(strings.ToLower(to.DataType), "n"):
			return loses // a number that is too long becomes *
		}
		return failUnless(!narrow)
	case classDateTime: // the days since 1900
		return worst(lossUnless(e.scale == 0), fails)
	}
	return loses
}

// worst is the worse of two outcomes.
func worst(a, b conversionOutcome) conversionOutcome { return max(a, b) }

// ofText: an empty text becomes 0 or 1900-01-01 and digits are rounded, so that
// every type but another text may lose. A text that is too long for its column
// is refused (error 2628); CONVERT, the way out of text and image, cuts it.
func ofText(from, to designer.Column, a, b typeClass) conversionOutcome {
	room := bytesOf(characters(from)) <= bytesOf(characters(to))
	switch b {
	case classText, classOldText:
		switch {
		case isUnicode(from) && !isUnicode(to) || !isUnicode(to) && !sameCodePage(from.Collation, to.Collation):
			return loses // other characters become ?
		case a == classOldText:
			return lossUnless(room)
		}
		return failUnless(room)
	case classBinary:
		width := 1
		if isUnicode(from) {
			width = 2
		}
		return lossUnless(strings.EqualFold(to.MaxLength, "max") || bytesOf(characters(from))*width <= bytesOf(to.MaxLength))
	case classImage:
		return fits
	case classGUID: // "Convert uniqueidentifier data": what is behind 36 characters is cut
		const longest = 36
		return worst(lossUnless(bytesOf(characters(from)) <= longest), fails)
	case classHierarchy:
		return fails
	}
	return loses
}

// characters is the length of a text type, as MaxLength has it.
func characters(c designer.Column) string {
	switch classOf(c.DataType) {
	case classOldText:
		return "max"
	case classText:
		if strings.EqualFold(c.DataType, "sysname") {
			return "128"
		}
	}
	return c.MaxLength
}

// isUnicode reports whether a text type holds every character.
func isUnicode(c designer.Column) bool {
	name := strings.ToLower(c.DataType)
	return strings.HasPrefix(name, "n") || name == "sysname"
}

// sameCodePage reports whether texts keep their characters under another
// collation: one of the same language has the same code page, and UTF-8 all
// characters. Of the database's own nothing is known.
func sameCodePage(from, to string) bool {
	language := func(collation string) string {
		name := strings.ToUpper(collation)
		for _, end := range []string{"_CI", "_CS", "_BIN"} {
			name, _, _ = strings.Cut(name, end)
		}
		return name
	}
	return strings.EqualFold(from, to) || strings.HasSuffix(strings.ToUpper(to), "_UTF8") || from != "" && to != "" && language(from) == language(to)
}

// timeType describes a type of dates and times: what it has, and the digits of
// its seconds. minutes is a type without seconds.
type timeType struct {
	date, time, zone, minutes bool
	digits                    int
}

func momentOf(c designer.Column) timeType {
	switch strings.ToLower(c.DataType) {
	case "date":
		return timeType{date: true, minutes: true}
	case "smalldatetime":
		return timeType{date: true, time: true, minutes: true}
	case "datetime":
		return timeType{date: true, time: true, digits: 3}
	case "time":
		return timeType{time: true, digits: c.Scale}
	case "datetimeoffset":
		return timeType{date: true, time: true, zone: true, digits: c.Scale}
	}
	return timeType{date: true, time: true, digits: c.Scale}
}

// ofDate: what the new type has no place for is cut or rounded; only a year
// out of its range is refused.
func ofDate(from, to designer.Column, a, b typeClass) conversionOutcome {
	m := momentOf(from)
	switch b {
	case classDateTime, classDate, classTime:
		next := momentOf(to)
		switch {
		case strings.EqualFold(from.DataType, to.DataType) && m.digits <= next.digits:
			return fits
		case m.date && !next.date, m.time && !next.time, m.zone && !next.zone, !m.minutes && next.minutes && next.time, m.digits > next.digits:
			return loses
		case strings.EqualFold(to.DataType, "datetime") && m.digits > 2: // it has steps of a 300th
			return loses
		}
		return failUnless(b != classDateTime || a == classDateTime || a == classTime) // years before 1753, or 1900
	case classText:
		return lossUnless(!strings.EqualFold(from.DataType, "datetime") && bytesOf(characters(to)) >= m.written(from))
	}
	return loses
}

// written is how many characters a moment has by its default style: 121, or 0
// of smalldatetime, whose style has no seconds either. That of datetime is 0,
// too, and loses them.
func (m timeType) written(c designer.Column) int {
	if strings.EqualFold(c.DataType, "smalldatetime") {
		return len("Jan  1 2024 12:34PM")
	}
	n := 0
	if m.date {
		n += len("2024-01-01")
	}
	if m.time {
		n += len("12:34:56")
	}
	if m.date && m.time {
		n++
	}
	if m.digits > 0 {
		n += 1 + m.digits
	}
	if m.zone {
		n += len(" +01:00")
	}
	return n
}

// ofOther is of the types that are neither numbers nor text nor dates.
func ofOther(from, to designer.Column, a, b typeClass) conversionOutcome {
	const guid, hierarchyText, hierarchyBytes = 36, 4000, 892
	room := bytesOf(characters(to))
	switch {
	case a == classFloat && b == classFloat:
		return lossUnless(!strings.EqualFold(to.DataType, "real") || strings.EqualFold(from.DataType, "real"))
	case a == classBinary && b == classBinary:
		if strings.EqualFold(to.DataType, "binary") && from.MaxLength != to.MaxLength || len(from.DataType) > len(to.DataType) {
			return loses // zeros behind it are no longer told from its own
		}
		return failUnless(bytesOf(from.MaxLength) <= bytesOf(to.MaxLength))
	case a == classBinary && b == classImage:
		return fits
	case a == classImage && b == classBinary:
		return lossUnless(strings.EqualFold(to.MaxLength, "max"))
	case a == classGUID && b == classText: // error 8170
		return failUnless(room >= guid)
	case a == classXML && b == classXML: // against a schema collection
		return failUnless(strings.EqualFold(typeText(from), typeText(to)) || to.TypeText == "" || strings.EqualFold(to.TypeText, "xml"))
	case a == classXML && b == classText && isUnicode(to), a == classXML && b == classBinary: // error 6354
		return failUnless(strings.EqualFold(to.MaxLength, "max"))
	case a == classRowVersion && strings.EqualFold(to.DataType, "bigint"):
		return fits
	case a == classHierarchy && b == classText:
		return lossUnless(room >= hierarchyText)
	case a == classHierarchy && b == classBinary:
		return lossUnless(room >= hierarchyBytes)
	}
	return lossUnless(a == b && (a == classImage || a == classGUID || a == classHierarchy || a == classSpatial || a == classRowVersion))
}

// widerNumber reports whether a type of whole numbers has all values of another.
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
