package postgres

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// isSerial reports whether a column numbers itself as serial makes it: by a
// default from a sequence of its own, which is unlogged if its table is.
func isSerial(a *column, typ columnType, s *sequence, unlogged bool) bool {
	return a.notNull && s.unlogged == unlogged && !typ.array && typ.schema == "pg_catalog" && widths[typ.name] != 0 &&
		a.expression == nextval(s.schema, s.name)
}

// nextval is the default that takes the next number of a sequence.
func nextval(schema, name string) string {
	return "nextval(" + literal(qualified(schema, name)) + "::regclass)"
}

// widths are the bits of the types that a sequence may have.
var widths = map[string]int{"int2": 16, "int4": 32, "int8": 64, "smallint": 16, "integer": 32, "bigint": 64}

// numbered says of c how its sequence counts. A sequence that is not called
// as the server would call it stays among the objects as well.
func (b *assembler) numbered(r *relation, a *column, c *designer.Column, s *sequence, o options) {
	c.IsIdentity, c.IdentitySeed, c.IdentityIncrement = true, s.start, s.increment
	if s.dataType != c.DataType {
		o.set(OptionSequenceType, s.dataType)
	}
	setCounting(s, o)
	if s.schema == r.schema && s.name == madeName(r.name, a.name, "seq") {
		b.implied[s.oid] = true
	}
}

// setCounting adds how a sequence counts where it is not the ordinary way.
func setCounting(s *sequence, o options) {
	low, high := bounds(s.dataType, s.increment)
	if s.min != low {
		o.set(OptionMinValue, decimal(s.min))
	}
	if s.max != high {
		o.set(OptionMaxValue, decimal(s.max))
	}
	if s.cache != 1 {
		o.set(OptionCache, decimal(s.cache))
	}
	o.flag(OptionCycle, s.cycle)
}

// bounds returns the least and the greatest number of a sequence for which
// none are given.
func bounds(dataType string, increment int64) (low, high int64) {
	limit := int64(math.MaxInt64)
	if bits := widths[dataType]; bits != 0 {
		limit = 1<<(bits-1) - 1
	}
	if increment < 0 {
		return -limit - 1, -1
	}
	return 1, limit
}

// madeName is how the server calls what belongs to a table and a column and
// was given no name (makeObjectName): the longer part gives way.
func madeName(table, column, label string) string {
	t, c := len(table), len(column)
	room := maxName - len(label) - 1
	if column != "" {
		room--
	}
	for t+c > room {
		if t > c {
			t--
		} else {
			c--
		}
	}
	parts := []string{clipBytes(table, t), clipBytes(column, c), label}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "_")
}

// clipBytes cuts text to at most n bytes, between characters.
func clipBytes(text string, n int) string {
	for n > 0 && n < len(text) && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:min(n, len(text))]
}

// sequenceObjects lists the sequences that no column says all of.
func (b *assembler) sequenceObjects() []designer.Object {
	var out []designer.Object
	for i := range b.catalog.sequences {
		s := &b.catalog.sequences[i]
		if b.implied[s.oid] {
			continue
		}
		o := designer.Object{Kind: designer.ObjectSequence, Schema: s.schema, Name: s.name, Definition: sequenceText(s)}
		if text := b.catalog.comments[commentKey{"pg_class", s.oid, 0}]; text != "" {
			o.Extras = []string{"COMMENT ON SEQUENCE " + qualified(s.schema, s.name) + " IS " + literal(text)}
		}
		if r := b.catalog.byOID[s.owner]; r != nil {
			o.Table, o.Values = r.name, r.names([]int64{s.ownerColumn})
		}
		out = append(out, o)
	}
	return out
}

func sequenceText(s *sequence) string {
	o := options{}
	if s.dataType != "bigint" {
		o.set(OptionSequenceType, s.dataType)
	}
	setCounting(s, o)
	kind := "SEQUENCE"
	if s.unlogged {
		kind = "UNLOGGED SEQUENCE"
	}
	return fmt.Sprintf("CREATE %s %s%s", kind, qualified(s.schema, s.name), counting(s.start, s.increment, o))
}

