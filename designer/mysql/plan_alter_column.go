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
			a.tells(columnProbe(a.to.Name, c.From.Name, false))
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
			a.tells(columnProbe(a.to.Name, c.To.Name, true))
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

// isText reports whether values of the column have a collation.
func isText(c designer.Column) bool {
	info, known := typeNamed(c.DataType)
	return known && (info.Family == "text" || info.Values)
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
		a.do("ADD COLUMN "+columnClause(c)+place, "make column "+c.Name+" anew")
		a.rewrites = true
		was := columnByID(a.from, c.ID)
		a.loses = a.loses || was != nil && !was.IsComputed
	}
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
// server refuses what does not fit; it rounds fractions and forgets what a
// column held before it was computed.
func loses(c designer.ColumnDiff) bool {
	if c.Computed {
		return !c.From.IsComputed
	}
	a, known := typeNamed(c.From.DataType)
	b, both := typeNamed(c.To.DataType)
	if !c.Type || !known || !both {
		return false
	}
	fraction := func(t *designer.TypeInfo) bool { return t.Scale != designer.Range{} }
	return c.To.Scale < c.From.Scale || fraction(a) && !fraction(b) || a.Name == "double" && b.Name == "float" ||
		a.Name == "datetime" && (b.Name == "date" || b.Name == "time")
}

// risks are those of the alteration as a whole. The server may do better than
// to write the table anew; what it does is told where it usually has to.
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
	return out
}
