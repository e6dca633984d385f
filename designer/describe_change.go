package designer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// Words says what a change does, as [Describe] says what an edit asks for, with
// what it was and what it becomes: "Change column email of main.customers:
// varchar(80) → varchar(200)". A confirmation is given to what is in it, so what
// differs in more than these words have room for is counted.
func (c Change) Words(d *Dialect) string {
	var parts []string
	for _, t := range c.Tables {
		if t.After == nil || t.Before == nil {
			continue
		}
		if was, is := t.Before.Comment, t.After.Comment; was != is {
			parts = append(parts, commentText(was)+" → "+commentText(is))
		}
		parts = append(parts, columnWords(d, c.Description, t.Before, t.After)...)
		parts = append(parts, keyWords(c.Description, t.Before, t.After)...)
	}
	for _, t := range c.Types {
		parts = append(parts, typeWords(t)...)
	}
	if len(parts) == 0 {
		return c.Description
	}
	return c.Description + ": " + strings.Join(parts, "; ")
}

// typeWords describes what a change does to a type that stays, and the values
// of one that comes.
func typeWords(t TypeChange) []string {
	values := func(n *NamedType) string {
		if n.Domain != nil {
			return clip.Text(n.Domain.Text(), maxOn)
		}
		return clip.Text(strings.Join(n.ValueNames(), ", "), maxOn)
	}
	kind := "values "
	if t.After != nil && t.After.Domain != nil {
		kind = ""
	}
	switch {
	case t.After == nil:
		return nil
	case t.Before == nil:
		return []string{kind + values(t.After)}
	}
	var words []string
	if was, is := values(t.Before), values(t.After); was != is {
		words = append(words, kind+was+" → "+is)
	}
	if was, is := t.Before.Comment, t.After.Comment; was != is {
		words = append(words, commentText(was)+" → "+commentText(is))
	}
	return words
}

// columnWords describes the columns that a change adds or alters. The one that
// the description names is not named again.
func columnWords(d *Dialect, description string, before, after *Table) []string {
	var words []string
	for _, c := range after.Columns {
		was := before.ColumnByID(c.ID)
		switch {
		case was == nil:
			words = append(words, columnText(d, c))
		case was.Equal(&c):
		default:
			if from, to := columnDifference(d, *was, c); from != to {
				words = append(words, named(description, was.Name, from+" → "+to))
			}
		}
	}
	return words
}

// named puts a name before words unless the description has it.
func named(description, name, words string) string {
	if strings.Contains(description, " "+clip.Name(name)+" of ") {
		return words
	}
	return clip.Name(name) + ": " + words
}

// attribute is one attribute of a column in words.
type attribute struct {
	text  string
	usual bool // not worth a word of a column that is added
}

// attributes returns those of a column that edits set, always in the same
// order.
func attributes(d *Dialect, c Column) []attribute {
	list := []attribute{
		{clip.Text(d.TypeText(c), 80), false},
		{choose(c.IsNullable, "null", "not null"), c.IsNullable},
		{choose(c.IsIdentity, "identity", "no identity"), !c.IsIdentity},
		{"no default", true},
		{choose(c.IsComputed, "computed as "+clip.Text(c.ComputedFormula, 60)+choose(c.ComputedPersisted, ", stored", ""), "not computed"), !c.IsComputed},
		{"collation " + clip.Name(c.Collation), c.Collation == ""},
		{commentText(c.Comment), c.Comment == ""},
	}
	if c.DefaultValue != "" {
		list[3] = attribute{"default " + clip.Text(c.DefaultValue, 60), false}
	}
	if c.Collation == "" {
		list[5].text = "the default collation"
	}
	return list
}

func commentText(text string) string {
	if text == "" {
		return "no comment"
	}
	return "comment " + clip.Quote(clip.Text(text, 60))
}

func choose(which bool, yes, no string) string {
	if which {
		return yes
	}
	return no
}

