package sqlite

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// rowIDAlias reports whether the table's key is an INTEGER PRIMARY KEY, another
// name of the rowid: the one key of a table with rowids that has no index.
// Such a key column is never NULL; SQLite lets the others be.
func (b *assembler) rowIDAlias(table string, text *tableText) bool {
	indexed := slices.ContainsFunc(b.catalog.indexes[table], func(r indexRow) bool { return r.origin == "pk" })
	return !text.withoutRowID && len(text.primary.keys) == 1 && !indexed
}

func (b *assembler) primaryKey(t *designer.TableDefinition, text *tableText) {
	var keyed []columnRow
	for _, r := range b.catalog.columns[t.Name] {
		if r.keyPos > 0 {
			keyed = append(keyed, r)
		}
	}
	if len(keyed) == 0 {
		return
	}
	slices.SortFunc(keyed, func(a, b columnRow) int { return cmp.Compare(a.keyPos, b.keyPos) })
	t.PrimaryKey = &designer.KeyDefinition{Name: text.primary.name}
	for _, r := range keyed {
		t.PrimaryKey.Columns = append(t.PrimaryKey.Columns, r.name)
	}
	conflict := text.primary.onConflict
	for _, r := range b.catalog.indexes[t.Name] {
		if r.origin == "pk" && conflict == "" {
			conflict = conflictOf(t, text.uniques, r)
		}
	}
	t.PrimaryKey.Options = option(OptionOnConflict, conflict)
}

// foreignKeys joins the rows, which come in the order of the text, with the
// names and deferrals only the text has.
func (b *assembler) foreignKeys(t *designer.TableDefinition, text *tableText) error {
	id := -1
	for _, r := range b.catalog.foreignKeys[t.Name] {
		if r.id != id {
			id = r.id
			n := len(t.ForeignKeys)
			if n >= len(text.foreignKeys) {
				return fmt.Errorf("%w: foreign keys", errDisagree)
			}
			t.ForeignKeys = append(t.ForeignKeys, designer.ForeignKeyDefinition{
				Name:            text.foreignKeys[n].name,
				ReferencedTable: designer.TableRef{Schema: DefaultSchema, Name: r.table},
				OnDelete:        action(r.onDelete), OnUpdate: action(r.onUpdate),
				Deferrable: text.foreignKeys[n].deferrable,
				Options:    option(OptionMatch, text.foreignKeys[n].match),
			})
		}
		k := &t.ForeignKeys[len(t.ForeignKeys)-1]
		written := text.foreignKeys[len(t.ForeignKeys)-1].columns
		if r.seq >= len(written) || fold(written[r.seq]) != fold(r.from) {
			return fmt.Errorf("%w: foreign key on %q", errDisagree, r.from)
		}
		to := r.to.String
		if !r.to.Valid {
			to = b.keyColumn(r.table, r.seq)
		}
		k.Mappings = append(k.Mappings, designer.NameMapping{Column: r.from, ReferencedColumn: to})
	}
	if len(t.ForeignKeys) != len(text.foreignKeys) {
		return fmt.Errorf("%w: foreign keys", errDisagree)
	}
	return nil
}

// keyColumn returns the column of a table's primary key at index seq, which
// is what a reference without columns means; "" if there is none.
func (b *assembler) keyColumn(table string, seq int) string {
	for _, r := range b.byFolded[fold(table)] {
		if r.keyPos == seq+1 {
			return r.name
		}
	}
	return ""
}

func action(sql string) designer.Action {
	switch sql {
	case "CASCADE":
		return designer.Cascade
	case "SET NULL":
		return designer.SetNull
	case "SET DEFAULT":
		return designer.SetDefault
	case "RESTRICT":
		return designer.Restrict
	}
	return designer.NoAction
}

// indexes adds t's indexes and unique constraints in the order they were
// made. The index behind a primary key is the primary key's own.
func (b *assembler) indexes(t *designer.TableDefinition, text *tableText) error {
	uniques := slices.Clone(text.uniques)
	for _, r := range b.catalog.indexes[t.Name] {
		var x designer.IndexDefinition
		var err error
		switch r.origin {
		case "pk":
			continue
		case "u":
			x = b.unique(t, r, &uniques)
		default:
			x, err = b.index(t, r)
		}
		if err != nil {
			return fmt.Errorf("index %q: %w", r.name, err)
		}
		t.Indexes = append(t.Indexes, x)
	}
	return nil
}

// unique makes a unique constraint of its automatic index. Its name and
// conflict resolution are those of the constraint in the text that has the
// same keys; the automatic index's own name is SQLite's and not the user's.
func (b *assembler) unique(t *designer.TableDefinition, r indexRow, uniques *[]uniqueText) designer.IndexDefinition {
	x := designer.IndexDefinition{Unique: true, Constraint: true, Parts: b.parts(t, r)}
	x.Options = option(OptionOnConflict, conflictOf(t, *uniques, r))
	if i := slices.IndexFunc(*uniques, func(u uniqueText) bool { return sameKeys(t, u, r) }); i >= 0 {
		x.Name = (*uniques)[i].name
		*uniques = slices.DeleteFunc(*uniques, func(u uniqueText) bool { return sameKeys(t, u, r) })
	}
	return x
}

// conflictOf returns the conflict resolution of the constraints behind an
// index. Written more than once, a constraint has the one that any names.
func conflictOf(t *designer.TableDefinition, uniques []uniqueText, r indexRow) string {
	for _, u := range uniques {
		if u.onConflict != "" && sameKeys(t, u, r) {
			return u.onConflict
		}
	}
	return ""
}

// sameKeys reports whether a constraint in the text is the one behind an index.
// The order of a key does not make two constraints of one.
func sameKeys(t *designer.TableDefinition, u uniqueText, r indexRow) bool {
	return slices.EqualFunc(u.keys, r.keys, func(k key, row indexKeyRow) bool {
		collation := k.collation
		if collation == "" {
			collation = columnCollation(t, row.column.String)
		}
		return fold(k.column) == fold(row.column.String) && fold(collation) == fold(row.collation)
	})
}

func (b *assembler) index(t *designer.TableDefinition, r indexRow) (designer.IndexDefinition, error) {
	x := designer.IndexDefinition{Name: r.name, Unique: r.unique, Parts: b.parts(t, r)}
	text, err := parseIndex(b.texts[r.name])
	if err != nil {
		return x, err
	}
	if len(text.keys) != len(r.keys) {
		return x, fmt.Errorf("%w: keys", errDisagree)
	}
	x.Where = text.where
	for i, k := range text.keys {
		if k.descending != r.keys[i].descending {
			return x, fmt.Errorf("%w: order of keys", errDisagree)
		}
		if !r.keys[i].column.Valid {
			x.Parts[i] = designer.IndexKeyDefinition{Expression: k.text, Descending: k.descending, Collation: k.collation}
		}
	}
	return x, nil
}

// parts lists an index's keys. A collation is named where it is not the
// column's own.
func (b *assembler) parts(t *designer.TableDefinition, r indexRow) []designer.IndexKeyDefinition {
	parts := make([]designer.IndexKeyDefinition, len(r.keys))
	for i, k := range r.keys {
		parts[i] = designer.IndexKeyDefinition{Column: k.column.String, Descending: k.descending}
		if own := columnCollation(t, k.column.String); fold(own) != fold(k.collation) {
			parts[i].Collation = k.collation
		}
	}
	return parts
}

func columnCollation(t *designer.TableDefinition, name string) string {
	for _, c := range t.Columns {
		if c.Name == name {
			return orBinary(c.Collation)
		}
	}
	return orBinary("")
}
