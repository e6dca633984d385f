package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// errDisagree is for pragmas and text that say different things.
var errDisagree = errors.New("the stored text and the pragmas do not agree")

// definition joins the rows with the stored texts. A table that cannot be read
// leaves the others as they are.
func (c *catalog) definition() designer.Definition {
	def := designer.Definition{Schemas: []string{DefaultSchema}, Tables: []designer.TableDefinition{}, Views: c.views(), Objects: c.triggers()}
	b := newAssembler(c)
	for _, o := range c.objects {
		kind := c.kinds[o.name]
		if o.kind != "table" || kind.kind == "virtual" || c.isInternal(o) {
			continue
		}
		t, err := b.table(o, kind)
		if err != nil {
			def.Views = append(def.Views, unread(o.name, err))
			continue
		}
		def.Tables = append(def.Tables, t)
	}
	slices.SortFunc(def.Tables, func(a, b designer.TableDefinition) int { return cmp.Compare(a.Name, b.Name) })
	return def
}

// unread carries a table that no design holds by its name, with the reason.
func unread(name string, why error) designer.View {
	return designer.View{Schema: DefaultSchema, Name: name,
		Options: map[string]string{designer.OptionUnreadTable: "true", designer.OptionUnreadable: why.Error()}}
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
		if r.name == "" {
			return fmt.Errorf("column %d has no name", i+1)
		}
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
