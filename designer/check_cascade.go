package designer

// cascades reports whether a change of the referenced row reaches this one.
func (k ForeignKey) cascades() bool {
	return cascades(k.OnDelete) || cascades(k.OnUpdate)
}

func cascades(a Action) bool { return a == Cascade || a == SetNull || a == SetDefault }

// checkCascades refuses k where a deletion could reach a table on two ways,
// or come back to where it began, as SQL Server does. Every table on the way
// is looked at once, and tables that cascades do not connect with k never.
func (r rules) checkCascades(draft *Table, k ForeignKey) *Error {
	if !k.cascades() {
		return nil
	}
	targets := func(id ID) []ID { return r.cascadeTargets(id, k.ID) }
	sources := func(id ID) []ID { return r.cascadeSources(id, k.ID) }
	above := explorer(sources)(k.RefTable)
	isAbove := map[ID]bool{}
	for _, id := range above {
		isAbove[id] = true
	}
	below := explorer(targets)(draft.ID)
	for _, id := range below {
		if isAbove[id] {
			return invalid("Foreign key would make a cascade cycle through table %s: use no_action", r.table(id).quoted())
		}
	}
	// A second way comes in from above without k: it is looked for upwards,
	// where tables have few keys, rather than downwards from a table that
	// everything refers to.
	unseen := explorer(sources)
	for _, id := range below {
		for _, source := range unseen(id) {
			if isAbove[source] {
				return invalid("Foreign key would make multiple cascade paths to table %s: use no_action", r.table(id).quoted())
			}
		}
	}
	return nil
}

// explorer returns a function that lists the tables reached from one, itself
// first, that it has not listed before.
func explorer(next func(ID) []ID) func(from ID) []ID {
	seen := map[ID]bool{}
	return func(from ID) []ID {
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
}

// cascadeTargets lists the tables a deletion in the table reaches directly,
// by keys other than the one given.
func (r rules) cascadeTargets(id, but ID) []ID {
	var out []ID
	for _, from := range r.s.Incoming(id) {
		from = r.table(from.ID)
		for _, k := range from.ForeignKeys {
			if k.ID != but && k.RefTable == id && k.cascades() {
				out = append(out, from.ID)
			}
		}
	}
	return out
}

// cascadeSources lists the tables whose deletions reach the table directly.
func (r rules) cascadeSources(id, but ID) []ID {
	var out []ID
	for _, k := range r.table(id).ForeignKeys {
		if k.ID != but && k.RefTable != "" && k.cascades() {
			out = append(out, k.RefTable)
		}
	}
	return out
}
