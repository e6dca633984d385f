package postgres

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// definition puts the rows together.
func (c *catalog) definition() designer.Definition {
	def := designer.Definition{Schemas: c.schemas, DefaultSchema: c.defaultSchema, Tables: []designer.TableDefinition{}}
	b := &assembler{catalog: c, owned: map[columnKey]*sequence{}, implied: map[oid]bool{}, triggers: map[place][]string{}}
	for _, o := range c.objects {
		if o.Kind == designer.ObjectTrigger {
			at := place{schema: o.Schema, name: o.Table}
			b.triggers[at] = append(b.triggers[at], o.Name)
		}
	}
	for _, names := range b.triggers {
		slices.Sort(names)
	}
	for i := range c.sequences {
		if s := &c.sequences[i]; s.owner != 0 {
			b.owned[columnKey{s.owner, s.ownerColumn}] = s
		}
	}
	for _, r := range c.relations {
		switch {
		case r.partition:
		case r.kind == "r" || r.kind == "p":
			def.Tables = append(def.Tables, b.table(r))
			def.Numbers = append(def.Numbers, numbered(r))
		}
	}
	def.Views = append(def.Views, c.viewDefinitions()...)
	def.Objects = append(b.sequenceObjects(), c.carried()...)
	return def
}

// numbered are the server's own numbers of a table and its columns.
func numbered(r *relation) designer.CatalogIDs {
	n := designer.CatalogIDs{Schema: r.schema, Name: r.name, Number: int64(r.oid)}
	for _, c := range r.columns {
		n.Add(int(c.number), c.name)
	}
	return n
}

// assembler makes definitions of tables.
type assembler struct {
	catalog  *catalog
	owned    map[columnKey]*sequence // by the column that owns it
	implied  map[oid]bool            // sequences that the definition of their column says all of
	triggers map[place][]string      // by table
}

type columnKey struct {
	table  oid
	number int64
}

func (b *assembler) table(r *relation) designer.TableDefinition {
	t := designer.TableDefinition{Schema: r.schema, Name: r.name, Options: b.tableOptions(r), Columns: make([]designer.Column, 0, len(r.columns)), Triggers: b.triggers[place{schema: r.schema, name: r.name}],
		Comment: b.catalog.comments[commentKey{"pg_class", r.oid, 0}]}
	for i := range r.columns {
		t.Columns = append(t.Columns, b.column(r, r.columns[i]))
	}
	backing := map[oid]*constraint{} // by index
	for _, k := range b.catalog.constraints[r.oid] {
		switch k.kind {
		case "c":
			t.Checks = append(t.Checks, b.check(k))
		case "f":
			t.ForeignKeys = append(t.ForeignKeys, b.foreignKey(r, k))
		default:
			backing[k.index] = k
		}
	}
	for _, x := range b.catalog.indexes[r.oid] {
		k := backing[x.oid]
		if k != nil && k.kind == "p" {
			t.PrimaryKey = b.primaryKey(r, x, k)
		} else {
			t.Indexes = append(t.Indexes, b.index(r, x, k))
		}
	}
	return t
}

func (b *assembler) tableOptions(r *relation) map[string]string {
	o := options{}
	o.flag(OptionUnlogged, r.unlogged)
	o.set(OptionPartitionBy, r.partitionKey)
	o.set(OptionMethod, r.method)
	o.set(OptionRowSecurity, r.rowSecurity)
	o.set(OptionReplicaIdentity, r.replica)
	o.set(OptionOfType, r.ofType)
	o.set(OptionWith, r.parameters)
	o.set(OptionTablespace, r.tablespace)
	var parents []string
	for _, id := range r.parents {
		if p := b.catalog.byOID[id]; p != nil {
			parents = append(parents, qualified(p.schema, p.name))
		}
	}
	o.set(OptionInherits, strings.Join(parents, ", "))
	return o.orNil()
}

func (b *assembler) column(r *relation, a *column) designer.Column {
	typ := b.catalog.types[a.typ]
	c := designer.Column{Name: a.name, IsNullable: !a.notNull, Collation: collationName(a.collationSchema, a.collation),
		Comment: b.catalog.comments[commentKey{"pg_class", r.oid, a.number}]}
	setType(&c, typ, int(a.modifier), a.typeText)
	o := options{}
	sequence := b.owned[columnKey{r.oid, a.number}]
	switch {
	case a.generated != "":
		c.IsComputed, c.ComputedFormula, c.ComputedPersisted = true, withoutOuter(a.expression), a.generated == "s"
	case sequence != nil && a.identity != "":
		if a.identity == "a" {
			o.set(OptionIdentity, IdentityAlways)
		}
		b.numbered(r, a, &c, sequence, o)
	case sequence != nil && isSerial(a, typ, sequence, r.unlogged):
		o.set(OptionIdentity, IdentitySerial)
		b.numbered(r, a, &c, sequence, o)
	default:
		c.DefaultValue = constant(withoutOuter(a.expression), typ)
	}
	o.flag(OptionInherited, a.inherited)
	o.set(OptionStorage, storages[a.storage])
	o.set(OptionCompression, compressions[a.compression])
	if a.statistics >= 0 {
		o.set(OptionStatistics, decimal(a.statistics))
	}
	o.set(OptionWith, a.parameters)
	c.Options = o.orNil()
	return c
}

// storages and compressions are the words for the catalogue's letters.
var (
	storages     = map[string]string{"p": "plain", "e": "external", "x": "extended", "m": "main"}
	compressions = map[string]string{"p": "pglz", "l": "lz4"}
)

// collationName returns the name an edit would give a collation.
func collationName(schema, name string) string {
	if schema == "" || schema == "pg_catalog" || schema == DefaultSchema {
		return name
	}
	return schema + "." + name
}

// constant takes the cast off a string that the column's type would be cast
// to anyway, and the quotes off a number: 'x'::text, '-1'::integer. A column
// without a default may say NULL.
func constant(text string, typ columnType) string {
	if cast, null := strings.CutPrefix(text, "NULL::"); null && typ.kind != "d" && isTypeText(cast) {
		return ""
	}
	if !strings.HasPrefix(text, "'") || typ.kind == "d" {
		return text
	}
	end := scan(text)[0].End()
	switch cast, is := strings.CutPrefix(text[end:], "::"); {
	case !is:
	case numeric[cast] && isNumber(text[1:end-1]):
		return text[1 : end-1]
	case cast == typ.cast:
		return text[:end]
	}
	return text
}

// numeric are the casts by which the server writes negative numbers.
var numeric = map[string]bool{"smallint": true, "integer": true, "bigint": true, "numeric": true, "real": true, "double precision": true}

func isNumber(text string) bool {
	tokens := scan(strings.TrimPrefix(text, "-"))
	return len(tokens) == 1 && tokens[0].Kind == sqltext.Number
}
