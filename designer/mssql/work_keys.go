package mssql

import (
	"reflect"
	"strings"

	"github.com/berth-dev/berth/designer"
)

func (w *work) decideDefaults() {
	for i := range w.from.table.Columns {
		c := &w.from.table.Columns[i]
		to := w.to.column(c.ID)
		gone := w.reached(c.ID) || w.defaultChanges(c, to)
		if gone && c.DefaultValue != "" {
			w.dropDefaults[c.ID] = true
		}
		if gone && to != nil && to.DefaultValue != "" && w.columns[c.ID] != renewColumn {
			w.addDefaults[c.ID] = true
		}
	}
}

func (w *work) defaultChanges(from, to *designer.Column) bool {
	return to != nil && (from.DefaultValue != to.DefaultValue || from.Options[OptionDefaultName] != to.Options[OptionDefaultName])
}

func (w *work) decideKey() {
	from, to := w.from.table.PrimaryKey, w.to.table.PrimaryKey
	onlyName := false
	if w.diff.PrimaryKey && from != nil && to != nil {
		next := *from
		next.Name = to.Name
		onlyName = from.Name != "" && to.Name != "" && reflect.DeepEqual(&next, to)
	}
	reached := false
	if from != nil {
		for _, id := range from.Columns {
			reached = reached || w.reached(id) || w.columns[id] == widenColumn
		}
	}
	changes := w.diff.PrimaryKey && !onlyName || reached
	w.dropKey = from != nil && changes
	w.addKey = to != nil && changes
	w.renameKey = onlyName && !changes
}

func (w *work) decideIndexes() {
	for _, p := range w.diff.Indexes {
		if p.Changed() && p.From.Name != "" && p.To.Name != "" && sameIndexButName(p.From, p.To) {
			w.renameIndexes[p.From.ID] = true
			continue
		}
		w.replace(w.dropIndexes, w.addIndexes, id(p.From, indexID), id(p.To, indexID))
	}
	for i := range w.from.table.Indexes {
		x := &w.from.table.Indexes[i]
		if !w.dropIndexes[x.ID] && w.indexReached(x) {
			delete(w.renameIndexes, x.ID)
			w.replace(w.dropIndexes, w.addIndexes, x.ID, x.ID)
		}
	}
	w.decideSecondaryXML()
}

// decideSecondaryXML drops and re-makes the XML indexes that use another one
// that is dropped.
func (w *work) decideSecondaryXML() {
	for i := range w.from.table.Indexes {
		x := &w.from.table.Indexes[i]
		for j := range w.from.table.Indexes {
			y := &w.from.table.Indexes[j]
			needs := strings.EqualFold(x.Options[OptionPrimaryXML], y.Name) || w.dropKey && x.Method == MethodXML
			if x.ID != y.ID && needs && (w.dropIndexes[y.ID] || w.dropKey) && !w.dropIndexes[x.ID] {
				w.replace(w.dropIndexes, w.addIndexes, x.ID, x.ID)
			}
		}
	}
}

func (w *work) indexReached(x *designer.Index) bool {
	if w.reachedText(x.Where, true) {
		return true
	}
	for _, p := range x.Parts {
		if w.reached(p.Column) {
			return true
		}
	}
	for _, id := range x.Include {
		if w.reached(id) {
			return true
		}
	}
	return x.Method != "" && w.dropKey && x.Method != MethodColumnstore
}

func sameIndexButName(a, b *designer.Index) bool {
	x := *a
	x.Name = b.Name
	return reflect.DeepEqual(&x, b)
}

func indexID(x *designer.Index) designer.ID { return x.ID }

func id[T any](p *T, of func(*T) designer.ID) designer.ID {
	if p == nil {
		return ""
	}
	return of(p)
}

// replace marks a part to be dropped as from, where it has an id, and added
// as to.
func (w *work) replace(drop, add map[designer.ID]bool, from, to designer.ID) {
	if from != "" {
		drop[from] = true
	}
	if to != "" {
		add[to] = true
	}
}

func (w *work) decideChecks() {
	for _, p := range w.diff.Checks {
		if p.Changed() && p.From.Name != "" && p.To.Name != "" && sameCheckButName(p.From, p.To) {
			w.renameChecks[p.From.ID] = true
			continue
		}
		w.replace(w.dropChecks, w.addChecks, id(p.From, checkID), id(p.To, checkID))
	}
	for i := range w.from.table.Checks {
		k := &w.from.table.Checks[i]
		if !w.dropChecks[k.ID] && w.reachedText(k.Expression, false) {
			delete(w.renameChecks, k.ID)
			w.replace(w.dropChecks, w.addChecks, k.ID, k.ID)
		}
	}
}

func sameCheckButName(a, b *designer.Check) bool {
	k := *a
	k.Name = b.Name
	return reflect.DeepEqual(&k, b)
}

func checkID(k *designer.Check) designer.ID { return k.ID }

func (w *work) decideForeignKeys() {
	for _, p := range w.diff.ForeignKeys {
		if p.Changed() && p.From.Name != "" && p.To.Name != "" && sameForeignKeyButName(p.From, p.To) {
			w.renameForeignKeys[p.From.ID] = true
			continue
		}
		w.replace(w.dropForeignKeys, w.addForeignKeys, id(p.From, foreignKeyID), id(p.To, foreignKeyID))
	}
	for i := range w.from.table.ForeignKeys {
		k := &w.from.table.ForeignKeys[i]
		for _, m := range k.Mappings {
			if w.reached(m.Column) || w.columns[m.Column] == widenColumn || w.rebuild != "" {
				w.renewForeignKey(k.ID)
			}
		}
	}
}

// renewForeignKey drops a foreign key that is there and makes it again where
// it shall be there afterwards.
func (w *work) renewForeignKey(key designer.ID) {
	if w.dropForeignKeys[key] {
		return
	}
	delete(w.renameForeignKeys, key)
	w.replace(w.dropForeignKeys, w.addForeignKeys, key, key)
}

func sameForeignKeyButName(a, b *designer.ForeignKey) bool {
	k := *a
	k.Name = b.Name
	return reflect.DeepEqual(&k, b)
}

func foreignKeyID(k *designer.ForeignKey) designer.ID { return k.ID }

// losesKey reports whether the columns that a foreign key of another table
// refers to change, or the key or index that it relies on goes for a while.
func (w *work) losesKey(k *designer.ForeignKey) bool {
	refs := make([]designer.ID, len(k.Mappings))
	for i, m := range k.Mappings {
		refs[i] = m.RefColumn
		if w.reached(m.RefColumn) || w.columns[m.RefColumn] == widenColumn {
			return true
		}
	}
	if w.rebuild != "" || w.dropKey && sameSet(refs, w.from.table.PrimaryKey.Columns) {
		return true
	}
	for i := range w.from.table.Indexes {
		x := &w.from.table.Indexes[i]
		if x.Unique && w.dropIndexes[x.ID] && sameSet(refs, keyColumns(x)) {
			return true
		}
	}
	return false
}

func keyColumns(x *designer.Index) []designer.ID {
	out := make([]designer.ID, len(x.Parts))
	for i, p := range x.Parts {
		out[i] = p.Column
	}
	return out
}

func sameSet(a, b []designer.ID) bool {
	if len(a) != len(b) {
		return false
	}
	has := map[designer.ID]bool{}
	for _, id := range a {
		has[id] = true
	}
	for _, id := range b {
		if !has[id] {
			return false
		}
	}
	return true
}
