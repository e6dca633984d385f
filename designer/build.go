package designer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// Build makes a schema of what a database or a file says. It accepts what
// databases hold: names that differ in case only, unknown types, unnamed
// keys, foreign keys to tables or columns that do not exist. It refuses what
// cannot be meant: an empty name, and keys and indexes on columns that their
// own table does not have.
func Build(d *Dialect, def Definition, opts *Options) (*Schema, error) {
	return build(New(d, opts), nil, def)
}

// Adopt builds a schema of a new definition of the same database, as after a
// re-read: what has the same name in s keeps its id. s does not change; see
// [Schema.ChangeTo] for the difference as a [Change].
func (s *Schema) Adopt(def Definition) (*Schema, error) {
	next := New(s.dialect, &Options{NewID: s.newID, DefaultSchema: s.defaultSchema})
	return build(next, s, def)
}

// Restore makes a schema of tables that were in one before, ids kept. The
// tables must not be modified afterwards.
func Restore(d *Dialect, tables []*Table, opts *Options) (*Schema, error) {
	s := New(d, opts)
	changes := make([]TableChange, len(tables))
	seen := make(map[ID]bool, len(tables))
	for i, t := range tables {
		if t.ID == "" || seen[t.ID] {
			return nil, fmt.Errorf("restore table %q: id %q is empty or taken", clip.Name(t.Name), t.ID)
		}
		seen[t.ID] = true
		changes[i].After = t
	}
	s.put(changes)
	for _, t := range tables {
		if err := s.checkTable(t); err != nil {
			return nil, fmt.Errorf("restore table %q: %w", clip.Name(t.Name), err)
		}
	}
	return s, nil
}

// builder resolves the names of a definition.
type builder struct {
	s      *Schema
	ids    *idSource
	exact  map[[2]string]*Table
	folded map[nameKey][]*Table
}

func build(s, old *Schema, def Definition) (*Schema, error) {
	ids := newIDSource(s, old, def.Numbers)
	rest := ids.types(def.Objects)
	s.SetCatalog(Catalog{Schemas: slices.Concat(s.schemas, def.Schemas),
		Views: slices.Concat(s.views, def.Views), Objects: slices.Concat(s.carried, rest), Numbers: def.Numbers})
	b := &builder{
		s: s, ids: ids,
		exact: map[[2]string]*Table{}, folded: map[nameKey][]*Table{},
	}
	tables := make([]*Table, len(def.Tables))
	order := b.ids.tables(def.Tables)
	for i, td := range def.Tables {
		t, err := b.table(td, order[i])
		if err != nil {
			return nil, fmt.Errorf("table %q: %w", clip.Name(td.Name), err)
		}
		tables[i] = t
	}
	changes := make([]TableChange, len(tables))
	for i, t := range tables {
		if err := b.foreignKeys(t, def.Tables[i]); err != nil {
			return nil, fmt.Errorf("table %q: %w", clip.Name(t.Name), err)
		}
		changes[i].After = t
	}
	s.put(changes)
	return s, nil
}

// table builds everything but the foreign keys, which need all tables.
func (b *builder) table(td TableDefinition, old *Table) (*Table, error) {
	if td.Schema == "" {
		td.Schema = b.s.defaultSchema
	}
	if td.Name == "" {
		return nil, fmt.Errorf("the name is empty")
	}
	t := (&Table{
		ID: b.ids.table(old), Schema: td.Schema, Name: td.Name, Columns: td.Columns,
		Triggers: td.Triggers, Comment: td.Comment, Options: td.Options,
	}).Clone()
	slices.Sort(t.Triggers)
	ids := b.ids.columns(t, old)
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Name == "" {
			return nil, fmt.Errorf("column %d has no name", i)
		}
		c.ID = ids[i]
		normalize(c)
	}
	if td.PrimaryKey != nil && len(td.PrimaryKey.Columns) > 0 {
		cols, err := columnIDs(t, td.PrimaryKey.Columns)
		if err != nil {
			return nil, fmt.Errorf("primary key: %w", err)
		}
		t.PrimaryKey = &PrimaryKey{Name: td.PrimaryKey.Name, Columns: cols, Options: cloneOptions(td.PrimaryKey.Options)}
	}
	for _, xd := range td.Indexes {
		x, err := buildIndex(t, xd)
		if err != nil {
			return nil, fmt.Errorf("index %q: %w", clip.Name(xd.Name), err)
		}
		t.Indexes = append(t.Indexes, x)
	}
	b.ids.indexes(t.Indexes, old)
	for _, kd := range td.Checks {
		t.Checks = append(t.Checks, Check{Name: kd.Name, Expression: kd.Expression, Options: cloneOptions(kd.Options)})
	}
	b.ids.checks(t.Checks, old)
	b.exact[[2]string{t.Schema, t.Name}] = t
	key := b.s.keyOf(t.Schema, t.Name)
	b.folded[key] = append(b.folded[key], t)
	return t, nil
}

