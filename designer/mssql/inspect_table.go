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
		t := c.table(r)
		t.Triggers = triggers[r.object]
		def.Tables = append(def.Tables, t)
	}
	def.Views = c.views()
	def.Objects = c.objects()
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
	if r.temporal == 2 {
		o = with(o, OptionVersioning, r.history)
	}
	switch {
	case r.memory:
		o = with(o, OptionStorage, "memory-optimized")
	case r.fileTable:
		o = with(o, OptionStorage, "file table")
	case r.external:
		o = with(o, OptionStorage, "external table")
	}
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
		id := c.identities[part{table, r.id}]
		col.IdentitySeed, col.IdentityIncrement = id.seed, id.increment
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
	o = with(o, OptionMasked, c.masks[part{table, r.id}])
	switch r.generated {
	case 1:
		o = with(o, OptionGenerated, "row start")
	case 2:
		o = with(o, OptionGenerated, "row end")
	}
	return o
}

func (c *catalog) addForeignKeys(t *designer.TableDefinition, object int) {
	for _, r := range c.foreignKeys[object] {
		t.ForeignKeys = append(t.ForeignKeys, designer.ForeignKeyDefinition{
			Name:            given(r.name, r.unnamed),
			ReferencedTable: designer.TableRef{Schema: r.refSchema, Name: r.refTable},
			Mappings:        c.mappings[r.object], OnDelete: action(r.onDelete), OnUpdate: action(r.onUpdate),
			Options: flags{OptionDisabled: r.disabled, OptionNotTrusted: r.untrusted, OptionNotForReplication: r.notFR}.options(),
		})
	}
}

// action reads a code of sys.foreign_keys.
func action(code int) designer.Action {
	switch code {
	case 1:
		return designer.Cascade
	case 2:
		return designer.SetNull
	case 3:
		return designer.SetDefault
	}
	return designer.NoAction
}

// The types of sys.indexes.
const (
	heap                 = 0
	clustered            = 1
	xmlIndex             = 3
	spatialIndex         = 4
	clusteredColumnstore = 5
	columnstore          = 6
	hashIndex            = 7
)

func (c *catalog) addIndexes(t *designer.TableDefinition, object int) {
	for _, r := range c.indexes[object] {
		switch {
		case r.kind == heap:
		case r.primary:
			t.PrimaryKey = c.primaryKey(object, r)
		default:
			t.Indexes = append(t.Indexes, c.index(object, r))
		}
	}
	slices.SortStableFunc(t.Indexes, func(a, b designer.IndexDefinition) int { return cmp.Compare(a.Name, b.Name) })
}

func (c *catalog) primaryKey(object int, r indexRow) *designer.KeyDefinition {
	k := &designer.KeyDefinition{Name: given(r.name, r.unnamed), Options: c.indexOptions(object, r)}
	var descending []string
	for i, key := range c.indexKeys[part{object, r.id}] {
		k.Columns = append(k.Columns, key.column)
		if key.descending {
			descending = append(descending, strconv.Itoa(i+1))
		}
	}
	k.Options = with(k.Options, OptionDescending, strings.Join(descending, ","))
	if r.kind != clustered {
		k.Options = with(k.Options, OptionClustered, "false")
	}
	return k
}

func (c *catalog) index(object int, r indexRow) designer.IndexDefinition {
	x := designer.IndexDefinition{Name: given(r.name, r.unnamed), Unique: r.unique, Constraint: r.constraint,
		Parts: []designer.IndexKeyDefinition{}, Where: unwrap(r.filter), Method: method(r.kind), Options: c.indexOptions(object, r)}
	for _, key := range c.indexKeys[part{object, r.id}] {
		switch {
		case r.kind == clusteredColumnstore: // it has all columns
		case key.included && r.kind != columnstore:
			x.Include = append(x.Include, key.column)
		default:
			x.Parts = append(x.Parts, designer.IndexKeyDefinition{Column: key.column, Descending: key.descending})
		}
	}
	if r.kind == clustered || r.kind == clusteredColumnstore {
		x.Options = with(x.Options, OptionClustered, "true")
	}
	return x
}

func method(kind int) string {
	switch kind {
	case xmlIndex:
		return MethodXML
	case spatialIndex:
		return MethodSpatial
	case clusteredColumnstore, columnstore:
		return MethodColumnstore
	case hashIndex:
		return MethodHash
	}
	return ""
}

func (c *catalog) indexOptions(object int, r indexRow) map[string]string {
	o := flags{OptionPadIndex: r.padded, OptionIgnoreDup: r.ignoreDup, OptionDisabled: r.disabled}.options()
	if r.fillFactor > 0 {
		o = with(o, OptionFillFactor, strconv.Itoa(r.fillFactor))
	}
	o = with(o, OptionCompression, compression(r.compression))
	x := c.xmlIndexes[part{object, r.id}]
	o = with(o, OptionPrimaryXML, x.primary)
	return with(o, OptionSecondaryXML, strings.ToLower(x.kind))
}
