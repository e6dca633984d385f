package designer

import (
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// DiffLine is a [DiffItem] with what it was and what it becomes: of a column that
// changes, what differs in it and nothing else.
type DiffLine struct {
	DiffItem
	From string `json:"from,omitempty"` // "": it comes, or its name says all
	To   string `json:"to,omitempty"`   // "": it goes, or its name says all
}

// Lines is [Diff.Items] with what each was and becomes.
func (d *Diff) Lines() []DiffLine {
	var out []DiffLine
	plain := func(items ...DiffItem) {
		for _, item := range items {
			out = append(out, DiffLine{DiffItem: item})
		}
	}
	for _, name := range d.Schemas {
		plain(DiffItem{Kind: DiffAddSchema, Name: name})
	}
	for _, t := range d.Types {
		out = append(out, t.line())
	}
	for _, t := range d.Dropped {
		out = append(out, DiffLine{DiffItem{Kind: DiffDropTable, Table: t.TableName()}, columnList(t), ""})
	}
	for _, t := range d.Added {
		out = append(out, DiffLine{DiffItem{Kind: DiffAddTable, Table: t.TableName()}, "", columnList(t)})
	}
	for _, td := range d.Changed {
		lines := d.tableLines(td)
		out = append(out, lines...)
	}
	return out
}

// columnList names the columns of a table.
func columnList(t *Table) string {
	names := mapEach(t.Columns, func(c Column) string { return clip.Name(c.Name) })
	return clip.Text(strings.Join(names, ", "), 200)
}

func (d TypeDiff) line() DiffLine {
	l := DiffLine{DiffItem: d.item()}
	of := func(t *NamedType) string {
		switch {
		case t == nil:
			return ""
		case t.Domain != nil:
			return clip.Text(t.Domain.Text(), maxOn)
		}
		return clip.Text(strings.Join(t.ValueNames(), ", "), maxOn)
	}
	if l.From, l.To = of(d.From), of(d.To); l.From == l.To {
		l.From, l.To = "", ""
	}
	return l
}

// tableLines describes a table that stays, item by item as [TableDiff.items].
func (d *Diff) tableLines(td TableDiff) []DiffLine {
	var out []DiffLine
	at := td.To.TableName()
	add := func(when bool, kind DiffKind, was, from, to string) {
		if when {
			out = append(out, DiffLine{DiffItem{Kind: kind, Table: at, Was: was}, from, to})
		}
	}
	add(td.Renamed, DiffRenameTable, td.From.Name, clip.Name(td.From.Name), clip.Name(td.To.Name))
	add(td.Moved, DiffMoveTable, td.From.Schema, clip.Name(td.From.Schema), clip.Name(td.To.Schema))
	from, to := "", "" // other options of a table have no words
	if td.Comment {
		from, to = commentText(td.From.Comment), commentText(td.To.Comment)
	}
	add(td.Comment || td.Options, DiffAlterTable, "", from, to)
	for _, c := range td.Columns {
		for _, item := range c.items(at) {
			from, to := d.columnSides(c, item.Kind)
			out = append(out, DiffLine{item, from, to})
		}
	}
	add(td.PrimaryKey, DiffPrimaryKey, "", keyText(td.From), keyText(td.To))
	keys := partItems(at, td.ForeignKeys, func(k *ForeignKey) string { return k.Name }, DiffAddKey, DiffDropKey, DiffAlterKey)
	out = append(out, partLines(td.ForeignKeys, keys, d.From.foreignKeyText(td.From), d.To.foreignKeyText(td.To))...)
	indexes := partItems(at, td.Indexes, func(x *Index) string { return x.Name }, DiffAddIndex, DiffDropIndex, DiffAlterIndex)
	out = append(out, partLines(td.Indexes, indexes, indexText(td.From), indexText(td.To))...)
	checks := partItems(at, td.Checks, func(k *Check) string { return k.Name }, DiffAddCheck, DiffDropCheck, DiffAlterCheck)
	return append(out, partLines(td.Checks, checks, checkText, checkText)...)
}

// columnSides describes a column for an item about it.
func (d *Diff) columnSides(c ColumnDiff, kind DiffKind) (from, to string) {
	switch kind {
	case DiffAddColumn:
		return "", columnText(d.To.dialect, *c.To)
	case DiffDropColumn:
		return columnText(d.From.dialect, *c.From), ""
	case DiffRenameColumn:
		return clip.Name(c.From.Name), clip.Name(c.To.Name)
	}
	return columnDifference(d.To.dialect, *c.From, *c.To)
}

// partLines adds to the items of parts, one each, what those were and become.
func partLines[T any](parts []PartDiff[T], items []DiffItem, before, after func(*T) string) []DiffLine {
	out := make([]DiffLine, len(items))
	for i, p := range parts {
		out[i].DiffItem = items[i]
		if p.From != nil {
			out[i].From = before(p.From)
		}
		if p.To != nil {
			out[i].To = after(p.To)
		}
	}
	return out
}

// keyText names the columns of the primary key of a table.
func keyText(t *Table) string {
	if t.PrimaryKey == nil {
		return "no primary key"
	}
	return t.listColumns(t.PrimaryKey.Columns)
}

func indexText(t *Table) func(*Index) string {
	return func(x *Index) string {
		text := choose(x.Unique, "unique ", "") + "(" + keysText(t, *x) + ")"
		if x.Method != "" {
			text += " using " + clip.Name(x.Method)
		}
		if len(x.Include) > 0 {
			text += " include (" + t.listColumns(x.Include) + ")"
		}
		if x.Where != "" {
			text += " where " + clip.Text(x.Where, 60)
		}
		return text
	}
}

func checkText(k *Check) string { return clip.Text(k.Expression, maxOn) }

// foreignKeyText describes a foreign key as "a, b → table (x, y)", with what it
// does on delete and update where that is something.
func (s *Schema) foreignKeyText(t *Table) func(*ForeignKey) string {
	return func(k *ForeignKey) string {
		var own, other []ID
		for _, m := range k.Mappings {
			own, other = append(own, m.Column), append(other, m.RefColumn)
		}
		text := t.listColumns(own)
		switch target := s.ByID(k.RefTable); {
		case target != nil:
			text += " → " + clip.Name(target.Name) + " (" + target.listColumns(other) + ")"
		case k.Dangling != nil:
			text += " → " + clip.Name(k.Dangling.Table)
		}
		for _, a := range []struct {
			on string
			do Action
		}{{"delete", k.OnDelete}, {"update", k.OnUpdate}} {
			if a.do != NoAction && a.do != "" {
				text += " on " + a.on + " " + actionText(a.do)
			}
		}
		return text
	}
}
