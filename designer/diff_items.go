package designer

import "slices"

// DiffKind says what one [DiffItem] does.
type DiffKind string

// The kinds.
const (
	DiffAddSchema    DiffKind = "add_schema"
	DiffAddTable     DiffKind = "add_table"
	DiffDropTable    DiffKind = "drop_table"
	DiffRenameTable  DiffKind = "rename_table"
	DiffMoveTable    DiffKind = "move_table"
	DiffAlterTable   DiffKind = "alter_table" // comment or options
	DiffPrimaryKey   DiffKind = "set_primary_key"
	DiffAddColumn    DiffKind = "add_column"
	DiffDropColumn   DiffKind = "drop_column"
	DiffRenameColumn DiffKind = "rename_column"
	DiffAlterColumn  DiffKind = "alter_column"
	DiffAddKey       DiffKind = "add_foreign_key"
	DiffDropKey      DiffKind = "drop_foreign_key"
	DiffAlterKey     DiffKind = "alter_foreign_key"
	DiffAddIndex     DiffKind = "add_index"
	DiffDropIndex    DiffKind = "drop_index"
	DiffAlterIndex   DiffKind = "alter_index"
	DiffAddCheck     DiffKind = "add_check"
	DiffDropCheck    DiffKind = "drop_check"
	DiffAlterCheck   DiffKind = "alter_check"
	DiffAddType      DiffKind = "add_type"
	DiffDropType     DiffKind = "drop_type"
	DiffAlterType    DiffKind = "alter_type" // its name, schema, values or comment
)

// DiffItem is one difference in words: a line of a summary.
type DiffItem struct {
	Kind   DiffKind  `json:"kind"`
	Table  TableName `json:"table"`            // or type: as it is named afterwards, or was before it was dropped
	Name   string    `json:"name,omitempty"`   // of the part, or of the type; "" for the table itself
	Was    string    `json:"was,omitempty"`    // its name before, where that differs
	Fields []string  `json:"fields,omitempty"` // of a column: what changes
}

// Items lists the differences one by one: what goes, what comes, what changes.
func (d *Diff) Items() []DiffItem {
	var out []DiffItem
	for _, name := range d.Schemas {
		out = append(out, DiffItem{Kind: DiffAddSchema, Name: name})
	}
	for _, t := range d.Types {
		out = append(out, t.item())
	}
	for _, t := range d.Dropped {
		out = append(out, DiffItem{Kind: DiffDropTable, Table: t.TableName()})
	}
	for _, t := range d.Added {
		out = append(out, DiffItem{Kind: DiffAddTable, Table: t.TableName()})
	}
	for _, td := range d.Changed {
		out = append(out, td.items()...)
	}
	return out
}

func (d TypeDiff) item() DiffItem {
	switch {
	case d.From == nil:
		return DiffItem{Kind: DiffAddType, Table: d.To.TypeName(), Name: d.To.Name}
	case d.To == nil:
		return DiffItem{Kind: DiffDropType, Table: d.From.TypeName(), Name: d.From.Name}
	}
	item := DiffItem{Kind: DiffAlterType, Table: d.To.TypeName(), Name: d.To.Name}
	if d.From.TypeName() != d.To.TypeName() {
		item.Was = d.From.TypeName().String()
	}
	if !slices.Equal(d.From.ValueNames(), d.To.ValueNames()) {
		item.Fields = append(item.Fields, "values")
	}
	if !d.From.Domain.Equal(d.To.Domain) {
		item.Fields = append(item.Fields, "domain")
	}
	if d.From.Comment != d.To.Comment {
		item.Fields = append(item.Fields, "comment")
	}
	return item
}

func (d TableDiff) items() []DiffItem {
	var out []DiffItem
	at := d.To.TableName()
	add := func(when bool, kind DiffKind, was string) {
		if when {
			out = append(out, DiffItem{Kind: kind, Table: at, Was: was})
		}
	}
	add(d.Renamed, DiffRenameTable, d.From.Name)
	add(d.Moved, DiffMoveTable, d.From.Schema)
	add(d.Comment || d.Options, DiffAlterTable, "")
	for _, c := range d.Columns {
		out = append(out, c.items(at)...)
	}
	add(d.PrimaryKey, DiffPrimaryKey, "")
	out = append(out, partItems(at, d.ForeignKeys, func(k *ForeignKey) string { return k.Name }, DiffAddKey, DiffDropKey, DiffAlterKey)...)
	out = append(out, partItems(at, d.Indexes, func(x *Index) string { return x.Name }, DiffAddIndex, DiffDropIndex, DiffAlterIndex)...)
	return append(out, partItems(at, d.Checks, func(k *Check) string { return k.Name }, DiffAddCheck, DiffDropCheck, DiffAlterCheck)...)
}

func (d ColumnDiff) items(at TableName) []DiffItem {
	switch {
	case d.Added():
		return []DiffItem{{Kind: DiffAddColumn, Table: at, Name: d.To.Name}}
	case d.Dropped():
		return []DiffItem{{Kind: DiffDropColumn, Table: at, Name: d.From.Name}}
	}
	var out []DiffItem
	if d.Renamed {
		out = append(out, DiffItem{Kind: DiffRenameColumn, Table: at, Name: d.To.Name, Was: d.From.Name})
	}
	if fields := d.fields(); len(fields) > 0 {
		out = append(out, DiffItem{Kind: DiffAlterColumn, Table: at, Name: d.To.Name, Fields: fields})
	}
	return out
}

// fields names what changes of a column besides its name.
func (d ColumnDiff) fields() []string {
	var out []string
	add := func(when bool, name string) {
		if when {
			out = append(out, name)
		}
	}
	add(d.Type, "type")
	add(d.Nullable, "nullability")
	add(d.Default, "default")
	add(d.Identity, "identity")
	add(d.Computed, "computed")
	add(d.Collation, "collation")
	add(d.Comment, "comment")
	add(d.Options, "options")
	return out
}

func partItems[T any](at TableName, list []PartDiff[T], name func(*T) string, added, dropped, altered DiffKind) []DiffItem {
	var out []DiffItem
	for _, p := range list {
		switch {
		case p.Added():
			out = append(out, DiffItem{Kind: added, Table: at, Name: name(p.To)})
		case p.Dropped():
			out = append(out, DiffItem{Kind: dropped, Table: at, Name: name(p.From)})
		default:
			item := DiffItem{Kind: altered, Table: at, Name: name(p.To)}
			if was := name(p.From); was != item.Name {
				item.Was = was
			}
			out = append(out, item)
		}
	}
	return out
}
