package sqlite

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

// What SQLite says of a schema beyond the shared model, as keys of Options.
// Rendering keeps all of it.
const (
	// OptionStrict is a table's: "true" makes it a STRICT one.
	OptionStrict = "strict"
	// OptionWithoutRowID is a table's: "true" makes it WITHOUT ROWID.
	OptionWithoutRowID = "without_rowid"
	// OptionOnConflict is a primary key's, a unique constraint's, a check's
	// and, for NOT NULL, a column's: "rollback", "fail", "ignore" or
	// "replace". The default, "abort", is left out.
	OptionOnConflict = "on_conflict"
	// OptionMatch is a foreign key's: the name after MATCH, which SQLite
	// takes and does not heed.
	OptionMatch = "match"
	// OptionKeyOrder is a primary key column's: "desc". A lone INTEGER key
	// with it is no alias of the rowid.
	OptionKeyOrder = "key_order"
	// OptionKeyCollation is a primary key column's: the collation it has in
	// the key where that is not its own.
	OptionKeyCollation = "key_collation"
)

// option is a map of one entry; nil where it has no value.
func option(key, value string) map[string]string {
	if value == "" {
		return nil
	}
	return map[string]string{key: value}
}

func tableOptions(text *tableText) map[string]string {
	o := map[string]string{}
	if text.strict {
		o[OptionStrict] = "true"
	}
	if text.withoutRowID {
		o[OptionWithoutRowID] = "true"
	}
	return orNil(o)
}

// columnOptions leaves out the order and collation of a key that is the rowid:
// SQLite ignores them.
func columnOptions(r columnRow, c columnText, text *tableText, alias bool) map[string]string {
	o := map[string]string{}
	if r.notNull && c.onConflict != "" {
		o[OptionOnConflict] = c.onConflict
	}
	for _, k := range text.primary.keys {
		if alias || r.keyPos == 0 || fold(k.column) != fold(r.name) {
			continue
		}
		if k.descending {
			o[OptionKeyOrder] = "desc"
		}
		if own := orBinary(c.collation); k.collation != "" && fold(k.collation) != fold(own) {
			o[OptionKeyCollation] = k.collation
		}
	}
	return orNil(o)
}

func orNil(o map[string]string) map[string]string {
	if len(o) == 0 {
		return nil
	}
	return o
}

func orBinary(collation string) string {
	if collation == "" {
		return "BINARY"
	}
	return collation
}

// settle makes of a table what SQLite tells of it after an edit: without what
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
