package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// prechecks are the questions to the rows of a table, as it is before the
// plan, that show whether it can be changed so: for a table with more rows
// than are copied to try the plan.
func (p *planner) prechecks(id designer.ID, d designer.TableDiff) []designer.Precheck {
	from := p.d.From.ByID(id)
	if from == nil {
		return nil
	}
	var out []designer.Precheck
	ask := func(where, problem string) {
		out = append(out, designer.Precheck{Query: "SELECT 1 FROM " + quoteName(from.Name) + " WHERE " + where + " LIMIT 1", Problem: problem})
	}
	for _, c := range d.Columns {
		was := columnByID(from, idOf(c.From))
		if was == nil || !c.Changed() || c.To.IsComputed {
			continue
		}
		if c.Nullable && !c.To.IsNullable {
			ask(quoteName(was.Name)+" IS NULL", "column "+was.Name+" holds NULL")
		}
		if too := tooLong(*was, *c.To); too != "" {
			ask(too, "column "+was.Name+" holds a value too long for "+typeOf(*c.To))
		}
	}
	unique := func(columns []designer.ID, name string) {
		if q := duplicates(from, columns); q != "" {
			out = append(out, designer.Precheck{Query: q, Problem: "rows are not unique by " + name})
		}
	}
	if d.PrimaryKey && d.To.PrimaryKey != nil {
		unique(d.To.PrimaryKey.Columns, "the primary key")
	}
	for _, x := range d.Indexes {
		if x.To != nil && x.To.Unique && !onlyRenamed(x) {
			unique(columnsOf(*x.To), "index "+x.To.Name)
		}
	}
	return out
}

func idOf(c *designer.Column) designer.ID {
	if c == nil {
		return ""
	}
	return c.ID
}

// tooLong is the condition under which a value does not fit into a shorter
// text or binary column, "" where it always does or the server has to say.
func tooLong(was, to designer.Column) string {
	info, known := typeNamed(to.DataType)
	if !known || to.MaxLength == "" || was.IsComputed {
		return ""
	}
	if info.Family == "binary" {
		return "LENGTH(" + quoteName(was.Name) + ") > " + to.MaxLength
	}
	return "CHAR_LENGTH(" + quoteName(was.Name) + ") > " + to.MaxLength
}

// duplicates finds rows that are equal in columns that are there before the
// plan.
func duplicates(t *designer.Table, columns []designer.ID) string {
	var names, given []string
	for _, id := range columns {
		c := columnByID(t, id)
		if c == nil {
			return ""
		}
		names = append(names, quoteName(c.Name))
		given = append(given, quoteName(c.Name)+" IS NOT NULL")
	}
	if len(names) == 0 {
		return ""
	}
	return "SELECT 1 FROM " + quoteName(t.Name) + " WHERE " + strings.Join(given, " AND ") +
		" GROUP BY " + strings.Join(names, ", ") + " HAVING COUNT(*) > 1 LIMIT 1"
}

// orphans finds rows that refer to none, where both tables and their columns
// are there before the plan.
func (p *planner) orphans(k keyStep) []designer.Precheck {
	child, parent := p.d.From.ByID(k.table.ID), p.d.From.ByID(k.key.RefTable)
	if child == nil || parent == nil {
		return nil
	}
	var on, given []string
	for _, m := range k.key.Mappings {
		a, b := columnByID(child, m.Column), columnByID(parent, m.RefColumn)
		if a == nil || b == nil {
			return nil
		}
		on = append(on, "p."+quoteName(b.Name)+" = c."+quoteName(a.Name))
		given = append(given, "c."+quoteName(a.Name)+" IS NOT NULL")
	}
	return []designer.Precheck{{
		Query: "SELECT 1 FROM " + quoteName(child.Name) + " c WHERE " + strings.Join(given, " AND ") +
			" AND NOT EXISTS (SELECT 1 FROM " + quoteName(parent.Name) + " p WHERE " + strings.Join(on, " AND ") + ") LIMIT 1",
		Problem: "rows of " + child.Name + " refer to rows that " + parent.Name + " does not have",
	}}
}
