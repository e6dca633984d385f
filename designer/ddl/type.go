package ddl

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/sqltext"
)

// columnType reads a column's type, and what stands for one that is not known.
func (r *reader) columnType(col *designer.Column, td *designer.TableDefinition, c *cursor) {
	at, start := c.peek(), c.i
	written := r.typeText(c)
	t, same := r.read(written)
	if first := (&cursor{c.tokens[:min(c.i, start+1)], start}); !same && c.i > start+1 && !c.tokens[start+1].Is("(") {
		if one, known := r.read(r.typeText(first)); known { // what follows is none of its words
			t, same, c.i = one, true, start+1
		}
	}
	if !same {
		r.note(at.Pos, "column %s.%s: the type %s is not known here: it becomes %s", clip.Name(td.Name), clip.Name(col.Name),
			clip.Name(written), r.d.TypeText(t))
	}
	name, nullable := col.Name, col.IsNullable
	*col = t
	col.Name, col.IsNullable = name, nullable
	if col.IsIdentity {
		col.IdentitySeed, col.IdentityIncrement, col.IsNullable = 1, 1, false
	}
}

// read returns a column that has nothing but a type; same is false if another
// one stands for it.
func (r *reader) read(written string) (col designer.Column, same bool) {
	if written == "" {
		return col, true // SQLite
	}
	if base, ok := r.aliases[designer.Fold(written)]; ok {
		written = base
	}
	if col, err := r.d.ReadType(written); err == nil {
		return col, true
	}
	element := strings.TrimRight(written, "[]")
	if r.isOwn(element) {
		return designer.Column{DataType: written}, true
	}
	if meant, ok := r.d.Meant(written); ok {
		if col, err := r.d.ReadType(meant.Text); err == nil {
			serial := strings.Contains(strings.ToLower(written), "serial")
			if col.IsIdentity = meant.Identity; serial && r.product == isPostgres {
				col.Options = map[string]string{"identity": "serial"}
			}
			return col, serial
		}
	}
	if r.product == isSQLite {
		return designer.Column{DataType: written}, true
	}
	for _, kind := range []designer.TypeKind{designer.KindText, designer.KindNVarchar, designer.KindVarchar} {
		if info, ok := r.d.TypeOfKind(kind); ok {
			col = designer.Column{DataType: info.Name}
			if info.AllowsMax {
				col.MaxLength = "MAX"
			}
			return col, false
		}
	}
	return designer.Column{DataType: written}, true
}

// isOwn reports whether the script makes a type of the name.
func (r *reader) isOwn(name string) bool {
	return slices.ContainsFunc(r.loaded.Objects, func(o designer.Object) bool {
		return o.Kind == designer.ObjectType && (strings.EqualFold(name, o.Name) || strings.EqualFold(name, o.Schema+"."+o.Name))
	})
}

// afterType are words that stand behind a type and are not part of it.
var afterType = strings.Fields(`NOT NULL DEFAULT PRIMARY UNIQUE REFERENCES CHECK CONSTRAINT COLLATE GENERATED AS IDENTITY AUTO_INCREMENT
	AUTOINCREMENT COMMENT ON CHARSET KEY ROWGUIDCOL SPARSE MASKED INVISIBLE VISIBLE STORAGE COMPRESSION DEFERRABLE INITIALLY VIRTUAL STORED PERSISTED SRID`)

// typeText takes a type as edits write it: its name, its arguments in
// parentheses, the words behind them, and the brackets of a list.
func (r *reader) typeText(c *cursor) string {
	var b strings.Builder
	words := 0
	for !c.done() {
		t := c.peek()
		switch {
		case t.Is("("):
			inner, ok := c.group()
			if !ok || words == 0 {
				return b.String()
			}
			b.WriteString("(" + arguments(inner) + ")")
			continue
		case t.Is("["), t.Is("]"):
			b.WriteString(t.Text)
		case t.Is("ARRAY"):
			b.WriteString("[]")
		case t.Is("."):
			b.WriteString(".")
		case t.Kind == sqltext.Quoted && words > 0 && !strings.HasSuffix(b.String(), "."):
			return b.String()
		case !t.IsName(), t.Kind == sqltext.Word && (slices.ContainsFunc(afterType, t.Is) || c.is("CHARACTER", "SET")):
			return trimSchema(r, b.String())
		default:
			if words > 0 && !strings.HasSuffix(b.String(), ".") {
				b.WriteByte(' ')
			}
			b.WriteString(typeWord(t))
			words++
		}
		c.i++
	}
	return trimSchema(r, b.String())
}

// typeWord is a word of a type: a quoted one as what it names.
func typeWord(t sqltext.Token) string {
	if t.Kind == sqltext.Quoted {
		return t.Name
	}
	return t.Text
}

// trimSchema leaves the default schema out of a type's name, and that of the
// types that come with a server.
func trimSchema(r *reader, name string) string {
	schema, rest, qualified := strings.Cut(name, ".")
	if qualified && (r.schema(schema) == "" || strings.EqualFold(schema, "pg_catalog") || strings.EqualFold(schema, "sys")) {
		return rest
	}
	return name
}

// arguments writes what stands in a type's parentheses, without spaces outside
// of strings.
func arguments(tokens []sqltext.Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && t.IsName() && tokens[i-1].Kind == sqltext.Number {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}
