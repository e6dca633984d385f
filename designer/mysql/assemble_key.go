package mysql

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Keys of a primary key's options: both list something for each column, with
// commas between.
const (
	OptionLengths = "lengths" // how many characters or bytes are indexed, "0" for all: "10,0"
	OptionOrder   = "order"   // "asc" or "desc", where any is: "desc,asc"
)

func primaryKey(r indexRow) *designer.KeyDefinition {
	k := &designer.KeyDefinition{}
	var lengths, order []string
	prefixed, descends := false, false
	for _, p := range r.parts {
		k.Columns = append(k.Columns, p.column)
		lengths = append(lengths, strconv.Itoa(p.length))
		prefixed = prefixed || p.length > 0
		if p.order == "D" {
			order, descends = append(order, "desc"), true
		} else {
			order = append(order, "asc")
		}
	}
	if prefixed {
		setOption(&k.Options, OptionLengths, strings.Join(lengths, ","))
	}
	if descends {
		setOption(&k.Options, OptionOrder, strings.Join(order, ","))
	}
	if r.comment != "" {
		setOption(&k.Options, OptionComment, r.comment)
	}
	return k
}

func (c *catalog) index(r indexRow, engine string) designer.IndexDefinition {
	x := designer.IndexDefinition{Name: r.name, Unique: r.unique, Method: indexMethod(r.kind, engine)}
	for _, p := range r.parts {
		part := designer.IndexKeyDefinition{Column: p.column, Descending: p.order == "D"}
		if p.column == "" {
			part.Expression = c.expression(p.expression)
		}
		if x.Method != methodSpatial { // which has a length of its own
			part.Length = p.length
		}
		x.Parts = append(x.Parts, part)
	}
	if r.comment != "" {
		setOption(&x.Options, OptionComment, r.comment)
	}
	if r.ignored == "YES" {
		key := OptionIgnored
		if !c.maria {
			key = OptionInvisible
		}
		setOption(&x.Options, key, yes)
	}
	return x
}

// The methods of an index that are not its engine's ordinary one.
const (
	methodFullText = "fulltext"
	methodSpatial  = "spatial"
	methodBTree    = "btree" // in memory, where hashing is ordinary
)

// indexMethod names the method as a design does. An index that InnoDB hashes
// is a unique one whose columns are too long for a tree: it does so by itself.
func indexMethod(kind, engine string) string {
	memory := strings.EqualFold(engine, "MEMORY")
	switch strings.ToUpper(kind) {
	case "FULLTEXT":
		return methodFullText
	case "SPATIAL", "RTREE":
		return methodSpatial
	case "BTREE":
		if memory {
			return methodBTree
		}
	}
	return ""
}

func foreignKey(r keyRow, rule ruleRow) designer.ForeignKeyDefinition {
	k := designer.ForeignKeyDefinition{
		Name:            r.name,
		ReferencedTable: designer.TableRef{Schema: r.schema, Name: r.table},
		OnDelete:        action(rule.onDelete), OnUpdate: action(rule.onUpdate),
	}
	for i, name := range r.columns {
		k.Mappings = append(k.Mappings, designer.NameMapping{Column: name, ReferencedColumn: r.referenced[i]})
	}
	return k
}

func action(rule string) designer.Action {
	switch rule {
	case "CASCADE":
		return designer.Cascade
	case "SET NULL":
		return designer.SetNull
	case "RESTRICT":
		return designer.Restrict
	}
	return designer.NoAction
}
