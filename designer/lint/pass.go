package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// pass is one look at a design: what the rules read, and what they found.
type pass struct {
	s      *designer.Schema
	d      *designer.Dialect
	tables []*designer.Table
	opts   Options
	rule   *Rule // that is being checked
	found  []Finding

	infos   map[string]*designer.TypeInfo // by type name as written; nil: unknown to the dialect
	domains map[string]*designer.NamedType
	facts   facts
}

func newPass(s *designer.Schema, o Options) *pass {
	p := &pass{s: s, d: s.Dialect(), tables: s.Tables(), opts: o,
		infos: map[string]*designer.TypeInfo{}, domains: map[string]*designer.NamedType{}}
	for _, t := range s.NamedTypes() {
		if t.Domain != nil {
			p.domains[designer.Fold(t.Name)] = t
			p.domains[designer.Fold(t.Schema+"."+t.Name)] = t
		}
	}
	return p
}

// wants reports whether something is to be said of t.
func (p *pass) wants(t *designer.Table) bool {
	return (p.opts.Tables == nil || p.opts.Tables[t.ID]) && !bookkeeping[strings.ToLower(t.Name)] && (p.opts.Ignore == nil || !p.opts.Ignore(t))
}

// bookkeeping are the tables in which frameworks and migration tools keep their
// own records: nobody designs them.
var bookkeeping = words(`schema_migrations ar_internal_metadata django_migrations django_session migrations _prisma_migrations
	flyway_schema_history databasechangelog databasechangeloglock alembic_version knex_migrations knex_migrations_lock
	sequelizemeta typeorm_metadata goose_db_version atlas_schema_revisions __efmigrationshistory __diesel_schema_migrations
	_sqlx_migrations sqlite_sequence schema_version doctrine_migration_versions phinxlog __drizzle_migrations`)

// info is what the dialect knows of a column's type, that of the base where
// the type is a domain. nil: nothing.
func (p *pass) info(c designer.Column) *designer.TypeInfo {
	if known, ok := p.infos[c.DataType]; ok {
		return known
	}
	name := c.DataType
	if d := p.domains[designer.Fold(name)]; d != nil {
		if base, err := p.d.ReadType(d.Domain.Base); err == nil {
			name = base.DataType
		}
	}
	info, ok := p.d.Type(name)
	if !ok {
		info = nil
	}
	p.infos[c.DataType] = info
	return info
}

// kind is what a column holds; "" where that is unknown.
func (p *pass) kind(c designer.Column) designer.TypeKind {
	if info := p.info(c); info != nil {
		return info.Kind
	}
	return ""
}

// isText reports whether a column holds text of any kind.
func (p *pass) isText(c designer.Column) bool {
	switch p.kind(c) {
	case designer.KindChar, designer.KindVarchar, designer.KindNChar, designer.KindNVarchar, designer.KindText:
		return true
	}
	return false
}

// subject is what a finding is about, within a table.
type subject struct {
	column, object string
	edits          []Edit
}

func column(c designer.Column) subject { return subject{column: c.Name} }

func object(name string) subject { return subject{object: name} }

func (s subject) with(edits ...Edit) subject {
	s.edits = edits
	return s
}

// say adds a finding of the rule that is being checked. t is nil for one of
// the whole design.
func (p *pass) say(t *designer.Table, about subject, format string, args ...any) {
	f := Finding{Rule: p.rule.ID, Severity: p.rule.Severity, Column: about.column, Object: about.object,
		Message: fmt.Sprintf(format, args...), Edits: about.edits}
	if t != nil {
		f.TableID, f.Schema, f.Table = t.ID, t.Schema, t.Name
	}
	p.found = append(p.found, f)
}

// tableRef names t in an edit.
func (p *pass) tableRef(t *designer.Table) designer.TableRef {
	return designer.TableRef{Schema: t.Schema, Name: t.Name}
}

// retype gives a column another type.
func (p *pass) retype(t *designer.Table, c designer.Column, to string) Edit {
	return Edit{Op: designer.SetColumn, Table: p.tableRef(t), Column: &Ref{Name: c.Name}, Set: map[string]any{"dataType": to}}
}

// nameOf is a table as messages name it: without the default schema.
func (p *pass) nameOf(t *designer.Table) string {
	if t.Schema == "" || t.Schema == p.s.DefaultSchema() {
		return clip.Name(t.Name)
	}
	return clip.Name(t.Schema) + "." + clip.Name(t.Name)
}

// keyName names a key or an index; the database may have it unnamed.
func keyName(name string) string {
	if name == "" {
		return "without a name"
	}
	return clip.Name(name)
}

// columnsOf lists a table's columns by their ids, for a message.
func columnsOf(t *designer.Table, ids []designer.ID) string {
	return listed(namesOf(t, ids))
}

func namesOf(t *designer.Table, ids []designer.ID) []string {
	all := t.ColumnNames()
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = all[id]
	}
	return names
}

// listed joins names for a message, the first ones of many.
func listed(names []string) string {
	const most = 5
	shown := make([]string, 0, most)
	for _, n := range names[:min(len(names), most)] {
		shown = append(shown, clip.Name(n))
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// ordinary reports whether an index finds rows by the whole values of its
// columns, all rows of the table.
func ordinary(x designer.Index) bool {
	return x.Where == "" && x.Method == "" && len(x.Parts) > 0 && whole(x)
}

// whole reports whether the keys of an index are columns, all of their values.
func whole(x designer.Index) bool {
	return !slices.ContainsFunc(x.Parts, func(k designer.IndexKey) bool { return k.Column == "" || k.Length > 0 })
}

// keyColumns lists the columns of an index.
func keyColumns(x designer.Index) []designer.ID {
	ids := make([]designer.ID, len(x.Parts))
	for i, k := range x.Parts {
		ids[i] = k.Column
	}
	return ids
}

// columnsFrom lists the referring columns of a foreign key.
func columnsFrom(k designer.ForeignKey) []designer.ID {
	ids := make([]designer.ID, len(k.Mappings))
	for i, m := range k.Mappings {
		ids[i] = m.Column
	}
	return ids
}

// sameSet reports whether two lists of columns have the same ones.
func sameSet(a, b []designer.ID) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(id designer.ID) bool { return !slices.Contains(b, id) })
}

// covers reports whether the first columns of a key are those of list, in any
// order.
func covers(key, list []designer.ID) bool {
	return len(key) >= len(list) && sameSet(key[:len(list)], list)
}

// inKey reports whether a column is one of the primary key's.
func inKey(t *designer.Table, id designer.ID) bool {
	return t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, id)
}

// isKey reports whether the columns, in any order, are the primary key or a
// unique key of every row of t.
func isKey(t *designer.Table, columns []designer.ID) bool {
	if t.PrimaryKey != nil && sameSet(t.PrimaryKey.Columns, columns) {
		return true
	}
	return slices.ContainsFunc(t.Indexes, func(x designer.Index) bool {
		return x.Unique && ordinary(x) && sameSet(keyColumns(x), columns)
	})
}
