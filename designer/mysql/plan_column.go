package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// columns drops, changes and adds columns.
func (a *alteration) columns() {
	added := map[string]bool{}
	for _, c := range a.diff.Columns {
		if c.Added() {
			added[designer.Fold(c.To.Name)] = true
		}
	}
	for _, c := range a.diff.Columns {
		if !c.Dropped() {
			continue
		}
		a.do("DROP COLUMN "+quoteName(c.From.Name), "drop column "+c.From.Name)
		a.loses = true
		if !added[designer.Fold(c.From.Name)] {
			a.shownBy(columnProbe(a.to.Name, c.From.Name, false))
		}
	}
	for _, c := range a.to.Columns {
		if a.remade[c.ID] {
			a.do("DROP COLUMN "+quoteName(c.Name), "")
		}
	}
	a.changed()
	for _, c := range a.diff.Columns {
		if !c.Added() {
			continue
		}
		a.do("ADD COLUMN "+columnClause(*c.To), "add column "+c.To.Name+addedWords(*c.To))
		if !a.had(c.To.Name) {
			a.shownBy(columnProbe(a.to.Name, c.To.Name, true))
		}
		a.rewrites = a.rewrites || c.To.IsIdentity || c.To.ComputedPersisted
		if value := invented(*c.To); value != "" {
			a.invents = true
			a.notes = append(a.notes, "Column "+c.To.Name+" of "+a.to.Name+" takes no NULL and has no default: rows that are there get "+
				value+", which nobody gave them. Give it a default, or let it be NULL until they have a value.")
			if info, known := typeNamed(c.To.DataType); known && info.Kind == designer.KindJSON {
				a.notes = append(a.notes, "Column "+c.To.Name+" is JSON, and '' is none: no row that has it can be changed.")
			}
		}
	}
	a.remake()
}

// addedWords say what the rows that are there get.
func addedWords(c designer.Column) string {
	if value := invented(c); value != "" {
		return " (rows that are there get " + value + ")"
	}
	return ""
}

// invented is the value that the server gives the rows that are there in a
// new column that takes no NULL and has no default, "" for other columns. It
// does so in every sql_mode.
func invented(c designer.Column) string {
	if c.IsNullable || c.DefaultValue != "" || c.IsIdentity || c.IsComputed {
		return ""
	}
	info, known := typeNamed(c.DataType)
	if !known {
		return "the type's empty value"
	}
	switch {
	case info.Kind == designer.KindEnum && len(c.Values) > 0:
		return quoteString(c.Values[0])
	case info.Values, info.Family == "text", info.Family == "binary", info.Kind == designer.KindJSON, info.Kind == designer.KindGeometry:
		return "''"
	case info.Precision != designer.Range{} && info.Scale != designer.Range{}:
		return fixed("0", c.Scale)
	}
	if value := emptyValues[info.Name]; value != "" {
		return value
	}
	return "0"
}

// emptyValues are those of types whose empty value is no number and no text.
// They are never modified.
var emptyValues = map[string]string{
	"date": "'0000-00-00'", "datetime": "'0000-00-00 00:00:00'", "timestamp": "'0000-00-00 00:00:00'", "time": "'00:00:00'", "year": "0000",
	"bit": "b'0'", "uuid": "'00000000-0000-0000-0000-000000000000'", "inet6": "'::'", "inet4": "'0.0.0.0'",
}

func (a *alteration) had(column string) bool {
	for _, c := range a.from.Columns {
		if strings.EqualFold(c.Name, column) {
			return true
		}
	}
	return false
}

// changed states changed columns whole.
func (a *alteration) changed() {
	stated := map[designer.ID]bool{}
	for _, c := range a.diff.Columns {
		if !c.Changed() || a.remade[c.From.ID] {
			continue
		}
		stated[c.From.ID] = true
		a.do("MODIFY COLUMN "+columnClause(*c.To), "change column "+c.To.Name+" ("+strings.Join(changes(c), ", ")+")")
		retypes := c.Type && !a.onlyWidens(*c.From, *c.To)
		a.rewrites = a.rewrites || retypes || c.Collation || c.Nullable || c.Identity || c.Computed
		a.mayFail = a.mayFail || retypes || c.Collation || c.Computed || c.Nullable && !c.To.IsNullable
		a.loses = a.loses || loses(c)
	}
	if !a.diff.Options || a.from.Options[OptionCollation] == a.to.Options[OptionCollation] {
		return
	}
	for _, c := range a.to.Columns { // which would keep the collation that was the table's
		if isText(c) && c.Collation == "" && !stated[c.ID] && columnByID(a.from, c.ID) != nil {
			a.do("MODIFY COLUMN "+columnClause(c), "")
			a.rewrites, a.mayFail = true, true
		}
	}
}

// remake adds columns back at their place.
func (a *alteration) remake() {
	for i, c := range a.to.Columns {
		if !a.remade[c.ID] {
			continue
		}
		place := " FIRST"
		if i > 0 {
			place = " AFTER " + quoteName(a.to.Columns[i-1].Name)
		}
		a.do("ADD COLUMN "+columnClause(c)+place, "re-create column "+c.Name)
		a.rewrites = true
		was := columnByID(a.from, c.ID)
		a.loses = a.loses || was != nil && !was.IsComputed
	}
}
