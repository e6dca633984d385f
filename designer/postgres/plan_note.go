package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// note adds a sentence about what the plan does not do, or does otherwise than
// asked.
func (b *steps) note(format string, args ...any) {
	b.notes = append(b.notes, fmt.Sprintf(format, args...))
}

// noteTriggers says that a new table has no triggers yet: a design only knows
// their names.
func (p *planner) noteTriggers(t *designer.Table) {
	if len(t.Triggers) > 0 {
		p.note("The triggers of table %s are not made: %s.", qualifiedPlain(t.Schema, t.Name), strings.Join(t.Triggers, ", "))
	}
}

// noteSequence notes what a column loses that is numbered in another way.
func (p *planner) noteSequence(column string) {
	p.note("The sequence of %s is re-created: rights on it that were granted or revoked are not kept.", column)
}

// noteDependent notes what re-creating something does not keep, and refuses where
// that is too much.
func (p *planner) noteDependent(m dependent) error {
	switch {
	case m.definition == "":
		return &designer.PlanError{Table: designer.TableName{Schema: m.schema, Name: m.name},
			Message: "the " + m.label() + " would have to be re-created, and the database gives only its name: drop it first"}
	case m.isMaterialized():
		p.note("The materialized %s is re-created: its rows are computed again.", m.label())
	}
	return nil
}

// staleName is a name that means nothing any more after a plan.
type staleName struct {
	table  *designer.Table // of before
	column string          // "": the table itself
	how    string
}

// name is the last part of it.
func (l staleName) name() string {
	if l.column != "" {
		return l.column
	}
	return l.table.Name
}

func (l staleName) String() string {
	name := qualifiedPlain(l.table.Schema, l.table.Name)
	if l.column != "" {
		name += "." + l.column
	}
	return name + ", which " + l.how
}

// staleNames lists the names of tables and columns that get another one or go.
func (p *planner) staleNames() []staleName {
	var lost []staleName
	for _, t := range p.d.Dropped {
		lost = append(lost, staleName{table: t, how: "is dropped"})
	}
	for _, tp := range p.order {
		switch {
		case tp.Renamed:
			lost = append(lost, staleName{table: tp.From, how: "is renamed to " + tp.To.Name})
		case tp.Moved:
			lost = append(lost, staleName{table: tp.From, how: "moves to schema " + tp.To.Schema})
		}
		for _, c := range tp.Columns {
			switch {
			case c.Dropped():
				lost = append(lost, staleName{tp.From, c.From.Name, "is dropped"})
			case c.Changed() && c.Renamed:
				lost = append(lost, staleName{tp.From, c.From.Name, "is renamed to " + c.To.Name})
			}
		}
	}
	return lost
}

// findBreaks notes which functions and triggers have a text that names what
// gets another name or goes. The server keeps such texts as they are, and
// whoever calls them next gets an error.
func (p *planner) findBreaks(list []dependent) {
	p.broken = map[designer.Dependency]bool{}
	lost := p.staleNames()
	if len(lost) == 0 {
		return
	}
	onTables := triggerTables(list)
	for _, m := range list {
		switch m.kind {
		case designer.ObjectRoutine:
			p.breaksRoutine(m, lost, onTables[m.place()])
		case designer.ObjectTrigger:
			p.breaksTrigger(m, lost)
		}
	}
}

// withBreaks adds the risk to those of a step by which a table, or a column of
// it, gets another name or goes.
func (p *planner) withBreaks(t *designer.Table, column string, risks ...designer.Risk) []designer.Risk {
	if p.broken[designer.Dependency{Schema: t.Schema, Name: t.Name, Column: column}] {
		risks = append(risks, designer.RiskBreaks)
	}
	return risks
}

func (p *planner) breaks(l staleName, format string, args ...any) {
	p.broken[designer.Dependency{Schema: l.table.Schema, Name: l.table.Name, Column: l.column}] = true
	p.note(format, args...)
}