// counting writes how a sequence counts, each clause after a space: "" for
// the ordinary way.
func counting(start, increment int64, o map[string]string) string {
	var b strings.Builder
	number := func(words, value string) {
		if _, err := strconv.ParseInt(value, 10, 64); err == nil {
			b.WriteString(" " + words + " " + value)
		}
	}
	if typ := o[OptionSequenceType]; widths[typ] != 0 {
		b.WriteString(" AS " + typ)
	}
	if increment != 1 {
		number("INCREMENT BY", decimal(increment))
	}
	number("MINVALUE", o[OptionMinValue])
	number("MAXVALUE", o[OptionMaxValue])
	if start != firstOf(increment, o) {
		number("START WITH", decimal(start))
	}
	number("CACHE", o[OptionCache])
	if o[OptionCycle] != "" {
		b.WriteString(" CYCLE")
	}
	return b.String()
}

// firstOf is where a sequence starts whose start is not given: at its end.
func firstOf(increment int64, o map[string]string) int64 {
	low, high := bounds("", increment)
	end, given := low, o[OptionMinValue]
	if increment < 0 {
		end, given = high, o[OptionMaxValue]
	}
	if n, err := strconv.ParseInt(given, 10, 64); err == nil {
		return n
	}
	return end
}

func isSerialColumn(c designer.Column) bool {
	return c.IsIdentity && c.Options[OptionIdentity] == IdentitySerial
}

// shortSerial is the type that stands for an ordinary serial column, "" where
// the column is none.
func shortSerial(c designer.Column) string {
	if !isSerialColumn(c) || c.Collation != "" || sequenceClauses(c) != "" {
		return ""
	}
	return map[string]string{"smallint": "smallserial", "integer": "serial", "bigint": "bigserial"}[c.DataType]
}

// sequenceClauses returns how the sequence of a column counts; its type is that
// of the column.
func sequenceClauses(c designer.Column) string {
	return counting(c.IdentitySeed, c.IdentityIncrement, c.Options)
}

// hasSequence reports whether a column's sequence has a name of its own.
func (w *writer) hasSequence(t *designer.Table, c designer.Column) bool {
	_, has := w.sequences[ownerKey(t.Schema, t.Name, c.Name)]
	return has
}

// sequenceOf names the sequence of a column that numbers itself.
func (w *writer) sequenceOf(t *designer.Table, c designer.Column) (schema, name string) {
	if o, has := w.sequences[ownerKey(t.Schema, t.Name, c.Name)]; has {
		return o.Schema, o.Name
	}
	return t.Schema, madeName(t.Name, c.Name, "seq")
}

// createSequence makes the sequence of a serial column that CREATE TABLE
// cannot bring with it.
func (w *writer) createSequence(t *designer.Table, c designer.Column) string {
	o := options{}
	for k, v := range c.Options {
		o[k] = v
	}
	if o[OptionSequenceType] == "" && c.DataType != "bigint" {
		o.set(OptionSequenceType, c.DataType)
	}
	schema, name := w.sequenceOf(t, c)
	return "CREATE SEQUENCE " + qualified(schema, name) + counting(c.IdentitySeed, c.IdentityIncrement, o)
}

// ownSequence makes a sequence go with its column.
func (w *writer) ownSequence(t *designer.Table, column, schema, name string) string {
	return "ALTER SEQUENCE " + qualified(schema, name) + " OWNED BY " + w.table(t) + "." + ident(column)
}

func (w *writer) identity(t *designer.Table, c designer.Column) string {
	text := "GENERATED BY DEFAULT AS IDENTITY"
	if c.Options[OptionIdentity] == IdentityAlways {
		text = "GENERATED ALWAYS AS IDENTITY"
	}
	clauses := sequenceClauses(c)
	if w.hasSequence(t, c) {
		schema, name := w.sequenceOf(t, c)
		clauses = "SEQUENCE NAME " + qualified(schema, name) + clauses
	}
	if clauses = strings.TrimSpace(clauses); clauses != "" {
		text += " (" + clauses + ")"
	}
	return text
}

func (a *alteration) dropIdentity() {
	w, t := a.planner.from, a.tp.From
	if !isSerialColumn(a.from) {
		a.alter("stop numbering", "DROP IDENTITY", "ADD "+w.identity(t, a.from))
		return
	}
	a.alter("stop numbering", "DROP DEFAULT", "")
	schema, name := w.sequenceOf(t, a.from)
	a.add(t, "drop the sequence of "+a.name, "DROP SEQUENCE "+qualified(schema, name), w.createSequence(t, a.from))
}

