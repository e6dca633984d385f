package designer

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
)

// Schema is the canonical model of one database's design. Make one with
// [New], [Build] or [Restore]; change it with [Schema.Apply]. It is not safe
// for concurrent use; the tables it hands out are, for reading.
type Schema struct {
	dialect       *Dialect
	newID         func() ID
	defaultSchema string
	schemas       []string // declared, sorted
	views         []View
	carried       []Object
	numbers       []CatalogIDs // never modified

	entries  map[ID]*entry
	named    map[ID]typeEntry         // types that edits make
	order    atomic.Pointer[[]*entry] // entries, sorted; nil: not asked for yet
	columns  int
	names    map[nameKey][]ID       // tables by folded schema and name
	viewKeys map[nameKey]bool       // views by the same
	objects  map[objectKey]int      // how often a key, index or check name is used
	incoming map[ID]map[ID]bool     // tables by the table they refer to
	types    map[string]typeUse     // types by folded column name
	inUse    map[string]schemaUsage // schemas of the tables, by folded name
	sum      digest                 // of every entry's digest
}

// entry is a table with what is derived from it.
type entry struct {
	table  *Table
	key    nameKey
	digest digest
}

// Options are what a [Schema] needs beyond its dialect. nil and the zero
// value are fine.
type Options struct {
	NewID         func() ID // nil: random UUIDs
	DefaultSchema string    // "": the dialect's first common schema
	// Catalog says what the database has beside tables; [Build] takes it from
	// its Definition as well.
	Catalog Catalog
}

// Catalog is what a database has beside tables. None of it but the types is
// part of the version or of a [Change].
type Catalog struct {
	Schemas []string `json:"schemas,omitempty"`
	Views   []View   `json:"views,omitempty"`
	Objects []Object `json:"objects,omitempty"`
	// Types are those that edits make, which Objects then has not. nil: those
	// among the Objects. [Schema.SetCatalog] leaves a schema's types alone.
	Types []*NamedType `json:"types,omitempty"`
	// Numbers are those of [Definition], under the names that the database has.
	Numbers []CatalogIDs `json:"numbers,omitempty"`
}

// New returns a schema without tables.
func New(d *Dialect, opts *Options) *Schema {
	var o Options
	if opts != nil {
		o = *opts
	}
	if d.origin != nil {
		d = d.origin // the catalog says which types of its own the database has
	}
	s := &Schema{
		dialect:       d,
		newID:         o.NewID,
		defaultSchema: o.DefaultSchema,
		entries:       map[ID]*entry{},
		named:         map[ID]typeEntry{},
	}
	if s.newID == nil {
		s.newID = func() ID { return ID(uuid.NewString()) }
	}
	if s.defaultSchema == "" && len(d.Schemas.Common) > 0 {
		s.defaultSchema = d.Schemas.Common[0]
	}
	s.resetIndexes()
	s.SetCatalog(o.Catalog)
	s.putTypes(s.typesOf(o.Catalog))
	return s
}

// SetCatalog replaces what is known of the database beside its tables and the
// types that edits make.
func (s *Schema) SetCatalog(c Catalog) {
	all := slices.Concat(c.Schemas, s.dialect.Schemas.Common, []string{s.defaultSchema})
	all = slices.DeleteFunc(all, func(n string) bool { return n == "" })
	slices.SortFunc(all, compareNames)
	s.schemas = slices.Compact(all)
	s.views = cloneList(c.Views)
	slices.SortFunc(s.views, func(a, b View) int {
		return cmp.Or(compareNames(a.Schema, b.Schema), compareNames(a.Name, b.Name))
	})
	s.viewKeys = make(map[nameKey]bool, len(s.views))
	for _, v := range s.views {
		s.viewKeys[s.keyOf(v.Schema, v.Name)] = true
	}
	s.carried = keep(c.Objects, func(o Object) bool { return !s.dialect.EditsType(o) })
	sortObjects(s.carried)
	s.numbers = c.Numbers
	s.refreshTypes()
}

func sortObjects(list []Object) {
	slices.SortStableFunc(list, func(a, b Object) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), compareNames(a.Schema, b.Schema),
			compareNames(a.Name, b.Name), compareNames(a.Table, b.Table))
	})
}

// Catalog returns what is known of the database beside its tables, sorted.
func (s *Schema) Catalog() Catalog {
	return Catalog{Schemas: slices.Clone(s.schemas), Views: s.Views(), Objects: cloneList(s.carried), Types: s.NamedTypes(), Numbers: s.numbers}
}

