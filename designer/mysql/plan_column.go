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
	}
	a.remake()
}

// addedWords say what the rows that are there get.
func addedWords(c designer.Column) string {
	if c.IsNullable || c.DefaultValue != "" || c.IsIdentity || c.IsComputed {
		return ""
	}
	return " (rows that are there get the type's empty value)"
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
		a.rewrites = a.rewrites || c.Type || c.Collation || c.Nullable || c.Identity || c.Computed
		a.mayFail = a.mayFail || c.Type || c.Collation || c.Computed || c.Nullable && !c.To.IsNullable
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