func (a *alteration) addIdentity() {
	t := a.tp.From
	w := &writer{s: a.planner.from.s} // whose sequences have the usual names
	if isSerialColumn(a.to) {
		to := a.to
		to.Name = a.from.Name
		schema, name := w.sequenceOf(t, to)
		a.add(t, "create the sequence of "+a.name, w.createSequence(t, to), "DROP SEQUENCE "+qualified(schema, name))
		a.alter("number", "SET DEFAULT "+nextval(schema, name), "DROP DEFAULT")
		a.add(t, "let the sequence of "+a.name+" go with its column", w.ownSequence(t, to.Name, schema, name), "")
	} else {
		a.alter("number", "ADD "+w.identity(t, a.to), "DROP IDENTITY")
	}
	a.add(t, "continue counting after the last number of "+a.name, a.countOn(), "")
}

// countOn moves a sequence behind the numbers that are there already. In an
// empty table it changes nothing.
func (a *alteration) countOn() string {
	table, last, compare := a.planner.from.table(a.tp.From), "max", ">="
	if a.to.IdentityIncrement < 0 {
		last, compare = "min", "<="
	}
	last += "(" + ident(a.from.Name) + ")"
	return fmt.Sprintf("SELECT pg_catalog.setval(pg_catalog.pg_get_serial_sequence(%s, %s), %s) FROM %s HAVING %s %s %d",
		literal(table), literal(a.from.Name), last, table, last, compare, a.to.IdentitySeed)
}

// changeIdentity changes how a column that stays an identity counts.
func (a *alteration) changeIdentity() {
	if from, to := a.from.Options[OptionIdentity], a.to.Options[OptionIdentity]; from != to && to != IdentitySerial {
		a.alter("change who numbers", setGenerated(to), setGenerated(from))
	}
	if !a.c.Identity && !a.c.Options {
		return
	}
	clauses := a.changedCounting(a.from, a.to)
	if len(clauses) == 0 {
		return
	}
	if isSerialColumn(a.to) {
		a.alterSequence("change how numbers are counted in", "", clauses...)
		return
	}
	reverse := a.changedCounting(a.to, a.from)
	a.alter("change how numbers are counted in", "SET "+strings.Join(clauses, " SET "), "SET "+strings.Join(reverse, " SET "))
}

func setGenerated(identity string) string {
	if identity == IdentityAlways {
		return "SET GENERATED ALWAYS"
	}
	return "SET GENERATED BY DEFAULT"
}

// changedCounting lists what differs in how two columns count.
func (a *alteration) changedCounting(from, to designer.Column) []string {
	var clauses []string
	if from.IdentityIncrement != to.IdentityIncrement {
		clauses = append(clauses, "INCREMENT BY "+decimal(to.IdentityIncrement))
	}
	option := func(key, words, without string) {
		value := to.Options[key]
		switch {
		case from.Options[key] == value:
		case value == "":
			clauses = append(clauses, without)
		default:
			clauses = append(clauses, strings.TrimSpace(words+" "+clause(value)))
		}
	}
	option(OptionMinValue, "MINVALUE", "NO MINVALUE")
	option(OptionMaxValue, "MAXVALUE", "NO MAXVALUE")
	if from.IdentitySeed != to.IdentitySeed {
		clauses = append(clauses, "START WITH "+decimal(to.IdentitySeed))
	}
	option(OptionCache, "CACHE", "CACHE 1")
	if from.Options[OptionCycle] != to.Options[OptionCycle] {
		clauses = append(clauses, map[bool]string{true: "CYCLE", false: "NO CYCLE"}[to.Options[OptionCycle] != ""])
	}
	return clauses
}

// alterSequence changes the sequence of a serial column; dataType "" stays.
func (a *alteration) alterSequence(what, dataType string, clauses ...string) {
	if dataType != "" && widths[dataType] != 0 {
		clauses = append([]string{"AS " + dataType}, clauses...)
	}
	if len(clauses) == 0 {
		return
	}
	schema, name := a.planner.from.sequenceOf(a.tp.From, a.from)
	a.add(a.tp.From, what+" "+a.name, "ALTER SEQUENCE "+qualified(schema, name)+" "+strings.Join(clauses, " "), "")
}
