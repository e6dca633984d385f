package mssql

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// definition joins the rows.
func (c *catalog) definition() (designer.Definition, error) {
	def := designer.Definition{Schemas: c.schemas, Tables: make([]designer.TableDefinition, 0, len(c.tables))}
	triggers := c.triggerNames()
	for _, r := range c.tables {
		if _, is := c.unread[r.object]; is {
			continue
		}
		t := c.table(r)
		t.Triggers = triggers[r.object]
		def.Tables = append(def.Tables, t)
		n := designer.CatalogIDs{Schema: r.schema, Name: r.name, Number: int64(r.object)}
		for _, col := range c.columns[r.object] {
			n.Add(col.id, col.name)
		}
		def.Numbers = append(def.Numbers, n)
	}
	def.Views = c.views()
	def.Objects = c.objects()
	c.addUnread(&def)
	return def, nil
}

func (c *catalog) table(r tableRow) designer.TableDefinition {
	t := designer.TableDefinition{
		Schema: r.schema, Name: r.name, Comment: c.comments[part{r.object, 0}], Options: c.tableOptions(r),
		Columns: make([]designer.Column, 0, len(c.columns[r.object])),
	}
	for _, col := range c.columns[r.object] {
		t.Columns = append(t.Columns, c.column(r.object, col))
	}
	c.addIndexes(&t, r.object)
	c.addForeignKeys(&t, r.object)
	for _, k := range c.checks[r.object] {
		t.Checks = append(t.Checks, designer.CheckDefinition{Name: given(k.name, k.unnamed), Expression: unwrap(k.text),
			Options: flags{OptionDisabled: k.disabled, OptionNotTrusted: k.untrusted, OptionNotForReplication: k.notFR}.options()})
	}
	slices.SortStableFunc(t.Checks, func(a, b designer.CheckDefinition) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Expression, b.Expression))
	})
	return t
}

// number sets what an identity column counts from and by. What an int64 does
// not hold, and what the server did not tell, is an option.
func (r identityRow) number(c *designer.Column) {
	seed, err := strconv.ParseInt(r.seed, 10, 64)
	increment, wrong := strconv.ParseInt(r.increment, 10, 64)
	switch {
	case r.seed == "" || r.increment == "":
		c.Options = with(c.Options, OptionIdentity, identityUnknown)
	case err != nil || wrong != nil:
		c.Options = with(c.Options, OptionIdentity, r.seed+","+r.increment)
	default:
		c.IdentitySeed, c.IdentityIncrement = seed, increment
	}
}

// flags are options that are there or not.
type flags map[string]bool

// options returns those that are set, nil if none is.
func (f flags) options() map[string]string {
	var o map[string]string
	for key, set := range f {
		if set {
			o = with(o, key, "true")
		}
	}
	return o
}

// with sets an option unless its value is empty.
func with(o map[string]string, key, value string) map[string]string {
	if value == "" {
		return o
	}
	if o == nil {
		o = map[string]string{}
	}
	o[key] = value
	return o
}

// given is a constraint's name, "" where the server made it up: FK__ and so on
// with parts of the table's name and digits. The flag alone is not believed:
// some servers set it for all constraints.
func given(name string, madeUp bool) string {
	if madeUp && len(name) > 4 && strings.HasPrefix(name[2:], "__") {
		return ""
	}
	return name
}

func (c *catalog) tableOptions(r tableRow) map[string]string {
	var o map[string]string
	kind := c.kinds[r.object]
	if r.temporal == 2 {
		o = with(o, OptionVersioning, r.history)
		o = with(o, OptionRetention, kind.retention)
	}
	switch {
	case r.memory:
		o = with(o, OptionStorage, "memory-optimized")
	case r.fileTable:
		o = with(o, OptionStorage, "file")
	case r.external:
		o = with(o, OptionStorage, "external")
	case kind.node != 0:
		o = with(o, OptionStorage, "graph node")
	case kind.edge != 0:
		o = with(o, OptionStorage, "graph edge")
	case kind.ledger != 0:
		o = with(o, OptionStorage, "ledger")
	}
	o = with(o, OptionPlace, c.places[part{r.object, heap}])
	o = with(o, OptionPlace, c.places[part{r.object, clustered}])
	for _, x := range c.indexes[r.object] {
		if x.kind == heap {
			o = with(o, OptionCompression, compression(x.compression))
		}
	}
	return o
}

func compression(code int) string {
	switch code {
	case 1:
		return "row"
	case 2:
		return "page"
	}
	return ""
}

func (c *catalog) column(table int, r columnRow) designer.Column {
	col := designer.Column{
		Name: r.name, IsNullable: r.nullable, IsIdentity: r.identity, IsComputed: r.computed,
		DefaultValue: unwrap(r.defaultText), Comment: c.comments[part{table, r.id}], Options: c.columnOptions(table, r),
	}
	setType(&col, r.typ)
	if r.xmlCollection != "" {
		col.TypeText = "xml(" + r.xmlCollection + ")"
	}
	if r.identity {
		c.identities[part{table, r.id}].number(&col)
	}
	if r.computed {
		col.ComputedFormula, col.ComputedPersisted = unwrap(r.formula), r.persisted
	}
	if isText(col.DataType) && !r.computed && !strings.EqualFold(r.collation, c.collation) {
		col.Collation = r.collation
	}
	return col
}

func (c *catalog) columnOptions(table int, r columnRow) map[string]string {
	var o map[string]string
	if r.rowGUID || r.sparse || r.hidden || r.columnSet || r.identity { // few are any of it
		o = flags{OptionRowGUID: r.rowGUID, OptionSparse: r.sparse, OptionHidden: r.hidden,
			OptionColumnSet: r.columnSet, OptionNotForReplication: c.identities[part{table, r.id}].notForReplication}.options()
	}
	if !r.defaultUnnamed {
		o = with(o, OptionDefaultName, r.defaultName)
	}
	switch c.encrypted[part{table, r.id}] {
	case 1:
		o = with(o, OptionEncrypted, "deterministic")
	case 2:
		o = with(o, OptionEncrypted, "randomized")
	}
	o = with(o, OptionMasked, c.masks[part{table, r.id}])
	switch r.generated {
	case 1:
		o = with(o, OptionGenerated, "row start")
	case 2:
		o = with(o, OptionGenerated, "row end")
	}
	return o
}
