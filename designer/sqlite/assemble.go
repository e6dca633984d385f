package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// errDisagree is for pragmas and text that tell different things.
var errDisagree = errors.New("the stored text and the pragmas do not agree")

// definition joins the rows with the stored texts.
func (c *catalog) definition() (designer.Definition, error) {
	def := designer.Definition{Schemas: []string{DefaultSchema}, Tables: []designer.TableDefinition{}, Objects: c.triggers()}
	b := newAssembler(c)
	for _, o := range c.objects {
		kind := c.kinds[o.name]
		switch {
		case strings.HasPrefix(fold(o.name), "sqlite_"), kind.kind == "shadow":
		case o.kind == "view", o.kind == "table" && kind.kind == "virtual":
			def.Views = append(def.Views, designer.View{Schema: DefaultSchema, Name: o.name, Definition: o.sql})
		case o.kind == "table":
			t, err := b.table(o, kind)
			if err != nil {
				return designer.Definition{}, fmt.Errorf("read table %q: %w", o.name, err)
			}
			def.Tables = append(def.Tables, t)
		}
	}
	slices.SortFunc(def.Tables, func(a, b designer.TableDefinition) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(def.Views, func(a, b designer.View) int { return cmp.Compare(a.Name, b.Name) })
	return def, nil
}

// triggers lists the triggers, those of views included, by name. The text of
// one may spell its table's name in another case.
func (c *catalog) triggers() []designer.Object {
	spelled := map[string]string{}
	for _, o := range c.objects {
		if o.kind == "table" || o.kind == "view" {
			spelled[fold(o.name)] = o.name
		}
	}
	var list []designer.Object
	for _, o := range c.objects {
		if o.kind == "trigger" {
			list = append(list, designer.Object{Kind: designer.ObjectTrigger, Schema: DefaultSchema,
				Name: o.name, Table: spelled[fold(o.table)], Definition: o.sql})
		}
	}
	slices.SortFunc(list, func(a, b designer.Object) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// assembler makes definitions of tables.
type assembler struct {
	catalog  *catalog
	types    map[string]designer.TypeInfo // by upper-case name
	texts    map[string]string            // CREATE INDEX by index name
	triggers map[string][]string          // names by folded table name
	byFolded map[string][]columnRow       // by folded table name
}

func newAssembler(c *catalog) *assembler {
	b := &assembler{
		catalog: c, types: map[string]designer.TypeInfo{}, texts: map[string]string{},
		triggers: map[string][]string{}, byFolded: map[string][]columnRow{},
	}
	for _, t := range types() {
		for _, name := range append(t.Aliases, t.Name) {
			b.types[name] = t
		}
	}
	for _, o := range c.objects {
		switch o.kind {
		case "index":
			b.texts[o.name] = o.sql
		case "trigger":
			b.triggers[fold(o.table)] = append(b.triggers[fold(o.table)], o.name)
		}
	}
	for name, rows := range c.columns {
		b.byFolded[fold(name)] = rows
	}
	return b
}

// fold compares names as SQLite does: ASCII letters without case.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

func (b *assembler) table(o object, kind tableKind) (designer.TableDefinition, error) {
	t := designer.TableDefinition{Schema: DefaultSchema, Name: o.name, Triggers: b.triggers[fold(o.name)]}
	text, err := parseTable(o.sql)
	if err != nil {
		return t, err
	}
	slices.Sort(t.Triggers)
	if text.strict != kind.strict || text.withoutRowID != kind.withoutRowID {
		return t, fmt.Errorf("%w: options", errDisagree)
	}
	t.Options = tableOptions(text)
	if err := b.columns(&t, text); err != nil {
		return t, err
	}
	if err := b.foreignKeys(&t, text); err != nil {
		return t, err
	}
	for _, k := range text.checks {
		t.Checks = append(t.Checks, designer.CheckDefinition{Name: k.name, Expression: k.expression,
			Options: option(OptionOnConflict, k.onConflict)})
	}
	return t, b.indexes(&t, text)
}

func (b *assembler) columns(t *designer.TableDefinition, text *tableText) error {
	rows := b.catalog.columns[t.Name]
	if len(rows) != len(text.columns) {
		return fmt.Errorf("%w: %d and %d columns", errDisagree, len(text.columns), len(rows))
	}
	alias := b.rowIDAlias(t.Name, text)
	for i, r := range rows {
		written := text.columns[i]
		if r.name != written.name || (r.hidden != 0) != (written.generated != "") || (r.hidden == 3) != written.stored {
			return fmt.Errorf("%w: column %q", errDisagree, r.name)
		}
		c := designer.Column{
			Name: r.name, IsNullable: !r.notNull && (r.keyPos == 0 || !alias),
			DefaultValue: written.def, Collation: written.collation,
			IsComputed: r.hidden != 0, ComputedFormula: written.generated, ComputedPersisted: written.stored,
			Options: columnOptions(r, written, text, alias),
		}
		setType(&c, written.typeText, b.types)
		if text.primary.auto && r.keyPos == 1 {
			c.IsIdentity, c.IdentitySeed, c.IdentityIncrement = true, 1, 1
		}
		t.Columns = append(t.Columns, c)
	}
	b.primaryKey(t, text)
	return nil
}

// rowIDAlias reports whether the table's key is an INTEGER PRIMARY KEY, another
// name of the rowid: the one key of a table with rowids that has no index.
// Such a key column is never NULL; SQLite lets the others be.
func (b *assembler) rowIDAlias(table string, text *tableText) bool {
	indexed := slices.ContainsFunc(b.catalog.indexes[table], func(r indexRow) bool { return r.origin == "pk" })
	return !text.withoutRowID && len(text.primary.keys) == 1 && !indexed
}

func (b *assembler) primaryKey(t *designer.TableDefinition, text *tableText) {
	var keyed []columnRow
	for _, r := range b.catalog.columns[t.Name] {
		if r.keyPos > 0 {
			keyed = append(keyed, r)
		}
	}
	if len(keyed) == 0 {
		return
	}
	slices.SortFunc(keyed, func(a, b columnRow) int { return cmp.Compare(a.keyPos, b.keyPos) })
	t.PrimaryKey = &designer.KeyDefinition{Name: text.primary.name}
	for _, r := range keyed {
		t.PrimaryKey.Columns = append(t.PrimaryKey.Columns, r.name)
	}
	conflict := text.primary.onConflict
	for _, r := range b.catalog.indexes[t.Name] {
		if r.origin == "pk" && conflict == "" {
			conflict = conflictOf(t, text.uniques, r)
		}
	}
	t.PrimaryKey.Options = option(OptionOnConflict, conflict)
}

// foreignKeys joins the rows, which come in the order of the text, with the
// names and deferrals only the text has.
func (b *assembler) foreignKeys(t *designer.TableDefinition, text *tableText) error {
	id := -1
	for _, r := range b.catalog.foreignKeys[t.Name] {
		if r.id != id {
			id = r.id
			n := len(t.ForeignKeys)
			if n >= len(text.foreignKeys) {
				return fmt.Errorf("%w: foreign keys", errDisagree)
			}
			t.ForeignKeys = append(t.ForeignKeys, designer.ForeignKeyDefinition{
				Name:            text.foreignKeys[n].name,
				ReferencedTable: designer.TableRef{Schema: DefaultSchema, Name: r.table},
				OnDelete:        action(r.onDelete), OnUpdate: action(r.onUpdate),
				Deferrable: text.foreignKeys[n].deferrable,
				Options:    option(OptionMatch, text.foreignKeys[n].match),
			})
		}
		k := &t.ForeignKeys[len(t.ForeignKeys)-1]
		written := text.foreignKeys[len(t.ForeignKeys)-1].columns
		if r.seq >= len(written) || fold(written[r.seq]) != fold(r.from) {
			return fmt.Errorf("%w: foreign key on %q", errDisagree, r.from)
		}
		to := r.to.String
		if !r.to.Valid {
			to = b.keyColumn(r.table, r.seq)
		}
		k.Mappings = append(k.Mappings, designer.NameMapping{Column: r.from, ReferencedColumn: to})
	}
	if len(t.ForeignKeys) != len(text.foreignKeys) {
		return fmt.Errorf("%w: foreign keys", errDisagree)
	}
	return nil
}

// keyColumn returns the column of a table's primary key at index seq, which
// is what a reference without columns means; "" if there is none.
func (b *assembler) keyColumn(table string, seq int) string {
	for _, r := range b.byFolded[fold(table)] {
		if r.keyPos == seq+1 {
			return r.name
		}
	}
	return ""
}

func action(sql string) designer.Action {
	switch sql {
	case "CASCADE":
		return designer.Cascade
	case "SET NULL":
		return designer.SetNull
	case "SET DEFAULT":
		return designer.SetDefault
	case "RESTRICT":
		return designer.Restrict
	}
	return designer.NoAction
}