// Objects returns what the database has beside tables and views, the types
// that edits make among it, sorted by kind, schema and name.
func (s *Schema) Objects() []Object {
	all := cloneList(s.carried)
	for _, t := range s.NamedTypes() {
		all = append(all, t.object(s.dialect))
	}
	sortObjects(all)
	return all
}

// Dialect returns the dialect the schema was made for, and with it the types
// that the database has of its own.
func (s *Schema) Dialect() *Dialect { return s.dialect }

// DefaultSchema returns the schema that an empty [TableRef.Schema] means.
func (s *Schema) DefaultSchema() string { return s.defaultSchema }

// Version returns the token of the current state: 32 hex digits that change
// with every semantic change and are the same for the same schema wherever,
// whenever and in whatever order it was read. A change of a name's case only
// is not semantic.
func (s *Schema) Version() string { return s.sum.version(len(s.entries)) }

// Len returns the number of tables.
func (s *Schema) Len() int { return len(s.entries) }

// Columns returns the number of columns of all tables together.
func (s *Schema) Columns() int { return s.columns }

// Views returns the views of the database, sorted.
func (s *Schema) Views() []View { return slices.Clone(s.views) }

// Tables returns every table, sorted by schema and name.
func (s *Schema) Tables() []*Table {
	order := s.order.Load()
	if order == nil { // several readers may come here at once
		list := slices.SortedFunc(maps.Values(s.entries), compareEntries)
		order = &list
		s.order.Store(order)
	}
	return tablesOf(*order)
}

// ByID returns the table with this id, nil if there is none.
func (s *Schema) ByID(id ID) *Table {
	if e := s.entries[id]; e != nil {
		return e.table
	}
	return nil
}

// Named returns the tables that the name means, ignoring case, in no order; an
// empty schema is the default one.
func (s *Schema) Named(name TableName) []*Table {
	var all []*Table
	for _, id := range s.names[s.keyOf(name.Schema, name.Name)] {
		all = append(all, s.entries[id].table)
	}
	return all
}

// SameName reports whether two names mean one table: they differ in case at
// most, or in that one spells the default schema out.
func (s *Schema) SameName(a, b TableName) bool {
	return s.keyOf(a.Schema, a.Name) == s.keyOf(b.Schema, b.Name)
}

// Options returns the options under which [Restore] makes a schema that
// continues this one: its default schema, what it carries, and where its ids
// come from.
func (s *Schema) Options() *Options {
	return &Options{NewID: s.newID, DefaultSchema: s.defaultSchema, Catalog: s.Catalog()}
}

// Incoming returns the tables with a foreign key to the table with this id,
// sorted by schema and name; a table that refers to itself is among them.
func (s *Schema) Incoming(id ID) []*Table {
	list := make([]*entry, 0, len(s.incoming[id]))
	for from := range s.incoming[id] {
		list = append(list, s.entries[from])
	}
	return sorted(list)
}

// sorted orders tables as [compareEntries] does.
func sorted(list []*entry) []*Table {
	return tablesOf(slices.SortedFunc(slices.Values(list), compareEntries))
}

func tablesOf(list []*entry) []*Table {
	tables := make([]*Table, len(list))
	for i, e := range list {
		tables[i] = e.table
	}
	return tables
}

// compareEntries orders tables by schema and name without regard to case, then
// by exact name.
func compareEntries(a, b *entry) int {
	if c := cmp.Or(strings.Compare(a.key.schema, b.key.schema), strings.Compare(a.key.name, b.key.name)); c != 0 {
		return c
	}
	return cmp.Or(
		strings.Compare(a.table.Schema, b.table.Schema),
		strings.Compare(a.table.Name, b.table.Name),
		cmp.Compare(a.table.ID, b.table.ID),
	)
}

// reorder takes an entry into the order of the tables, or out of it.
func (s *Schema) reorder(e *entry, in bool) {
	order := s.order.Load()
	if order == nil {
		return
	}
	i, _ := slices.BinarySearchFunc(*order, e, compareEntries)
	if in {
		*order = slices.Insert(*order, i, e)
	} else {
		*order = slices.Delete(*order, i, i+1)
	}
}

// Schemas returns the schemas a table may be put into, as far as they are
// known: those of the database, those every database of the dialect has, and
// those of the tables and types; sorted.
func (s *Schema) Schemas() []string {
	all := slices.Clone(s.schemas)
	add := func(name string) {
		if !slices.ContainsFunc(all, func(n string) bool { return strings.EqualFold(n, name) }) {
			all = append(all, name)
		}
	}
	for _, u := range s.inUse {
		add(u.name)
	}
	for _, e := range s.named {
		add(e.t.Schema)
	}
	slices.SortFunc(all, compareNames)
	return all
}
