package designer

func (t *tx) addCheck(table *Table, spec CheckSpec) *Error {
	if spec.Expression == nil {
		return badRequest(nil, "check needs an expression").at("expression")
	}
	if err := t.s.dialect.checkExpression("expression of the check", *spec.Expression); err != nil {
		return err.at("expression")
	}
	draft := t.draft(table)
	taken := func(name string) bool {
		own := mapEach(draft.Checks, func(k Check) string { return k.Name })
		return t.s.taken(checkName, draft, own, name)
	}
	k := Check{ID: t.s.newID(), Expression: *spec.Expression}
	if spec.Name != nil && *spec.Name != "" {
		if err := t.s.dialect.checkName("Check", *spec.Name); err != nil {
			return err.at("name")
		}
		if taken(*spec.Name) {
			return invalid("Check %s already exists", quote(*spec.Name)).at("name")
		}
		k.Name = *spec.Name
	}
	if k.Name == "" {
		k.Name = t.s.newCheckName(draft)
	}
	draft.Checks = append(draft.Checks, k)
	return nil
}

func (t *tx) dropCheck(table *Table, ref ObjectRef) *Error {
	i, err := table.checkAt(ref)
	if err != nil {
		return err.at("check")
	}
	id := table.Checks[i].ID
	draft := t.draft(table)
	draft.Checks = keep(draft.Checks, func(k Check) bool { return k.ID != id })
	return nil
}
