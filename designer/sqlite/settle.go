package sqlite

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

// settle makes of a table what SQLite returns of it after an edit: without what
// no longer means anything, and without comments, which it does not keep.
func settle(t *designer.Table) {
	alias := aliasesRowID(t)
	t.Comment = ""
	for i := range t.Columns {
		c := &t.Columns[i]
		c.Comment = ""
		key := t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, c.ID)
		if key && alias {
			c.IsNullable = false
		}
		if c.IsNullable {
			delete(c.Options, OptionOnConflict)
		}
		if !key || alias {
			delete(c.Options, OptionKeyOrder)
		}
		if !key || alias || fold(c.Options[OptionKeyCollation]) == fold(orBinary(c.Collation)) {
			delete(c.Options, OptionKeyCollation)
		}
		c.Options = orNil(c.Options)
		settleParts(t, c)
	}
}

// settleParts leaves out collations of index keys that are the column's own.
func settleParts(t *designer.Table, c *designer.Column) {
	for _, x := range t.Indexes {
		for i := range x.Parts {
			if p := &x.Parts[i]; p.Column == c.ID && fold(p.Collation) == fold(orBinary(c.Collation)) {
				p.Collation = ""
			}
		}
	}
}

// aliasesRowID reports whether the table's key is, as rendered, another name of
// the rowid. A lone INTEGER key is; written with DESC it is not, by an old
// mistake that SQLite keeps.
func aliasesRowID(t *designer.Table) bool {
	if t.PrimaryKey == nil || len(t.PrimaryKey.Columns) != 1 || t.Options[OptionWithoutRowID] != "" {
		return false
	}
	c := columnByID(t, t.PrimaryKey.Columns[0])
	return c != nil && c.Options[OptionKeyOrder] == "" && fold(typeOf(*c)) == "integer"
}

func columnByID(t *designer.Table, id designer.ID) *designer.Column {
	for i := range t.Columns {
		if t.Columns[i].ID == id {
			return &t.Columns[i]
		}
	}
	return nil
}
