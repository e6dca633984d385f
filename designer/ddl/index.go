package ddl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/sqltext"
)

// createIndex reads CREATE INDEX behind these words.
func (r *reader) createIndex(c *cursor, x designer.IndexDefinition) {
	c.take("CONCURRENTLY")
	c.ifExists()
	at := c.peek()
	if !c.is("ON") {
		_, x.Name, _ = r.qualified(c)
	}
	if c.take("USING") {
		c.i++
	}
	if !c.take("ON") {
		r.note(at.Pos, "index %s is left out: it is on no table", clip.Name(x.Name))
		return
	}
	c.take("ONLY")
	schema, name, _ := r.qualified(c)
	td := r.table(schema, name)
	if td == nil {
		r.note(at.Pos, "index %s is left out: the script has no table %s", clip.Name(x.Name), clip.Name(name))
		return
	}
	if c.take("USING") {
		if method := strings.ToLower(c.next().Text); method != "btree" {
			x.Method = method
		}
	}
	var ok bool
	if x.Parts, ok = r.parts(td, c); !ok {
		r.note(at.Pos, "index %s of table %s is left out: its columns are not those of the table", clip.Name(x.Name), clip.Name(name))
		return
	}
	r.indexRest(td, &x, c)
	td.Indexes = append(td.Indexes, x)
}

// indexRest reads what stands behind the columns of an index.
func (r *reader) indexRest(td *designer.TableDefinition, x *designer.IndexDefinition, c *cursor) {
	for !c.done() {
		switch {
		case c.take("INCLUDE"):
			if inner, ok := c.group(); ok {
				for _, name := range names(inner) {
					if col := columnAt(td, name); col != nil {
						x.Include = append(x.Include, col.Name)
					}
				}
			}
		case c.take("WHERE"):
			from := c.i
			for !c.done() && !c.is("WITH", "(") && !c.is("ON", "PRIMARY") {
				c.i++
			}
			x.Where = text(withoutOuter(c.tokens[from:c.i]))
		default:
			c.i++ // how it is kept: WITH (…), ON [PRIMARY], USING BTREE, COMMENT
		}
	}
}

// withoutOuter takes the parentheses off that are around the whole.
func withoutOuter(tokens []sqltext.Token) []sqltext.Token {
	const most = 32 // each takes a look at the whole
	for range most {
		c := &cursor{tokens: tokens}
		inner, ok := c.group()
		if !ok || !c.done() || len(inner) == 0 {
			break
		}
		tokens = inner
	}
	return tokens
}

// parts reads the columns and expressions of an index or a key. It is false if
// there are none, or if one is no column of the table.
func (r *reader) parts(td *designer.TableDefinition, c *cursor) (list []designer.IndexKeyDefinition, ok bool) {
	inner, ok := c.group()
	if !ok {
		return nil, false
	}
	for _, tokens := range commas(inner) {
		p, ok := r.part(td, tokens)
		if !ok || p.Column != "" && slices.ContainsFunc(list, func(q designer.IndexKeyDefinition) bool { return q.Column == p.Column }) {
			return nil, false
		}
		list = append(list, p)
	}
	return list, true
}

func (r *reader) part(td *designer.TableDefinition, tokens []sqltext.Token) (p designer.IndexKeyDefinition, ok bool) {
	c := &cursor{tokens: tokens}
	t := c.peek()
	if inner, is := c.group(); is {
		p.Expression = text(withoutOuter(inner))
	} else if c.after(1).Is("(") && c.after(2).Kind != sqltext.Number {
		from := c.i
		c.i++
		if _, is := c.group(); !is {
			return p, false
		}
		p.Expression = text(c.tokens[from:c.i])
	} else {
		name, _ := c.name()
		col := columnAt(td, name)
		if col == nil {
			return p, false
		}
		p.Column = col.Name
		if length, is := c.group(); is && len(length) == 1 {
			p.Length, _ = strconv.Atoi(length[0].Text) // 0 where it is no number
		}
	}
	r.partRest(&p, c)
	return p, t.Kind != sqltext.Space
}

// partRest reads how a part of an index is sorted.
func (r *reader) partRest(p *designer.IndexKeyDefinition, c *cursor) {
	for !c.done() {
		switch {
		case c.take("DESC"):
			p.Descending = true
		case c.take("ASC"):
		case c.take("NULLS", "FIRST"):
			if p.Nulls = "first"; p.Descending {
				p.Nulls = "" // as it is without a word
			}
		case c.take("NULLS", "LAST"):
			if p.Nulls = ""; p.Descending {
				p.Nulls = "last"
			}
		case c.take("COLLATE"):
			_, p.Collation, _ = r.qualified(c)
		case r.product == isPostgres && c.peek().IsName():
			_, p.OpClass, _ = r.qualified(c)
		default:
			c.i++
		}
	}
}