// triggerTables lists for each routine the tables and views whose triggers run
// it.
func triggerTables(list []dependent) map[place][]place {
	tables := map[place][]place{}
	for _, m := range list {
		if m.kind != designer.ObjectTrigger {
			continue
		}
		on := place{schema: m.schema, name: m.table}
		for _, u := range m.uses {
			if u.Column == "" && !slices.Contains(tables[usedPlace(u)], on) {
				tables[usedPlace(u)] = append(tables[usedPlace(u)], on)
			}
		}
	}
	return tables
}

// breaksRoutine finds what a routine's body names, after it follows what it
// follows for certain.
func (p *planner) breaksRoutine(m dependent, lost []staleName, on []place) {
	text := strings.ToLower(m.definition)
	if !slices.ContainsFunc(lost, func(l staleName) bool { return strings.Contains(text, strings.ToLower(l.name())) }) {
		return // which spares taking it apart
	}
	body, ok := p.bodyAfter(m, on)
	if !ok {
		return
	}
	in, whole := sqltext.PostgreSQL().Mentioned(body), sqltext.PostgreSQL().Mentioned(m.definition)
	for _, l := range lost {
		line := in.Table(l.table.Schema, l.table.Name)
		if l.column != "" {
			line = in.Line(l.column)
		}
		ofTable := whole.Table(l.table.Schema, l.table.Name) > 0 || slices.Contains(on, place{schema: l.table.Schema, name: l.table.Name})
		if line > 0 && ofTable {
			p.breaks(l, "The %s names %s, on line %d of its body: the server keeps its text, change it.", m.label(), l, line)
		}
	}
}

// breaksTrigger finds what a trigger passes to its function by name and does
// not follow for certain.
func (p *planner) breaksTrigger(m dependent, lost []staleName) {
	tokens, certain := argumentsOf(m)
	call, ok := callOf(tokens)
	if !ok {
		return
	}
	for i, at := range call.arguments {
		if slices.Contains(certain, at) {
			continue
		}
		in := sqltext.PostgreSQL().Mentioned(tokens[at].Text)
		for _, l := range lost {
			own := m.schema == l.table.Schema && m.table == l.table.Name
			if own && l.column != "" && in.Line(l.column) > 0 ||
				l.column == "" && !own && in.Table(l.table.Schema, l.table.Name) > 0 {
				p.breaks(l, "The %s passes %s, to its function as argument %d: the server keeps its text, change it.", m.label(), l, i+1)
			}
		}
	}
}

// bodyOf returns the tokens of a routine's statement and which of them is its
// body, a string; ok is false for one that has none, or none that names
// anything.
func bodyOf(m dependent) (tokens []sqltext.Token, at int, language string, ok bool) {
	tokens = scan(m.definition)
	at = -1
	for i, t := range tokens {
		switch {
		case t.Is("LANGUAGE") && at < 0:
			if next := nextSignificant(tokens, i+1); next < len(tokens) {
				language = tokens[next].Name
			}
		case t.Is("AS"):
			if next := nextSignificant(tokens, i+1); next < len(tokens) && tokens[next].Kind == sqltext.String {
				at = next
			}
		}
	}
	return tokens, at, language, at >= 0 && language != "c" && language != "internal"
}

func nextSignificant(tokens []sqltext.Token, i int) int {
	for i < len(tokens) && (tokens[i].Kind == sqltext.Space || tokens[i].Kind == sqltext.Comment) {
		i++
	}
	return i
}

// bodyAfter is the body of a routine as it is after the plan.
func (p *planner) bodyAfter(m dependent, on []place) (string, bool) {
	tokens, at, _, ok := bodyOf(m)
	if !ok {
		return "", false
	}
	body := tokens[at].Contents()
	if after := p.followed(m, on); after != m.definition {
		tokens, at, _, _ = bodyOf(dependent{definition: after})
		body = tokens[at].Contents()
	}
	return strings.TrimPrefix(body, "\n"), true
}
