package ddl

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/sqltext"
)

// createType reads CREATE TYPE behind these words: an enum of PostgreSQL, or
// another name for a type of SQL Server.
func (r *reader) createType(c *cursor, s statement) {
	at := c.peek()
	schema, name, ok := r.qualified(c)
	switch {
	case ok && c.take("AS", "ENUM"):
		inner, _ := c.group()
		var values []string
		for _, t := range inner {
			if t.Kind == sqltext.String {
				values = append(values, r.value(t))
			}
		}
		r.loaded.Objects = append(r.loaded.Objects, designer.Object{Kind: designer.ObjectType, Schema: schema, Name: name,
			Values: values, Definition: text(s.tokens)})
	case ok && c.take("FROM"):
		base := r.typeText(c)
		for _, full := range []string{name, schema + "." + name, r.defaultSchema() + "." + name} {
			r.aliases[designer.Fold(full)] = base
		}
	default:
		r.note(at.Pos, "type %s is left out: it is no enum", clip.Name(name))
	}
}

func (r *reader) defaultSchema() string {
	if len(r.d.Schemas.Common) > 0 {
		return r.d.Schemas.Common[0]
	}
	return ""
}

// createDomain reads CREATE DOMAIN behind these words.
func (r *reader) createDomain(c *cursor) {
	at := c.peek()
	schema, name, ok := r.qualified(c)
	c.take("AS")
	base := r.typeText(c)
	t, same := r.read(base)
	if !ok || base == "" || !same || r.isOwn(base) {
		r.note(at.Pos, "domain %s is left out: it is of no type that is known here", clip.Name(name))
		return
	}
	domain := &designer.Domain{Base: r.d.TypeText(t)}
	for !c.done() {
		named := ""
		if c.take("CONSTRAINT") {
			named, _ = c.name()
		}
		switch {
		case c.take("NOT", "NULL"):
			domain.NotNull = true
		case c.take("DEFAULT"):
			domain.Default = text(r.expression(c))
		case c.take("CHECK"):
			inner, _ := c.group()
			if named == "" {
				named = name + "_check"
			}
			domain.Checks = append(domain.Checks, designer.DomainCheck{Name: named, Expression: text(inner)})
		default:
			c.i++
		}
	}
	r.loaded.Objects = append(r.loaded.Objects, designer.Object{Kind: designer.ObjectType, Schema: schema, Name: name, Domain: domain})
}

// comment reads COMMENT ON behind these words.
func (r *reader) comment(c *cursor) {
	kind := strings.ToUpper(c.next().Text)
	var path []string
	for name, ok := c.name(); ok; name, ok = c.name() {
		path = append(path, name)
		if !c.take(".") {
			break
		}
	}
	says := ""
	if c.take("IS") && c.peek().Kind == sqltext.String {
		says = r.value(c.peek())
	}
	switch {
	case kind == "TABLE" && len(path) > 0:
		r.describe(path, "", says)
	case kind == "COLUMN" && len(path) > 1:
		r.describe(path[:len(path)-1], path[len(path)-1], says)
	case kind == "TYPE" || kind == "DOMAIN":
		for i, o := range r.loaded.Objects {
			if len(path) > 0 && strings.EqualFold(o.Name, path[len(path)-1]) {
				r.loaded.Objects[i].Comment = says
			}
		}
	default:
		r.loaded.Omit("comment on a "+strings.ToLower(kind), "", 1)
	}
}

// describe gives a table, or its column, a comment. What the script does not
// make has none.
func (r *reader) describe(path []string, column, says string) {
	schema := r.search
	if len(path) > 1 {
		schema = r.schema(path[len(path)-2])
	}
	td := r.table(schema, path[len(path)-1])
	switch {
	case td == nil:
	case column == "":
		td.Comment = says
	default:
		if col := columnAt(td, column); col != nil {
			col.Comment = says
		}
	}
}

// execute reads sp_addextendedproperty of SQL Server behind EXEC: a comment.
func (r *reader) execute(c *cursor) {
	for c.after(1).Is(".") {
		c.i += 2
	}
	if !c.take("sp_addextendedproperty") {
		r.loaded.Omit("EXEC statement", c.peek().Name, 1)
		return
	}
	given := r.arguments(c)
	if !strings.EqualFold(given["name"], "MS_Description") {
		return
	}
	level := func(n string, kind string) string {
		if strings.EqualFold(given["level"+n+"type"], kind) {
			return given["level"+n+"name"]
		}
		return ""
	}
	if table := level("1", "TABLE"); table != "" {
		r.describe([]string{given["level0name"], table}, level("2", "COLUMN"), given["value"])
	}
}

// propertyArguments are those of sp_addextendedproperty, in order.
var propertyArguments = []string{"name", "value", "level0type", "level0name", "level1type", "level1name", "level2type", "level2name"}

// arguments reads the arguments of a procedure by their names.
func (r *reader) arguments(c *cursor) map[string]string {
	given := map[string]string{}
	for i, part := range commas(c.tokens[c.i:]) {
		name := ""
		if len(part) > 2 && part[1].Is("=") {
			name, part = strings.TrimPrefix(strings.ToLower(part[0].Text), "@"), part[2:]
		} else if i < len(propertyArguments) {
			name = propertyArguments[i]
		}
		if len(part) == 0 || !slices.Contains(propertyArguments, name) {
			continue
		}
		if t := part[0]; t.Kind == sqltext.String {
			given[name] = r.value(t)
		} else {
			given[name] = t.Name
		}
	}
	return given
}
