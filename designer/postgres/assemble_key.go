package postgres

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// names returns what the columns with these numbers are called.
func (r *relation) names(numbers []int64) []string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		if at, ok := r.numbers[n]; ok {
			out[i] = r.columns[at].name
		}
	}
	return out
}

func (b *assembler) primaryKey(r *relation, x *index, k *constraint) *designer.KeyDefinition {
	o := b.keyOptions(x, k)
	var included []int64
	for _, c := range x.columns[x.keys:] {
		included = append(included, c.number)
	}
	o.set(OptionInclude, idents(r.names(included)))
	return &designer.KeyDefinition{Name: k.name, Columns: r.names(k.columns), Options: o.orNil()}
}

// keyOptions are those that indexes and the constraints on them share; k may
// be nil.
func (b *assembler) keyOptions(x *index, k *constraint) options {
	o := options{}
	o.set(OptionWith, x.parameters)
	o.set(OptionTablespace, x.tablespace)
	o.flag(OptionNullsNotDistinct, x.nullsNotDistinct)
	o.flag(OptionInvalid, !x.valid)
	o.flag(OptionReplicaIdentity, x.identity)
	o.flag(OptionClustered, x.clustered)
	o.set(OptionStatistics, x.statistics())
	if k == nil {
		o.set(OptionComment, b.catalog.comments[commentKey{"pg_class", x.oid, 0}])
		return o
	}
	o.set(OptionComment, b.comment(k))
	if k.deferrable {
		o.set(OptionDeferrable, string(deferral(k)))
	}
	return o
}

// statistics lists the keys whose values the server looks at more closely, or
// less: "1=100,3=0".
func (x *index) statistics() string {
	var list []string
	for i, c := range x.columns {
		if c.statistics >= 0 {
			list = append(list, strconv.Itoa(i+1)+"="+decimal(c.statistics))
		}
	}
	return strings.Join(list, ",")
}

func (b *assembler) comment(k *constraint) string {
	return b.catalog.comments[commentKey{"pg_constraint", k.oid, 0}]
}

func deferral(k *constraint) designer.Deferral {
	switch {
	case k.deferred:
		return designer.DeferrableInitEnd
	case k.deferrable:
		return designer.DeferrableInitNow
	}
	return designer.NotDeferrable
}

// index makes a definition of an index or, with k, of the constraint on it.
func (b *assembler) index(r *relation, x *index, k *constraint) designer.IndexDefinition {
	o := b.keyOptions(x, k)
	d := designer.IndexDefinition{Name: x.name, Unique: x.unique, Where: gathered(withoutOuter(x.where))}
	if x.method != "btree" {
		d.Method = x.method
	}
	if k != nil {
		d.Constraint = k.kind == "u"
		o.set(OptionExclude, k.operators)
	}
	for i, c := range x.columns {
		name := strings.Join(r.names([]int64{c.number}), "")
		if i >= int(x.keys) {
			d.Include = append(d.Include, name)
			continue
		}
		d.Parts = append(d.Parts, indexKey(c, name, r.collation(c.number)))
	}
	d.Options = o.orNil()
	return d
}

// collation is what a key on this column has without saying so. It is zero for
// an expression, with number 0, as indexQuery reads one that says none.
func (r *relation) collation(number int64) oid {
	if at, ok := r.numbers[number]; ok {
		return r.columns[at].collationID
	}
	return 0
}

// indexKey names what is not implied: nulls come last in ascending order and
// first in descending.
func indexKey(c indexColumn, name string, own oid) designer.IndexKeyDefinition {
	const descending, nullsFirst = 1, 2
	if c.collationID == own {
		c.collation = ""
	}
	k := designer.IndexKeyDefinition{Column: name, Expression: withoutOuter(c.expression), OpClass: c.opClass,
		Descending: c.options&descending != 0, Collation: collationName(c.collationSchema, c.collation)}
	if c.opClass != "" && c.opClassOptions != "" {
		k.OpClass += " (" + c.opClassOptions + ")"
	}
	switch first := c.options&nullsFirst != 0; {
	case first && !k.Descending:
		k.Nulls = "first"
	case !first && k.Descending:
		k.Nulls = "last"
	}
	return k
}

func (b *assembler) check(k *constraint) designer.CheckDefinition {
	o := options{}
	o.set(OptionComment, b.comment(k))
	o.flag(OptionNotValid, !k.valid && k.enforced)
	o.flag(OptionNotEnforced, !k.enforced)
	o.flag(OptionNoInherit, k.noInherit)
	o.flag(OptionInherited, k.inherited)
	return designer.CheckDefinition{Name: k.name, Expression: gathered(withoutOuter(k.expression)), Options: o.orNil()}
}

func (b *assembler) foreignKey(r *relation, k *constraint) designer.ForeignKeyDefinition {
	o := options{}
	o.set(OptionComment, b.comment(k))
	o.flag(OptionNotValid, !k.valid && k.enforced)
	o.flag(OptionNotEnforced, !k.enforced)
	o.set(OptionMatch, matches[k.match])
	var set []string
	for _, n := range k.setColumns {
		for i, column := range k.columns {
			if column == n {
				set = append(set, strconv.Itoa(i+1))
			}
		}
	}
	o.set(OptionSetColumns, strings.Join(set, ","))
	d := designer.ForeignKeyDefinition{Name: k.name, OnDelete: actions[k.onDelete], OnUpdate: actions[k.onUpdate],
		Deferrable: deferral(k), Options: o.orNil()}
	references := k.elsewhere
	if target := b.catalog.byOID[k.target]; len(references) == 0 && target != nil {
		references = append([]string{target.schema, target.name}, target.names(k.references)...)
	}
	for i, name := range r.names(k.columns) {
		m := designer.NameMapping{Column: name}
		if i+2 < len(references) {
			d.ReferencedTable.Schema, d.ReferencedTable.Name, m.ReferencedColumn = references[0], references[1], references[i+2]
		}
		d.Mappings = append(d.Mappings, m)
	}
	return d
}

// The words for the catalogue's letters.
var (
	matches = map[string]string{"f": "full", "p": "partial"}
	actions = map[string]designer.Action{"a": designer.NoAction, "r": designer.Restrict, "c": designer.Cascade,
		"n": designer.SetNull, "d": designer.SetDefault}
)
