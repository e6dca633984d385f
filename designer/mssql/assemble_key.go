package mssql

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

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
	o = with(o, OptionPlace, c.places[part{object, r.id}])
	x := c.xmlIndexes[part{object, r.id}]
	o = with(o, OptionPrimaryXML, x.primary)
	return with(o, OptionSecondaryXML, strings.ToLower(x.kind))
}
