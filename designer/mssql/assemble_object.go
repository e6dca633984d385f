package mssql

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// batchEnd separates the batches of a text that needs several.
const batchEnd = "\nGO\n"

func (c *catalog) triggerNames() map[int][]string {
	names := map[int][]string{}
	for _, m := range c.modules {
		if m.isTrigger() && !m.ofDatabase {
			names[m.parent] = append(names[m.parent], m.name)
		}
	}
	return names
}

func (m moduleRow) isTrigger() bool { return m.kind == "TR" || m.kind == "TA" }

func (c *catalog) views() []designer.View {
	var list []designer.View
	for _, m := range c.modules {
		if m.kind == "V" {
			v := designer.View{Schema: m.schema, Name: m.name, Definition: m.definition(), Uses: c.usesOf(m)}
			if v.Definition != "" {
				v.Definition += c.viewIndexes(m)
			}
			list = append(list, v)
		}
	}
	return list
}

// addUnread carries what the server could not describe by name and reason.
func (c *catalog) addUnread(def *designer.Definition) {
	for _, id := range slices.Sorted(maps.Keys(c.unread)) {
		o := c.unread[id]
		options := map[string]string{designer.OptionUnreadable: o.reason}
		switch o.kind {
		case "U":
			options[designer.OptionUnreadTable] = "true"
			def.Views = append(def.Views, designer.View{Schema: o.schema, Name: o.name, Options: options})
		case "V":
			def.Views = slices.DeleteFunc(def.Views, func(v designer.View) bool { return v.Schema == o.schema && v.Name == o.name })
			def.Views = append(def.Views, designer.View{Schema: o.schema, Name: o.name, Options: options})
		case "TT": // its type is carried by the name that people know, without a text
		default:
			def.Objects = append(def.Objects, designer.Object{Kind: designer.ObjectRoutine, Schema: o.schema, Name: o.name, Options: options})
		}
	}
}

// usesOf lists what a view or function uses, in order; nil where the catalogue
// does not know.
func (c *catalog) usesOf(m moduleRow) []designer.Dependency {
	list := c.uses[m.object]
	slices.SortFunc(list, func(a, b designer.Dependency) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// viewIndexes writes the indexes that make a view keep its rows.
func (c *catalog) viewIndexes(m moduleRow) string {
	var b strings.Builder
	t := &designer.TableDefinition{}
	c.addIndexes(t, m.object)
	for _, first := range []bool{true, false} { // the clustered one has to be there before others
		for _, x := range t.Indexes {
			if (x.Options[OptionClustered] == "true") == first {
				b.WriteString(batchEnd + createIndex(qualified(m.schema, m.name), x))
			}
		}
	}
	return b.String()
}

func (c *catalog) objects() []designer.Object {
	var list []designer.Object
	list = append(list, c.xmlSchemas...)
	for _, r := range c.types {
		list = append(list, c.typeObject(r))
	}
	for _, r := range c.sequences {
		list = append(list, designer.Object{Kind: designer.ObjectSequence, Schema: r.schema, Name: r.name, Definition: r.definition()})
	}
	list = append(list, c.synonyms...)
	for _, m := range c.modules {
		if m.kind == "V" {
			continue
		}
		m.orders = c.orders[m.object]
		o := designer.Object{Kind: designer.ObjectRoutine, Schema: m.schema, Name: m.name, Definition: m.definition(), Uses: c.usesOf(m)}
		if m.isTrigger() {
			o.Kind, o.Table = designer.ObjectTrigger, m.table
		}
		list = append(list, o)
	}
	return list
}

// definition is the text that makes the module again as it is, "" where the
// server does not give: of encrypted modules and those in an assembly.
func (m moduleRow) definition() string {
	if m.text == "" {
		return ""
	}
	text := m.text
	switch {
	case m.ofDatabase:
	case m.isTrigger():
		text = rename(text, objectName{m.schema, m.name}, &objectName{m.schema, m.table})
	default:
		text = rename(text, objectName{m.schema, m.name}, nil)
	}
	text = strings.TrimSpace(text)
	for _, o := range m.orders {
		text += batchEnd + o.statement(m)
	}
	if m.isTrigger() && m.disabled {
		text += batchEnd + "DISABLE TRIGGER " + m.triggerName()
	}
	for _, s := range []struct {
		on   bool
		name string
	}{{m.quotedID, "QUOTED_IDENTIFIER"}, {m.ansiNulls, "ANSI_NULLS"}} {
		if !s.on {
			text = "SET " + s.name + " OFF" + batchEnd + text + batchEnd + "SET " + s.name + " ON"
		}
	}
	return text
}

// statement has a trigger fire first or last for an event
// ("sp_settriggerorder").
func (o orderRow) statement(m moduleRow) string {
	order := "Last"
	if o.first {
		order = "First"
	}
	if m.ofDatabase {
		return triggerOrder + literal(quote(m.name)) + ", @order = N'" + order + "', @stmttype = " + literal(o.event) + ", @namespace = N'DATABASE'"
	}
	return triggerOrder + literal(qualified(m.schema, m.name)) + ", @order = N'" + order + "', @stmttype = " + literal(o.event)
}

// triggerOrder begins the batch that says when a trigger fires.
const triggerOrder = "EXEC sys.sp_settriggerorder @triggername = "

func (m moduleRow) triggerName() string {
	if m.ofDatabase {
		return quote(m.name) + " ON DATABASE"
	}
	return qualified(m.schema, m.name) + " ON " + qualified(m.schema, m.table)
}

func (r sequenceRow) definition() string {
	typ := catalogType(r.typ)
	if r.typ.user {
		typ = qualified(r.typ.schema, r.typ.name)
	} else if info := typesByName[strings.ToLower(typ)]; info != nil && info.Precision != (designer.Range{}) {
		typ += "(" + strconv.Itoa(r.typ.precision) + ",0)"
	}
	words := []string{"CREATE SEQUENCE " + qualified(r.schema, r.name), "AS " + typ, "START WITH " + r.start,
		"INCREMENT BY " + r.increment, "MINVALUE " + r.least, "MAXVALUE " + r.most}
	if r.cycles {
		words = append(words, "CYCLE")
	}
	switch {
	case !r.cached:
		words = append(words, "NO CACHE")
	case r.cache > 0:
		words = append(words, "CACHE "+strconv.Itoa(r.cache))
	}
	return strings.Join(words, " ")
}

// typeObject carries an alias type, or a table type with its columns.
func (c *catalog) typeObject(r typeRow) designer.Object {
	o := designer.Object{Kind: designer.ObjectType, Schema: r.schema, Name: r.name}
	switch {
	case r.tableObject != 0 && c.unread[r.tableObject].reason != "":
		o.Options = map[string]string{designer.OptionUnreadable: c.unread[r.tableObject].reason}
	case r.tableObject != 0:
		t := c.table(tableRow{object: r.tableObject, schema: r.schema, name: r.name})
		o.Definition = createTableType(t)
	case !r.assembly && r.base.name != "":
		col := designer.Column{}
		setType(&col, r.base)
		o.Definition = "CREATE TYPE " + qualified(r.schema, r.name) + " FROM " + typeText(col) + " " + nullability(r.nullable)
	}
	return o
}

func nullability(nullable bool) string {
	if nullable {
		return "NULL"
	}
	return "NOT NULL"
}
