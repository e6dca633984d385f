package lint

import (
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lint/rule"
)

func actionRules() []Rule {
	return []Rule{
		{ID: rule.SetNullOnRequired, Severity: Warning, Dialects: []string{"sqlite", "postgres"}, table: setNullOnRequired, Edit: "the action becomes no action, which refuses as well",
			Says: "ON DELETE or ON UPDATE sets a column to NULL that may not be", Why: "the delete fails, with an error that speaks of another table"},
		{ID: rule.SetDefaultWithoutDefault, Severity: Warning, Dialects: []string{"sqlite", "postgres", "mssql"}, table: setDefaultWithoutDefault,
			Says: "ON DELETE or ON UPDATE sets a required column to a default that it has not", Why: "the delete fails"},
		{ID: rule.NoOnDelete, Severity: Info, table: noOnDelete,
			Says: "rows that are named by another row's key do not say what becomes of them when that goes", Why: "such rows are part of the other: say cascade, or restrict where that is meant"},
		{ID: rule.NullableCompositeKey, Severity: Info, table: nullableComposite,
			Says: "a foreign key of several columns has some that may be NULL", Why: "with one of them NULL the others are not checked"},
		{ID: rule.CircularRequired, Severity: Error, design: circularRequired,
			Says: "tables need each other's rows, and none of the keys waits for the commit", Why: "no first row can be inserted"},
		{ID: rule.CircularReference, Severity: Info, Off: true, design: circularReference,
			Says: "foreign keys lead from a table back to it, through others", Why: "loading, copying and deleting need an order of their own",
			Peers: "drawdb circular_dependency"},
	}
}

// actions are a foreign key's actions with their fields in an edit.
func actions(k designer.ForeignKey) []struct {
	on, field string
	action    designer.Action
} {
	return []struct {
		on, field string
		action    designer.Action
	}{{"ON DELETE", "onDeleteAction", k.OnDelete}, {"ON UPDATE", "onUpdateAction", k.OnUpdate}}
}

func setNullOnRequired(p *pass, t *designer.Table) {
	for _, k := range t.ForeignKeys {
		at := slices.IndexFunc(k.Mappings, func(m designer.Mapping) bool { return !t.ColumnByID(m.Column).IsNullable })
		if at < 0 || k.Options["set_columns"] != "" {
			continue
		}
		c := t.ColumnByID(k.Mappings[at].Column)
		for _, a := range actions(k) {
			if a.action == designer.SetNull {
				p.say(t, subject{column: c.Name, object: k.Name}.with(Edit{Op: designer.SetForeignKey, Table: p.tableRef(t), ForeignKey: Ref{ID: k.ID},
					Set: map[string]any{a.field: designer.NoAction}}),
					"%s of %s sets %s.%s to NULL, which it may not be", a.on, keyName(k.Name), p.nameOf(t), clip.Name(c.Name))
			}
		}
	}
}

func setDefaultWithoutDefault(p *pass, t *designer.Table) {
	for _, k := range t.ForeignKeys {
		at := slices.IndexFunc(k.Mappings, func(m designer.Mapping) bool {
			c := t.ColumnByID(m.Column)
			return !c.IsNullable && c.DefaultValue == ""
		})
		if at < 0 || k.Options["set_columns"] != "" {
			continue
		}
		c := t.ColumnByID(k.Mappings[at].Column)
		for _, a := range actions(k) {
			if a.action == designer.SetDefault {
				p.say(t, subject{column: c.Name, object: k.Name}, "%s of %s sets %s.%s to its default, and it has none", a.on, keyName(k.Name), p.nameOf(t), clip.Name(c.Name))
			}
		}
	}
}

// noOnDelete looks at the keys whose columns are part of the primary key: the
// row has no name without the other.
func noOnDelete(p *pass, t *designer.Table) {
	for _, k := range t.ForeignKeys {
		to := p.s.ByID(k.RefTable)
		if to == nil || to.ID == t.ID || k.OnDelete != designer.NoAction || slices.ContainsFunc(columnsFrom(k), func(id designer.ID) bool { return !inKey(t, id) }) {
			continue
		}
		p.say(t, object(k.Name), "Rows of %s belong to one of %s, and the foreign key says nothing of ON DELETE", p.nameOf(t), p.nameOf(to))
	}
}

func nullableComposite(p *pass, t *designer.Table) {
	for _, k := range t.ForeignKeys {
		if len(k.Mappings) < 2 || k.Options["match"] != "" {
			continue
		}
		if at := slices.IndexFunc(k.Mappings, func(m designer.Mapping) bool { return t.ColumnByID(m.Column).IsNullable }); at >= 0 {
			p.say(t, object(k.Name), "Foreign key %s of %s is not checked where %s is NULL", keyName(k.Name), p.nameOf(t), clip.Name(t.ColumnByID(k.Mappings[at].Column).Name))
		}
	}
}

func circularRequired(p *pass) {
	circles(p, "Each row of these needs one of the next before it can be: %s", func(t *designer.Table, k designer.ForeignKey) bool {
		return k.Deferrable == designer.NotDeferrable &&
			!slices.ContainsFunc(k.Mappings, func(m designer.Mapping) bool { return t.ColumnByID(m.Column).IsNullable })
	})
}

func circularReference(p *pass) {
	circles(p, "Foreign keys go in a circle: %s", func(*designer.Table, designer.ForeignKey) bool { return true })
}

// circles finds the sets of tables that reach each other by the keys that
// count, and says each once, of its first table that is wanted.
func circles(p *pass, format string, counts func(t *designer.Table, k designer.ForeignKey) bool) {
	next := func(t *designer.Table) (to []*designer.Table) {
		for _, k := range t.ForeignKeys {
			if other := p.s.ByID(k.RefTable); other != nil && other.ID != t.ID && counts(t, k) {
				to = append(to, other)
			}
		}
		return to
	}
	for _, circle := range components(p.tables, next) {
		at := slices.IndexFunc(circle, p.wants)
		if len(circle) < 2 || at < 0 {
			continue
		}
		names := make([]string, len(circle))
		for i, t := range circle {
			names[i] = p.nameOf(t)
		}
		p.say(circle[at], subject{}, format, listed(names))
	}
}
