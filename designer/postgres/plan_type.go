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

// typeRisks returns what a change of type does to the rows. It follows the pair
// of types alone.
func typeRisks(from, to designer.Column) []designer.Risk {
	a, b := elementOf(from), elementOf(to)
	switch {
	case a.array && !b.array:
		return lossy(b.family != texts) // a text has all elements
	case !a.array && b.array:
		cut := b.family == texts && !unbounded(from, to) // a cast, which cuts
		return lossy(cut || losesValues(a, b, from, elements(to)))
	case relabels(a, b, from, to):
		return nil
	case losesValues(a, b, from, to):
		return lossy(true)
	case widens(a, b, from, to):
		return []designer.Risk{designer.RiskRewritesTable}
	}
	return lossy(false)
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

// unbounded reports whether the new type has room for as much as the old one.
func unbounded(from, to designer.Column) bool {
	return length(to) == 0 || length(from) != 0 && length(to) >= length(from)
}

// relabels reports whether the server keeps the rows as they are.
func relabels(a, b element, from, to designer.Column) bool {
	switch {
	case a.name == "varchar" || a.name == "text":
		return b.name == "text" || b.name == "varchar" && unbounded(from, to)
	case a.name != b.name:
		return a.name == "cidr" && b.name == "inet"
	case a.name == "numeric":
		return to.Precision == 0 || to.Scale == from.Scale && from.Precision != 0 && to.Precision >= from.Precision
	case a.name == "varbit":
		return unbounded(from, to)
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
		a.name == "timestamp" && b.name == "timestamptz":
		return to.Scale >= from.Scale
	case b.family == texts && b.name != "char":
		return length(to) == 0
	case a.name == "char" && b.name == "char":
		return length(to) >= length(from)
	}
	return false
}

// losesValues reports whether two values may become one without an error: they
// are rounded, cut, or lose what the new type has no place for.
func losesValues(a, b element, from, to designer.Column) bool {
	number := func(e element) bool { return slices.Contains(numberFamilies, e.family) }
	switch {
	case b.name == "boolean":
		return number(a)
	case number(a) && number(b):
		return losesDigits(a, b, from, to)
	case b.name == "money":
		return a.name != "money" && a.family != integers
	case a.name == "money":
		return number(b) && to.Precision != 0 && to.Scale < 2
	case a.name == "json" && b.name == "jsonb": // of a key that comes twice it keeps one
		return true
	case a.name == "inet" && b.name == "cidr": // the bits of the host become 0
		return true
	case losesTime(a, b, from, to):
		return true
	}
	return !a.assignable(b) && a.name != "boolean" && castLoses(a, b, to)
}

// castLoses reports whether a type takes from a text what it has no place for.
// Where the server assigns by itself it refuses that.
func castLoses(a, b element, to designer.Column) bool {
	switch {
	case b.family == bits:
		return length(to) != 0 || b.name == "bit"
	case b.family == decimals:
		return to.Precision != 0
	}
	return b.family == floats || b.name == "jsonb" && a.family == texts || isTime(b)
}

// digitsOf is how many digits the floating types and integers keep or need.
var digitsOf = map[string]int{"real": 6, "double precision": 15, "smallint": 5, "integer": 10, "bigint": 19}

// losesDigits reports whether numbers are rounded; one that is too large is
// refused.
func losesDigits(a, b element, from, to designer.Column) bool {
	whole := a.family == integers || a.family == decimals && from.Precision != 0 && from.Scale <= 0
	switch {
	case a.family == floats:
		return b.family != floats || a.name == "double precision" && b.name == "real"
	case b.family == integers:
		return !whole
	case b.family == decimals:
		return to.Precision != 0 && (to.Scale < 0 || !whole && (from.Precision == 0 || to.Scale < from.Scale))
	case a.family == integers:
		return digitsOf[a.name] > digitsOf[b.name]
	}
	return from.Precision == 0 || from.Precision > digitsOf[b.name]
}

// isTime reports whether a type is of dates, times or spans of time.
func isTime(e element) bool {
	return e.family == times || e.name == "time" || e.name == "timetz" || e.name == "interval"
}

// losesTime reports whether dates and times lose a part: the day, the time of
// day, the zone, digits of their seconds. A moment without its zone is one of two
// where clocks are put back.
func losesTime(a, b element, from, to designer.Column) bool {
	if !isTime(a) || !isTime(b) {
		return false
	}
	ofDay := func(e element) bool { return e.name == "time" || e.name == "timetz" }
	switch {
	case b.name == "date":
		return a.name != "date"
	case ofDay(b) && !ofDay(a), a.name == "timetz" && b.name != "timetz", a.name == "timestamptz" && b.name == "timestamp":
		return true
	}
	return a.name != "date" && to.Scale < from.Scale
}

// changeTypes makes and changes the types of the database's own.
func (p *planner) changeTypes() {
	if p.types == nil {
		return
	}
	p.notes = append(p.notes, p.types.Notes...)
	for _, s := range p.types.Steps {
		p.typeStep(s)
	}
}

func (p *planner) typeStep(s designer.TypeStep) {
	plain, full := qualifiedPlain(s.Is.Schema, s.Is.Name), qualified(s.Is.Schema, s.Is.Name)
	alter := "ALTER TYPE " + full
	switch s.Do {
	case designer.RenameType:
		p.add(nil, "rename type "+qualifiedPlain(s.Was.Schema, s.Was.Name), "ALTER TYPE "+qualified(s.Was.Schema, s.Was.Name)+" RENAME TO "+ident(s.Is.Name),
			alter+" RENAME TO "+ident(s.Was.Name))
	case designer.MoveType:
		p.add(nil, "move type "+qualifiedPlain(s.Was.Schema, s.Was.Name), "ALTER TYPE "+qualified(s.Was.Schema, s.Was.Name)+" SET SCHEMA "+ident(s.Is.Schema),
			alter+" SET SCHEMA "+ident(s.Was.Schema))
	case designer.RenameValue:
		p.add(nil, "rename value "+s.Value+" of type "+plain, alter+" RENAME VALUE "+literal(s.Value)+" TO "+literal(s.NewValue),
			alter+" RENAME VALUE "+literal(s.NewValue)+" TO "+literal(s.Value))
	case designer.AddValue:
		where := ""
		if s.Behind != nil {
			where = " AFTER " + literal(*s.Behind)
		} else if s.Ahead != nil {
			where = " BEFORE " + literal(*s.Ahead)
		}
		p.add(nil, "add value "+s.Value+" to type "+plain, alter+" ADD VALUE "+literal(s.Value)+where, "")
	case designer.SetDomain:
		p.setDomain(s.Was, s.Is)
	case designer.CreateType:
		p.add(nil, "create type "+plain, defineType(s.Is), "DROP TYPE "+full)
		if s.Replaces != nil {
			p.run(nil, "rights on type "+plain, s.Replaces.Grants...)
		}
	case designer.CommentOnType:
		start := "COMMENT ON TYPE " + full + " IS "
		p.add(nil, "comment on type "+plain, start+commentText(s.Is.Comment), start+commentText(s.Was.Comment))
	}
}

// setDomain changes what a domain asks of its values. What it has of them
// already is checked.
func (p *planner) setDomain(was, is *designer.NamedType) {
	a, b := was.Domain, is.Domain
	name := qualifiedPlain(is.Schema, is.Name)
	alter := func(what, change, back string, risks ...designer.Risk) {
		start := "ALTER DOMAIN " + qualified(is.Schema, is.Name)
		p.add(nil, what+" domain "+name, start+change, start+back, risks...)
	}
	constraint := func(k designer.DomainCheck) string {
		return " ADD CONSTRAINT " + ident(k.Name) + " CHECK (" + k.Expression + ")"
	}
	for _, k := range a.Checks {
		if !slices.Contains(b.Checks, k) {
			alter("drop check "+k.Name+" of", " DROP CONSTRAINT "+ident(k.Name), constraint(k))
		}
	}
	if a.Default != b.Default {
		clause := func(text string) string {
			if text == "" {
				return " DROP DEFAULT"
			}
			return " SET DEFAULT " + operand(text)
		}
		alter("set the default of", clause(b.Default), clause(a.Default))
	}
	if a.NotNull != b.NotNull {
		clause := map[bool]string{true: " SET NOT NULL", false: " DROP NOT NULL"}
		var risks []designer.Risk
		if b.NotNull {
			risks = []designer.Risk{designer.RiskMayFail, designer.RiskBlocksWrites}
		}
		alter("change nulls of", clause[b.NotNull], clause[a.NotNull], risks...)
	}
	for _, k := range b.Checks {
		if !slices.Contains(a.Checks, k) {
			alter("add check "+k.Name+" to", constraint(k), " DROP CONSTRAINT "+ident(k.Name), designer.RiskMayFail, designer.RiskBlocksWrites)
		}
	}
}

// dropTypes takes away the types that go, when no column has them any more.
func (p *planner) dropTypes() {
	if p.types == nil {
		return
	}
	for _, t := range p.types.Drop {
		p.add(nil, "drop type "+qualifiedPlain(t.Schema, t.Name), "DROP TYPE "+qualified(t.Schema, t.Name), defineType(t))
	}
}
