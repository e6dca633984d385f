package designer

// cascades reports whether a change of the referenced row reaches this one.
func (k ForeignKey) cascades() bool {
	return cascades(k.OnDelete) || cascades(k.OnUpdate)
}

func cascades(a Action) bool { return a == Cascade || a == SetNull || a == SetDefault }

// checkCascades refuses k where a deletion could reach a table on two ways,
// or come back to where it began, as SQL Server does. Every table on the way
// is looked at once, and tables that cascades do not connect with k never.
func (t *tx) checkCascades(draft *Table, k ForeignKey) *Error {
	if !k.cascades() {
		return nil
	}
	targets := func(id ID) []ID { return t.cascadeTargets(id, k.ID) }
	sources := func(id ID) []ID { return t.cascadeSources(id, k.ID) }
	above := reach(k.RefTable, sources, map[ID]bool{})
	isAbove := map[ID]bool{}
	for _, id := range above {
		isAbove[id] = true
	}
	below := reach(draft.ID, targets, map[ID]bool{})
	for _, id := range below {
		if isAbove[id] {
			return invalid("Foreign key would make a cascade cycle through table %s: use no_action", t.table(id).quoted())
		}
	}
	// A second way comes in from above without k: it is looked for upwards,
	// where tables have few keys, rather than downwards from a table that
	// everything refers to.
	seen := map[ID]bool{}
	for _, id := range below {
		for _, source := range reach(id, sources, seen) {
			if isAbove[source] {
				return invalid("Foreign key would make multiple cascade paths to table %s: use no_action", t.table(id).quoted())
			}
		}
	}
	return nil
}

// reach lists the tables reached from one, itself first, that were not seen
// before.
func reach(from ID, next func(ID) []ID, seen map[ID]bool) []ID {
	if seen[from] {
		return nil
	}
	seen[from] = true
	found := []ID{from}
	for i := 0; i < len(found); i++ {
		for _, id := range next(found[i]) {
			if !seen[id] {
				seen[id] = true
				found = append(found, id)
			}
		}
	}
	return found
}

// cascadeTargets lists the tables a deletion in the table reaches directly,
// by keys other than the one given.
func (t *tx) cascadeTargets(id, but ID) []ID {
	var out []ID
	for _, from := range t.s.Incoming(id) {
		from = t.table(from.ID)
		for _, k := range from.ForeignKeys {
			if k.ID != but && k.RefTable == id && k.cascades() {
				out = append(out, from.ID)
			}
		}
	}
	return out
}

// cascadeSources lists the tables whose deletions reach the table directly.
func (t *tx) cascadeSources(id, but ID) []ID {
	var out []ID
	for _, k := range t.table(id).ForeignKeys {
		if k.ID != but && k.RefTable != "" && k.cascades() {
			out = append(out, k.RefTable)
		}
	}
	return out
}
