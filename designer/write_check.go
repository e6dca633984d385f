package designer

func (o addCheck) write(t *tx) {
	draft := t.draft(o.table)
	k := Check{ID: o.id}
	set(&k.Expression, o.spec.Expression)
	set(&k.Name, o.spec.Name)
	if k.Name == "" {
		k.Name = t.s.newCheckName(draft)
	}
	draft.Checks = append(draft.Checks, k)
}

func (o dropCheck) write(t *tx) {
	draft := t.draft(o.table)
	draft.Checks = keep(draft.Checks, func(k Check) bool { return k.ID != o.id })
}
