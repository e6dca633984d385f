package designer

import "github.com/berth-dev/berth/designer/clip"

// Describe says in a few words what an edit asks for, as "Drop table
// dbo.Orders": for confirmations, the history and the journal. It is bounded
// whatever the edit holds.
func Describe(e Edit) string {
	table := fullName(e.Table.Schema, e.Table.Name)
	if e.Table.Name == "" {
		table = clip.Name(string(e.Table.ID))
	}
	switch e.Op {
	case AddTable:
		return "Add table " + table
	case DropTable:
		return "Drop table " + table
	case SetTable:
		return describeSetTable(table, e.SetTable)
	case AddColumn:
		return "Add column" + text(e.Column.Name) + " to " + table
	case DropColumn:
		return "Drop column " + refText(e.ColumnRef) + " of " + table
	case SetColumn:
		return describeSet("column", e.ColumnRef, table, e.SetColumn.Name)
	case AddForeignKey:
		return "Add foreign key" + describeKey(e.ForeignKey) + " to " + table
	case DropForeignKey:
		return "Drop foreign key " + refText(e.ForeignKeyRef) + " of " + table
	case SetForeignKey:
		return describeSet("foreign key", e.ForeignKeyRef, table, e.SetForeignKey.Name)
	case AddIndex:
		return "Add index" + text(e.Index.Name) + " to " + table
	case SetIndex:
		return describeSet("index", e.IndexRef, table, e.SetIndex.Name)
	case DropIndex:
		return "Drop index " + refText(e.IndexRef) + " of " + table
	case AddCheck:
		return "Add check" + text(e.Check.Name) + " to " + table
	case DropCheck:
		return "Drop check " + refText(e.CheckRef) + " of " + table
	case AddType:
		return "Add type " + fullName(e.Type.Schema, e.Type.Name)
	case SetType:
		return describeSetType(e)
	case DropType:
		return "Drop type " + typeRefText(e.TypeRef)
	}
	return clip.Name(string(e.Op))
}

func typeRefText(ref TableRef) string {
	if ref.Name == "" {
		return clip.Name(string(ref.ID))
	}
	return fullName(ref.Schema, ref.Name)
}

func describeSetType(e Edit) string {
	name, set := typeRefText(e.TypeRef), e.SetType
	switch {
	case set.Name != nil && set.Schema != nil:
		return "Rename type " + name + " to " + fullName(*set.Schema, *set.Name)
	case set.Name != nil:
		return "Rename type " + name + " to " + clip.Name(*set.Name)
	case set.Schema != nil:
		return "Move type " + name + " to schema " + clip.Name(*set.Schema)
	case len(set.AddValues) > 0 && set.Values == nil && !set.gives() && len(set.RenameValues) == 0:
		return "Add " + listNames(mapEach(set.AddValues, clip.Name)) + " to type " + name
	}
	return "Change type " + name
}

func describeSetTable(table string, set TableSet) string {
	switch {
	case set.Name != nil && set.Schema != nil:
		return "Rename table " + table + " to " + fullName(*set.Schema, *set.Name)
	case set.Name != nil:
		return "Rename table " + table + " to " + clip.Name(*set.Name)
	case set.Schema != nil:
		return "Move table " + table + " to schema " + clip.Name(*set.Schema)
	}
	return "Change table " + table
}

func describeSet(kind string, ref ObjectRef, table string, name *string) string {
	if name != nil && *name != ref.Name {
		return "Rename " + kind + " " + refText(ref) + " of " + table + " to " + clip.Name(*name)
	}
	return "Change " + kind + " " + refText(ref) + " of " + table
}

func describeKey(k ForeignKeySpec) string {
	out := text(k.Name)
	if k.ReferencedTable != nil {
		out += " on " + fullName(k.ReferencedTable.Schema, k.ReferencedTable.Name)
	}
	return out
}

func refText(r ObjectRef) string {
	if r.Name == "" {
		return clip.Name(string(r.ID))
	}
	return clip.Name(r.Name)
}

// text is a given name after a space; nothing where the name is left to us.
func text(s *string) string {
	if s == nil || *s == "" {
		return ""
	}
	return " " + clip.Name(*s)
}

// Describe says each change of the summary in a few words, as "Drop table
// dbo.Orders", for a question to a person: what is dropped first, then what
// is changed, then what is added. The parts of a table that is added or
// dropped whole are not listed.
func (c Changes) Describe() []string {
	var words []string
	for _, list := range []struct {
		verb, of string
		tables   []TableName
		columns  []ColumnChange
		keys     []KeyChange
		indexes  []IndexChange
		checks   []CheckChange
		types    []TableName
	}{
		{"Drop", "of", c.TablesDropped, c.ColumnsDropped, c.ForeignKeysDropped, c.IndexesDropped, c.ChecksDropped, c.TypesDropped},
		{"Change", "of", c.TablesUpdated, c.ColumnsUpdated, c.ForeignKeysUpdated, c.IndexesUpdated, c.ChecksUpdated, c.TypesUpdated},
		{"Add", "to", c.TablesAdded, c.ColumnsAdded, c.ForeignKeysAdded, c.IndexesAdded, c.ChecksAdded, c.TypesAdded},
	} {
		part := func(kind, name string, of TableName) {
			words = append(words, list.verb+" "+kind+" "+clip.Name(name)+" "+list.of+" "+fullName(of.Schema, of.Name))
		}
		for _, t := range list.tables {
			words = append(words, list.verb+" table "+fullName(t.Schema, t.Name))
		}
		for _, p := range list.columns {
			part("column", p.Column.Name, p.Table)
		}
		for _, p := range list.keys {
			part("foreign key", p.ForeignKey.Name, p.Table)
		}
		for _, p := range list.indexes {
			part("index", p.Index.Name, p.Table)
		}
		for _, p := range list.checks {
			part("check", p.Check.Name, p.Table)
		}
		for _, t := range list.types {
			words = append(words, list.verb+" type "+fullName(t.Schema, t.Name))
		}
	}
	return words
}

// TakesAway reports whether something is dropped, or a column changed, so that
// published data may be lost.
func (c Changes) TakesAway() bool {
	return len(c.TablesDropped)+len(c.ColumnsDropped)+len(c.ForeignKeysDropped)+len(c.IndexesDropped)+len(c.ChecksDropped) > 0 ||
		len(c.TypesDropped)+len(c.TypesUpdated)+len(c.ColumnsUpdated) > 0
}
