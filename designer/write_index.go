package designer

import "strings"

func (o addIndex) write(t *tx) {
	draft, x := t.draft(o.table), o.index.index.clone()
	if x.Name == "" {
		parts := mapEach(o.index.spec.Columns, func(p IndexPart) string {
			if p.Expression != "" {
				return "expr"
			}
			return p.Name
		})
		x.Name = t.s.freeIndexName(draft, "IX_"+draft.Name+"_"+strings.Join(parts, "_"))
	}
	draft.Indexes = append(draft.Indexes, x)
}

func (o setIndex) write(t *tx) {
	t.draft(o.table).Indexes[o.at] = o.index.index.clone()
}

func (o dropIndex) write(t *tx) {
	draft := t.draft(o.table)
	draft.Indexes = keep(draft.Indexes, func(x Index) bool { return x.ID != o.id })
}
