package postgres

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// numberFamilies are the families whose types the server turns into each
// other on assignment.
var numberFamilies = []string{integers, decimals, floats}

// conversion writes how values of a column become those of another type, ""
// where the server does it by itself. What it does by itself it checks: a
// text that is too long is refused, where a cast would cut it.
func conversion(from, to designer.Column, column, dataType string) string {
	a, b := elementOf(from), elementOf(to)
	switch {
	case a.array && !b.array && b.family == texts: // {a,b}
		return ""
	case a.array && !b.array:
		return converted(elements(from), to, column+"[1]", dataType)
	case !a.array && b.array:
		one := converted(from, elements(to), column, strings.TrimSuffix(dataType, "[]"))
		return "CASE WHEN " + column + " IS NOT NULL THEN ARRAY[" + one + "]::" + dataType + " END"
	case a.assignable(b):
		return ""
	case b.name == "boolean" && !a.array && slices.Contains(numberFamilies, a.family):
		return column + " <> 0"
	case a.name == "boolean" && !a.array && slices.Contains(numberFamilies, b.family):
		return column + "::integer"
	case a.family == texts:
		return column + "::" + dataType
	}
	return column + "::text" + map[bool]string{true: "[]"}[a.array] + "::" + dataType
}

// converted writes the conversion of a value, cast or not.
func converted(from, to designer.Column, value, dataType string) string {
	if text := conversion(from, to, value, dataType); text != "" {
		return text
	}
	return value
}

// elements is a column of the type that an array column has elements of.
func elements(c designer.Column) designer.Column {
	c.DataType = strings.TrimSuffix(c.DataType, "[]")
	return c
}

// element is the type of a column; of an array, that of its elements.
type element struct {
	name, family string
	array, known bool
}

func elementOf(c designer.Column) element {
	name, array := strings.CutSuffix(c.DataType, "[]")
	info, ok := known.Type(name)
	if !ok {
		return element{name: designer.Fold(name), array: array}
	}
	return element{name: info.Name, family: info.Family, array: array, known: true}
}

// assignable reports whether the server turns a into b on assignment.
func (a element) assignable(b element) bool {
	switch {
	case a.name == b.name, a.known && a.family == b.family, b.family == texts && !a.array:
		return true
	case b.family == texts: // of arrays: only texts among each other
		return a.family == texts
	case slices.Contains(numberFamilies, a.family) && slices.Contains(numberFamilies, b.family):
		return true
	}
	return slices.Contains(assignments, [2]string{a.name, b.name})
}

// assignments are the other types, without their arrays' own, that the server
// turns into each other on assignment (pg_cast).
var assignments = [][2]string{
	{"json", "jsonb"}, {"jsonb", "json"}, {"numeric", "money"}, {"money", "numeric"}, {"integer", "money"}, {"bigint", "money"},
	{"timestamp", "time"}, {"timestamptz", "time"}, {"timestamptz", "timetz"}, {"time", "timetz"}, {"timetz", "time"},
	{"time", "interval"}, {"interval", "time"}, {"integer", "oid"}, {"bigint", "oid"}, {"oid", "integer"}, {"oid", "bigint"},
}

// typeRisks returns what a change of type does to the rows.
func typeRisks(from, to designer.Column) []designer.Risk {
	a, b := elementOf(from), elementOf(to)
	switch {
	case a.array != b.array:
		return lossy(a.array)
	case relabels(a, b, from, to):
		return nil
	case widens(a, b, from, to):
		return []designer.Risk{designer.RiskRewritesTable}
	}
	return lossy(losesDigits(a, b, from, to))
}

func lossy(loss bool) []designer.Risk {
	risks := []designer.Risk{designer.RiskRewritesTable, designer.RiskMayFail}
	if loss {
		risks = append(risks, designer.RiskDataLoss)
	}
	return risks
}

// length reads a MaxLength; 0 is none.
func length(c designer.Column) int {
	n, _ := strconv.Atoi(c.MaxLength) // "" is none
	return n
}

// relabels reports whether the server keeps the rows as they are.
func relabels(a, b element, from, to designer.Column) bool {
	unbounded := length(to) == 0 || length(from) != 0 && length(to) >= length(from)
	switch {
	case a.name == "varchar" || a.name == "text":
		return b.name == "text" || b.name == "varchar" && unbounded
	case a.name != b.name:
		return a.name == "cidr" && b.name == "inet"
	case a.name == "numeric":
		return to.Precision == 0 || to.Scale == from.Scale && from.Precision != 0 && to.Precision >= from.Precision
	case a.name == "varbit":
		return unbounded
	case a.known && a.name != "char" && a.name != "bit":
		return to.Scale >= from.Scale // of times
	}
	return from.MaxLength == to.MaxLength && from.TypeText == to.TypeText
}

// widens reports whether every value of the one type is one of the other.
func widens(a, b element, from, to designer.Column) bool {
	switch {
	case a.family == integers && b.family == integers:
		return widths[a.name] <= widths[b.name]
	case a.family == integers && b.name == "numeric":
		return to.Precision == 0
	case a.name == "real" && b.name == "double precision", a.name == "date" && b.family == times,
		a.name == "json" && b.name == "jsonb", a.name == "timestamp" && b.name == "timestamptz", a.name == "timestamptz" && b.name == "timestamp":
		return to.Scale >= from.Scale
	case b.family == texts && b.name != "char":
		return length(to) == 0
	case a.name == "char" && b.name == "char":
		return length(to) >= length(from)
	}
	return false
}

// losesDigits reports whether values are rounded or cut without an error.
func losesDigits(a, b element, from, to designer.Column) bool {
	switch {
	case a.family == decimals && b.family == decimals:
		return to.Precision != 0 && (from.Precision == 0 || to.Scale < from.Scale)
	case slices.Contains(numberFamilies, a.family) && slices.Contains(numberFamilies, b.family):
		return a.family != integers && a.family != b.family || b.family == floats
	case a.family == times && b.name == "date", a.family == times && (b.name == "time" || b.name == "timetz"):
		return true
	}
	return a.name == b.name && to.Scale < from.Scale
}
