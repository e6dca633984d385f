package sqlite

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
	// accepts and ignores.
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