// columnText describes a column that is added.
func columnText(d *Dialect, c Column) string {
	var words []string
	for _, a := range attributes(d, c) {
		if !a.usual {
			words = append(words, a.text)
		}
	}
	return strings.Join(words, " ")
}

// columnDifference describes the attributes in which two columns differ.
func columnDifference(d *Dialect, was, is Column) (from, to string) {
	before, after := attributes(d, was), attributes(d, is)
	var a, b []string
	for i := range before {
		if before[i].text != after[i].text {
			a, b = append(a, before[i].text), append(b, after[i].text)
		}
	}
	return strings.Join(a, " "), strings.Join(b, " ")
}

// keyWords describes the foreign keys that a change alters, then the indexes.
func keyWords(description string, before, after *Table) []string {
	var words []string
	for _, k := range after.ForeignKeys {
		i := slices.IndexFunc(before.ForeignKeys, func(was ForeignKey) bool { return was.ID == k.ID })
		if i < 0 {
			continue
		}
		was := before.ForeignKeys[i]
		for _, action := range []struct {
			on       string
			from, to Action
		}{{"on delete", was.OnDelete, k.OnDelete}, {"on update", was.OnUpdate, k.OnUpdate}} {
			if action.from != action.to {
				words = append(words, named(description, k.Name, action.on+" "+actionText(action.from)+" → "+actionText(action.to)))
			}
		}
	}
	return append(words, indexWords(description, before, after)...)
}

// indexWords describes the indexes that a change alters, and the unique ones
// that an edit of a column adds or drops.
func indexWords(description string, before, after *Table) []string {
	var words []string
	ofColumn := strings.HasPrefix(description, "Add column ") || strings.HasPrefix(description, "Change column ") || strings.HasPrefix(description, "Rename column ")
	for _, x := range before.Indexes {
		if ofColumn && x.Unique && findByID(after.Indexes, x.ID, indexID) == nil {
			words = append(words, "drop unique index "+clip.Name(label(x.Name, x.ID)))
		}
	}
	for _, x := range after.Indexes {
		was := findByID(before.Indexes, x.ID, indexID)
		if was == nil {
			if ofColumn && x.Unique {
				words = append(words, "add unique index "+clip.Name(x.Name))
			}
			continue
		}
		for _, part := range []struct{ from, to string }{
			{choose(was.Unique, "unique", "not unique"), choose(x.Unique, "unique", "not unique")},
			{"method " + methodText(was.Method), "method " + methodText(x.Method)},
			{"columns " + keysText(before, *was), "columns " + keysText(after, x)},
			{"include " + orNothing(before.listColumns(was.Include)), "include " + orNothing(after.listColumns(x.Include))},
			{"where " + orNothing(clip.Text(was.Where, 60)), "where " + orNothing(clip.Text(x.Where, 60))},
		} {
			if part.from != part.to {
				words = append(words, named(description, x.Name, part.from+" → "+part.to))
			}
		}
	}
	return words
}

func methodText(name string) string { return choose(name == "", "ordinary", clip.Name(name)) }

func orNothing(text string) string { return choose(text == "", "nothing", text) }

// keysText lists the keys of an index with all that they say.
func keysText(t *Table, x Index) string {
	names := t.ColumnNames()
	return clip.Text(strings.Join(mapEach(x.Parts, func(p IndexKey) string {
		text := names[p.Column]
		if p.Column == "" {
			text = "(" + p.Expression + ")"
		}
		if p.Length > 0 {
			text += "(" + strconv.Itoa(p.Length) + ")"
		}
		for _, word := range []string{p.Collation, p.OpClass, choose(p.Descending, "desc", ""), choose(p.Nulls == "", "", "nulls "+p.Nulls)} {
			if word != "" {
				text += " " + word
			}
		}
		return text
	}), ", "), maxOn)
}

func actionText(a Action) string { return strings.ReplaceAll(string(a), "_", " ") }
