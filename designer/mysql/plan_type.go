package mysql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// isText reports whether values of the column have a collation.
func isText(c designer.Column) bool {
	info, known := typeNamed(c.DataType)
	return known && (info.Family == "text" || info.Values)
}

// changes words what differs.
func changes(c designer.ColumnDiff) []string {
	var out []string
	for _, w := range []struct {
		differs bool
		word    string
	}{
		{c.Renamed, "name"}, {c.Type, "type"}, {c.Nullable && c.To.IsNullable, "allow NULL"}, {c.Nullable && !c.To.IsNullable, "forbid NULL"},
		{c.Default, "default"}, {c.Identity, "auto_increment"}, {c.Computed, "formula"}, {c.Collation, "collation"},
		{c.Comment, "comment"}, {c.Options, "attributes"},
	} {
		if w.differs {
			out = append(out, w.word)
		}
	}
	return out
}

// loses reports whether a change may cost parts of values. In strict mode the
// server refuses what does not fit; it rounds numbers, cuts times and forgets
// what a column held before it was computed.
func loses(c designer.ColumnDiff) bool {
	if c.Computed {
		return !c.From.IsComputed
	}
	a, known := typeNamed(c.From.DataType)
	b, both := typeNamed(c.To.DataType)
	if !c.Type || !known || !both {
		return false
	}
	from, to := class(a), class(b)
	switch {
	case to == inTime:
		return from != inTime || losesTime(a.Name, b.Name, c)
	case to == inNumber:
		return losesNumber(from, a, b, c)
	case a.Family == "float":
		return to == inText // which has six digits of it
	case b.Name == "json":
		return from == inText // of a key that comes twice one is kept
	}
	return b.Name == "binary" && a.Family == "binary" && (a.Name != b.Name || c.From.MaxLength != c.To.MaxLength) // zeros behind it become its own
}

// kind groups types by what becomes of their values.
type kind int

const (
	inOther kind = iota
	inNumber
	inTime
	inText
)

func class(t *designer.TypeInfo) kind {
	switch t.Family {
	case "text", "binary":
		return inText
	case "date", "datetime", "timestamp", "time", "year":
		return inTime
	case "decimal", "decimal unsigned", "double", "float":
		return inNumber
	}
	if t.Identity || t.Name == "boolean" || t.Name == "bit" {
		return inNumber
	}
	return inOther
}

// losesTime reports whether the server cuts a part of a date or time, or reads
// it as that of another day. A datetime is one of two moments where clocks are
// put back.
func losesTime(a, b string, c designer.ColumnDiff) bool {
	fraction := c.To.Scale < c.From.Scale
	switch {
	case a == b:
		return fraction
	case a == "date":
		return b != "datetime" && b != "timestamp"
	case a == "datetime":
		return b != "timestamp" || fraction
	}
	return true
}

// losesNumber reports whether the server rounds what becomes a number; one that
// is too large it refuses.
func losesNumber(from kind, a, b *designer.TypeInfo, c designer.ColumnDiff) bool {
	whole := b.Family != "decimal" && b.Family != "decimal unsigned" && b.Family != "double" && b.Family != "float"
	switch {
	case from == inText:
		return !whole
	case a.Family == "double" || a.Family == "float":
		return b.Family != "double" && a.Family != b.Family
	case b.Family == "float" || b.Family == "double":
		return digits(a, *c.From) > map[string]int{"float": 6, "double": 15}[b.Family] && !short(a.Name)
	}
	return from != inOther && c.To.Scale < c.From.Scale
}

// short reports whether a float has every value of an integer type.
func short(name string) bool {
	name, _, _ = strings.Cut(name, " ")
	return name == "tinyint" || name == "smallint" || name == "mediumint" || name == "year" || name == "boolean"
}

// digits is how many digits a value of the type may have as a number.
func digits(t *designer.TypeInfo, c designer.Column) int {
	name, _, _ := strings.Cut(t.Name, " ")
	switch name {
	case "decimal":
		return c.Precision
	case "int", "mediumint", "bit":
		return 10
	case "date":
		return len("20240102")
	case "time":
		return len("8385959") + c.Scale
	case "tinyint", "smallint", "year", "boolean":
		return 5
	}
	return 19
}

// risks are those of the alteration as a whole. The server may do better than
// to rewrite the table; the risk is given where it usually has to.
func (a *alteration) risks() []designer.Risk {
	var out []designer.Risk
	if a.loses {
		out = append(out, designer.RiskDataLoss)
	}
	if a.rewrites {
		out = append(out, designer.RiskRewritesTable, designer.RiskBlocksWrites)
	}
	if a.mayFail {
		out = append(out, designer.RiskMayFail)
	}
	if a.invents {
		out = append(out, designer.RiskInventsValues)
	}
	return out
}

// onlyWidens reports whether a column takes more values than before and those
// that are there stay as they are stored: values at the end of an enum or set
// of the same size, or a longer varchar whose length takes as many bytes. The
// server changes its catalogue then and reads no row: MariaDB in an instant,
// MySQL in place.
func (a *alteration) onlyWidens(from, to designer.Column) bool {
	info, known := typeNamed(to.DataType)
	if !known || typeOf(from) == typeOf(to) || !strings.EqualFold(from.DataType, to.DataType) {
		return false
	}
	wide := from // in what the type says
	wide.Values, wide.MaxLength = to.Values, to.MaxLength
	if typeOf(wide) != typeOf(to) {
		return false
	}
	if info.Values {
		n := len(from.Values)
		return len(to.Values) >= n && slices.Equal(to.Values[:n], from.Values) && storedBytes(info, n) == storedBytes(info, len(to.Values))
	}
	before, err := strconv.Atoi(from.MaxLength)
	after, err2 := strconv.Atoi(to.MaxLength)
	if err != nil || err2 != nil || after < before || info.Name != "varchar" {
		return false
	}
	sameLength := after*4 <= 255 || before > 255 // it takes one byte up to 255, then two; a character takes up to four
	return sameLength && a.to.Options[OptionEngine] == "" && a.to.Options["row_format"] == ""
}

// storedBytes is how many bytes an enum or set of so many values takes.
func storedBytes(info *designer.TypeInfo, values int) int {
	if info.Kind == designer.KindEnum {
		return 1 + values/256
	}
	if bytes := (values + 7) / 8; bytes <= 4 {
		return bytes
	}
	return 8
}

// retyped reports whether a column holds something else afterwards.
func retyped(t, next *designer.Table, id designer.ID) bool {
	a, b := columnByID(t, id), columnByID(next, id)
	if a == nil || b == nil {
		return false
	}
	moved := *b
	moved.Name, moved.Comment, moved.DefaultValue, moved.IsNullable, moved.IsIdentity = a.Name, a.Comment, a.DefaultValue, a.IsNullable, a.IsIdentity
	return columnClause(*a) != columnClause(moved) || isText(*a) && t.Options[OptionCollation] != next.Options[OptionCollation] ||
		t.Options[OptionEngine] != next.Options[OptionEngine]
}