func buildIndex(t *Table, xd IndexDefinition) (Index, error) {
	x := Index{Name: xd.Name, Unique: xd.Unique || xd.Constraint, Constraint: xd.Constraint,
		Where: xd.Where, Parts: make([]IndexKey, len(xd.Parts)), Method: xd.Method, Options: cloneOptions(xd.Options)}
	for i, p := range xd.Parts {
		x.Parts[i] = IndexKey{Expression: p.Expression, Descending: p.Descending, Collation: p.Collation,
			Nulls: p.Nulls, OpClass: p.OpClass, Length: p.Length}
		if p.Column == "" {
			continue
		}
		ids, err := columnIDs(t, []string{p.Column})
		if err != nil {
			return Index{}, err
		}
		x.Parts[i].Column, x.Parts[i].Expression = ids[0], ""
	}
	if len(xd.Include) > 0 {
		ids, err := columnIDs(t, xd.Include)
		if err != nil {
			return Index{}, err
		}
		x.Include = ids
	}
	return x, nil
}

func (b *builder) foreignKeys(t *Table, td TableDefinition) error {
	for _, kd := range td.ForeignKeys {
		k, err := b.foreignKey(t, kd)
		if err != nil {
			return fmt.Errorf("foreign key %q: %w", clip.Name(kd.Name), err)
		}
		t.ForeignKeys = append(t.ForeignKeys, k)
	}
	b.ids.foreignKeys(t)
	return nil
}

func (b *builder) foreignKey(t *Table, kd ForeignKeyDefinition) (ForeignKey, error) {
	k := ForeignKey{Name: kd.Name, OnDelete: orNoAction(kd.OnDelete), OnUpdate: orNoAction(kd.OnUpdate),
		Deferrable: kd.Deferrable, Mappings: make([]Mapping, len(kd.Mappings)), Options: cloneOptions(kd.Options)}
	columns, referenced := make([]string, len(kd.Mappings)), make([]string, len(kd.Mappings))
	for i, m := range kd.Mappings {
		columns[i], referenced[i] = m.Column, m.ReferencedColumn
	}
	ids, err := columnIDs(t, columns)
	if err != nil {
		return k, err
	}
	target := b.find(kd.ReferencedTable)
	var refs []ID
	if target != nil {
		refs, err = columnIDs(target, referenced)
	}
	for i := range k.Mappings {
		k.Mappings[i].Column = ids[i]
		if target != nil && err == nil {
			k.Mappings[i].RefColumn = refs[i]
		}
	}
	if target != nil && err == nil {
		k.RefTable = target.ID
		return k, nil
	}
	schema := kd.ReferencedTable.Schema
	if schema == "" {
		schema = b.s.defaultSchema
	}
	k.Dangling = &Reference{Schema: schema, Table: kd.ReferencedTable.Name, Columns: referenced}
	return k, nil
}

func orNoAction(a Action) Action {
	if a == "" {
		return NoAction
	}
	return a
}

// find returns the table with exactly this name, else the only one that has
// it but for case, else nil.
func (b *builder) find(ref TableRef) *Table {
	if ref.Schema == "" {
		ref.Schema = b.s.defaultSchema
	}
	if t := b.exact[[2]string{ref.Schema, ref.Name}]; t != nil {
		return t
	}
	if list := b.folded[b.s.keyOf(ref.Schema, ref.Name)]; len(list) == 1 {
		return list[0]
	}
	return nil
}

// columnIDs resolves column names as find does tables.
func columnIDs(t *Table, names []string) ([]ID, error) {
	ids := make([]ID, len(names))
	for i, n := range names {
		var matches []ID
		for _, c := range t.Columns {
			if c.Name == n {
				matches = []ID{c.ID}
				break
			}
			if strings.EqualFold(c.Name, n) {
				matches = append(matches, c.ID)
			}
		}
		if len(matches) != 1 {
			return nil, fmt.Errorf("column %q: %d columns match", clip.Name(n), len(matches))
		}
		ids[i] = matches[0]
	}
	return ids, nil
}
