package ddl

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// finish settles what needs all of the script.
func (r *reader) finish() {
	for _, name := range r.partitions { // pg_dump makes them as tables of their own
		r.forget(name.Schema, name.Name)
	}
	for i := range r.loaded.Tables {
		td := &r.loaded.Tables[i]
		r.numberThemselves(td)
		r.keepKnown(td)
	}
	for i := range r.loaded.Tables {
		r.referToKeys(&r.loaded.Tables[i])
	}
}

// numberThemselves makes identity columns of those whose default is the next
// number of a sequence that they own.
func (r *reader) numberThemselves(td *designer.TableDefinition) {
	for i := range td.Columns {
		col := &td.Columns[i]
		next := strings.HasPrefix(strings.ToLower(col.DefaultValue), "nextval(")
		if next && r.sequences[sequenceKey(td.Schema, td.Name, col.Name)] {
			col.DefaultValue, col.IsIdentity, col.IdentitySeed, col.IdentityIncrement = "", true, 1, 1
			col.Options = setOption(col.Options, "identity", "serial")
		}
	}
}

// keepKnown takes foreign keys out whose own columns the table does not have.
func (r *reader) keepKnown(td *designer.TableDefinition) {
	td.ForeignKeys = slices.DeleteFunc(td.ForeignKeys, func(k designer.ForeignKeyDefinition) bool {
		for i, m := range k.Mappings {
			col := columnAt(td, m.Column)
			if col == nil {
				r.say("a foreign key of table " + clip.Name(td.Name) + " is left out: the table has no column " + clip.Name(m.Column))
				return true
			}
			k.Mappings[i].Column = col.Name
		}
		return false
	})
}

// referToKeys fills in the columns that foreign keys refer to without naming
// them: those of the other table's primary key.
func (r *reader) referToKeys(td *designer.TableDefinition) {
	td.ForeignKeys = slices.DeleteFunc(td.ForeignKeys, func(k designer.ForeignKeyDefinition) bool {
		if k.Mappings[0].ReferencedColumn != "" {
			return false
		}
		other := r.table(k.ReferencedTable.Schema, k.ReferencedTable.Name)
		if other == nil || other.PrimaryKey == nil || len(other.PrimaryKey.Columns) != len(k.Mappings) {
			r.say("the foreign key of " + clip.Name(td.Name) + "." + clip.Name(k.Mappings[0].Column) + " is left out: it names no column of " +
				clip.Name(k.ReferencedTable.Name) + ", whose primary key the script does not have")
			return true
		}
		for i, name := range other.PrimaryKey.Columns {
			k.Mappings[i].ReferencedColumn = name
		}
		return false
	})
}
