package schema

import (
	"cmp"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// Limits on the diagram of a card.
const (
	maxDiagramTables  = 24
	maxDiagramColumns = 12 // of a table
	maxDiagramText    = 80 // bytes
)

func diagramText(s string) string { return clip.Text(s, maxDiagramText) }

// diagram is what a view that is wide enough draws beside the list: the tables
// that differ, as they were and are, and those that they are directly related
// with. One with more tables than are drawn is left out.
type diagram struct {
	Tables    []diagramTable    `json:"tables"`
	Relations []diagramRelation `json:"relations,omitzero"`
}

// diagramTable is a table of a diagram. Of one that does not differ, the
// columns of keys are listed alone.
type diagramTable struct {
	Name    string          `json:"name"`
	Was     string          `json:"was,omitempty"`  // its name before
	Does    string          `json:"does,omitempty"` // added, changed, dropped; "": it does not differ
	Columns []diagramColumn `json:"columns,omitzero"`
	More    int             `json:"more,omitzero"` // columns that are not listed
}

// diagramColumn is a column, and how it was.
type diagramColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Was  string `json:"was,omitempty"`
	Key  bool   `json:"key,omitzero"`   // of the primary key
	Does string `json:"does,omitempty"` // added, changed, dropped
}

// diagramRelation is a foreign key, by the places of its tables.
type diagramRelation struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Does string `json:"does,omitempty"` // added, dropped
}

// diagramOf draws what differs; nil where that is no table, or too much.
func diagramOf(d *designer.Diff) *diagram {
	b := &diagramBuilder{diff: d, at: map[designer.ID]int{}}
	for _, t := range d.Added {
		b.add(nil, t, "added")
	}
	for _, c := range d.Changed {
		b.add(c.From, c.To, "changed")
	}
	for _, t := range d.Dropped {
		b.add(t, nil, "dropped")
	}
	if len(b.drawn.Tables) == 0 {
		return nil
	}
	b.neighbours(d.From)
	b.neighbours(d.To)
	if len(b.drawn.Tables) > maxDiagramTables {
		return nil
	}
	b.relate()
	return &b.drawn
}

type diagramBuilder struct {
	diff    *designer.Diff
	drawn   diagram
	at      map[designer.ID]int // places of tables
	ids     []designer.ID       // of the tables at those places
	differs int                 // how many of them differ; they are the first
}

// add draws a table that differs; from or to is nil where it is not there.
func (b *diagramBuilder) add(from, to *designer.Table, does string) {
	t := cmp.Or(to, from)
	one := diagramTable{Name: diagramText(designer.TableName{Schema: t.Schema, Name: t.Name}.String()), Does: does}
	if from != nil && to != nil && (from.Name != to.Name || from.Schema != to.Schema) {
		one.Was = diagramText(designer.TableName{Schema: from.Schema, Name: from.Name}.String())
	}
	columns := diagramColumns(b.diff.To.Dialect(), from, to)
	slices.SortStableFunc(columns, func(x, y diagramColumn) int { return cmp.Compare(rank(x), rank(y)) })
	shown := min(len(columns), maxDiagramColumns)
	one.Columns, one.More = columns[:shown], len(columns)-shown
	b.place(t.ID, one)
	b.differs++
}

func (b *diagramBuilder) place(id designer.ID, t diagramTable) {
	b.at[id] = len(b.drawn.Tables)
	b.ids = append(b.ids, id)
	b.drawn.Tables = append(b.drawn.Tables, t)
}

// rank puts the key first and then what differs, so that these are listed.
func rank(c diagramColumn) int {
	switch {
	case c.Key:
		return 0
	case c.Does != "":
		return 1
	}
	return 2
}

// diagramColumns are the columns of a table that differs. All of one that comes
// or goes do so with it, which its head says.
func diagramColumns(d *designer.Dialect, from, to *designer.Table) (list []diagramColumn) {
	t := cmp.Or(to, from)
	for _, c := range t.Columns {
		one := columnOf(d, t, c)
		if from != nil && to != nil {
			one.Does, one.Was = changeOf(d, from.ColumnByID(c.ID), c)
		}
		list = append(list, one)
	}
	if from == nil || to == nil {
		return list
	}
	for _, c := range from.Columns {
		if to.ColumnByID(c.ID) == nil {
			one := columnOf(d, from, c)
			one.Does = "dropped"
			list = append(list, one)
		}
	}
	return list
}

func columnOf(d *designer.Dialect, t *designer.Table, c designer.Column) diagramColumn {
	return diagramColumn{Name: diagramText(c.Name), Type: diagramText(d.TypeText(c)), Key: t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, c.ID)}
}

// changeOf is what became of a column: its name and type before, where they
// differ.
func changeOf(d *designer.Dialect, was *designer.Column, is designer.Column) (does, before string) {
	switch {
	case was == nil:
		return "added", ""
	case was.Name != is.Name:
		return "changed", diagramText(was.Name + " " + d.TypeText(*was))
	case d.TypeText(*was) != d.TypeText(is):
		return "changed", diagramText(d.TypeText(*was))
	case was.IsNullable != is.IsNullable, was.DefaultValue != is.DefaultValue, was.Comment != is.Comment:
		return "changed", ""
	}
	return "", ""
}

// neighbours draws the tables of a state that refer to those that differ, or
// that they refer to.
func (b *diagramBuilder) neighbours(s *designer.Schema) {
	for _, id := range b.ids[:b.differs] {
		t := s.ByID(id)
		if t == nil {
			continue
		}
		for _, k := range t.ForeignKeys {
			b.neighbour(s.ByID(k.RefTable))
		}
		for _, from := range s.Incoming(id) {
			b.neighbour(from)
		}
	}
}

func (b *diagramBuilder) neighbour(t *designer.Table) {
	if t == nil {
		return
	}
	if _, drawn := b.at[t.ID]; drawn {
		return
	}
	one := diagramTable{Name: diagramText(designer.TableName{Schema: t.Schema, Name: t.Name}.String())}
	for _, c := range t.Columns {
		if col := columnOf(b.diff.To.Dialect(), t, c); col.Key && len(one.Columns) < maxDiagramColumns {
			one.Columns = append(one.Columns, col)
		}
	}
	one.More = len(t.Columns) - len(one.Columns)
	b.place(t.ID, one)
}

// relate draws the foreign keys that lead to or from a table that differs, as
// they were and are.
func (b *diagramBuilder) relate() {
	before, after := b.keys(b.diff.From), b.keys(b.diff.To)
	for _, r := range after {
		if !slices.Contains(before, r) {
			r.Does = "added"
		}
		b.draw(r)
	}
	for _, r := range before {
		if !slices.Contains(after, r) {
			r.Does = "dropped"
			b.draw(r)
		}
	}
}

func (b *diagramBuilder) draw(r diagramRelation) {
	if !slices.Contains(b.drawn.Relations, r) {
		b.drawn.Relations = append(b.drawn.Relations, r)
	}
}

// keys are the foreign keys of a state between tables that are drawn.
func (b *diagramBuilder) keys(s *designer.Schema) (list []diagramRelation) {
	for i, id := range b.ids {
		t := s.ByID(id)
		if t == nil {
			continue
		}
		for _, k := range t.ForeignKeys {
			if to, drawn := b.at[k.RefTable]; drawn && min(i, to) < b.differs {
				list = append(list, diagramRelation{From: i, To: to})
			}
		}
	}
	return list
}
