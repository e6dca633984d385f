package merge

import (
	"fmt"
	"maps"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// Side names one of the two states that a [Conflict] chooses between.
type Side string

// The sides. The zero value is: not chosen.
const (
	SideDesign   Side = "design"
	SideDatabase Side = "database"
)

// Conflict is one thing that the design and the database have both changed
// since the database was last read, and not in the same way.
type Conflict struct {
	ID       string             `json:"id"` // the same as long as the conflict exists
	Table    designer.TableName `json:"table"`
	Part     string             `json:"part,omitempty"` // "column Email"; "": the table itself
	What     string             `json:"what"`           // "type", "default", "dropped in the database, changed in the design", …
	Base     string             `json:"base,omitempty"`
	Design   string             `json:"design,omitempty"`
	Database string             `json:"database,omitempty"`
}

// Result is a design that has taken over what changed in its database.
type Result struct {
	Design    *designer.Schema // with what did not conflict; where nothing was chosen, as the design had it
	Database  *designer.Schema // the database's state under the design's ids: the new base
	Conflicts []Conflict
	Open      int // of Conflicts, how many nobody chose a side for
}

// Definition brings what changed from base to database into design: three states
// of one schema, base and design with their ids from one source. database is
// what was read, under whatever ids [designer.Schema.Adopt] gives it on base. choose
// decides conflicts and may be nil. None of the three changes.
func Definition(base, design *designer.Schema, read designer.Definition, choose func(Conflict) Side) (*Result, error) {
	database, err := base.Adopt(read)
	if err != nil {
		return nil, fmt.Errorf("adopt database: %w", err)
	}
	return Schemas(base, design, database, choose)
}

// Schemas is [Definition] with a database that has its ids already.
func Schemas(base, design, database *designer.Schema, choose func(Conflict) Side) (*Result, error) {
	database, err := shareIDs(base, design, database)
	if err != nil {
		return nil, err
	}
	return mergeShared(base, design, database, choose)
}

// mergeShared merges three states in which the same object has the same id
// and different ones have different ids.
func mergeShared(base, design, database *designer.Schema, choose func(Conflict) Side) (*Result, error) {
	m := &merger{base: base, design: design, database: database, choose: choose}
	types := m.types()
	tables := m.tables(types)
	m.dropDangling(tables)
	types = append(types, m.needed(types, tables)...)
	list := slices.Collect(maps.Values(tables))
	opts := design.Options()
	opts.Catalog = database.Catalog()
	opts.Catalog.Types = types
	merged, err := designer.Restore(design.Dialect(), list, opts)
	if err != nil {
		return nil, fmt.Errorf("join design and database: %w", err)
	}
	return &Result{Design: merged, Database: database, Conflicts: m.conflicts, Open: m.open}, nil
}

// merger carries the three states and what it found.
type merger struct {
	base, design, database *designer.Schema
	choose                 func(Conflict) Side
	conflicts              []Conflict
	open                   int
}

// decide records a conflict and returns the side to take.
func (m *merger) decide(c Conflict) Side {
	c.ID = fmt.Sprintf("%s.%s/%s/%s", designer.Fold(c.Table.Schema), designer.Fold(c.Table.Name), designer.Fold(c.Part), c.What)
	side := Side("")
	if m.choose != nil {
		side = m.choose(c)
	}
	m.conflicts = append(m.conflicts, c)
	if side == "" {
		m.open++
		return SideDesign
	}
	return side
}

// tables merges every table, by id, with what the merged types are called.
func (m *merger) tables(types []*designer.NamedType) map[designer.ID]*designer.Table {
	base, design, database := m.base.Following(types), m.design.Following(types), m.database.Following(types)
	out := map[designer.ID]*designer.Table{}
	seen := map[designer.ID]bool{}
	for _, t := range slices.Concat(m.design.Tables(), m.database.Tables(), m.base.Tables()) {
		if seen[t.ID] {
			continue
		}
		seen[t.ID] = true
		if merged := m.table(base.Table(m.base.ByID(t.ID)), design.Table(m.design.ByID(t.ID)), database.Table(m.database.ByID(t.ID))); merged != nil {
			out[t.ID] = merged
		}
	}
	return out
}

// table merges one table; any of the three may be nil, and so the result.
func (m *merger) table(b, o, t *designer.Table) *designer.Table {
	switch {
	case o == nil && t == nil:
		return nil
	case b == nil && o == nil:
		return t
	case b == nil && t == nil:
		return o
	case b == nil:
		b = &designer.Table{ID: o.ID, Schema: o.Schema, Name: o.Name, Columns: []designer.Column{}}
	case o == nil && !changedTable(b, t), t == nil && !changedTable(b, o):
		return nil
	case o == nil:
		return sideOf(m.decide(Conflict{Table: t.TableName(), What: "dropped in the design, changed in the database"}), nil, t)
	case t == nil:
		return sideOf(m.decide(Conflict{Table: o.TableName(), What: droppedAndChanged}), o, nil)
	}
	return m.both(b, o, t)
}

func changedTable(a, b *designer.Table) bool { return !designer.DiffTables(a, b).Empty() }

func sideOf[T any](s Side, design, database T) T {
	if s == SideDatabase {
		return database
	}
	return design
}

// both merges a table that design and database have.
func (m *merger) both(b, o, t *designer.Table) *designer.Table {
	at := Conflict{Table: o.TableName()}
	out := o.Clone()
	out.Name = mergeField(m, at, "name", b.Name, o.Name, t.Name)
	out.Schema = mergeField(m, at, "schema", b.Schema, o.Schema, t.Schema)
	out.Comment = mergeField(m, at, "comment", b.Comment, o.Comment, t.Comment)
	out.Options = mergeOf(m, at, "options", b.Options, o.Options, t.Options, maps.Equal[map[string]string], optionText)
	out.Triggers = t.Triggers // carried: the database says
	words := m.words(o, t)
	out.Columns = mergeParts(m, at, b.Columns, o.Columns, t.Columns, m.columnParts(words.column))
	out.PrimaryKey = mergeOf(m, at, "primary key", b.PrimaryKey, o.PrimaryKey, t.PrimaryKey, (*designer.PrimaryKey).Equal,
		func(k *designer.PrimaryKey) string { return keyText(o, t, k) })
	out.ForeignKeys = mergeParts(m, at, b.ForeignKeys, o.ForeignKeys, t.ForeignKeys, wholeParts("foreign key",
		func(k designer.ForeignKey) (designer.ID, string) { return k.ID, k.Name }, (*designer.ForeignKey).Equal, words.foreignKey))
	out.Indexes = mergeParts(m, at, b.Indexes, o.Indexes, t.Indexes, wholeParts("index",
		func(x designer.Index) (designer.ID, string) { return x.ID, x.Name }, (*designer.Index).Equal, words.index))
	out.Checks = mergeParts(m, at, b.Checks, o.Checks, t.Checks, wholeParts("check",
		func(k designer.Check) (designer.ID, string) { return k.ID, k.Name }, (*designer.Check).Equal, words.check))
	return out.Clone()
}

// mergeField merges one comparable value.
func mergeField[T comparable](m *merger, at Conflict, what string, b, o, t T) T {
	return mergeOf(m, at, what, b, o, t, func(x, y T) bool { return x == y }, func(v T) string { return fmt.Sprint(v) })
}

// mergeOf merges one value: who changed it wins, and both changing it
// differently is a conflict.
func mergeOf[T any](m *merger, at Conflict, what string, b, o, t T, same func(x, y T) bool, text func(T) string) T {
	switch {
	case same(b, t), same(o, t):
		return o
	case same(b, o):
		return t
	}
	at.What, at.Base, at.Design, at.Database = what, clip.Name(text(b)), clip.Name(text(o)), clip.Name(text(t))
	return sideOf(m.decide(at), o, t)
}

func optionText(o map[string]string) string {
	text := ""
	for _, k := range slices.Sorted(maps.Keys(o)) {
		text += k + "=" + o[k] + " "
	}
	return text
}

func keyText(o, t *designer.Table, k *designer.PrimaryKey) string {
	if k == nil {
		return "none"
	}
	names := t.ColumnNames()
	maps.Copy(names, o.ColumnNames())
	return fmt.Sprint(inOrder(names, k.Columns))
}
