package edits

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Mended is what is wrong with the form of edits, all at once, and the edits
// as they were meant.
type Mended struct {
	// Fields are the names that edits do not have, each with the one to use:
	// "edits[0].column.nullable: isNullable".
	Fields []string
	// Edits are those that are meant beyond doubt, in the contract's form.
	Edits []Corrected
}

// Corrected are the edits to send in place of one.
type Corrected struct {
	Index int              `json:"index"` // of that one
	Edits []jsontext.Value `json:"edits"`
}

// Mend reads edits that [Decode] or the design refuses, from an index on, by
// what their names mean. The design says what tables and types there are.
func Mend(raw json.RawMessage, s *designer.Schema, from int) Mended {
	var list []jsontext.Value
	var out Mended
	if jsonv2.Unmarshal(raw, &list) != nil {
		return out
	}
	for i := from; i < min(len(list), Max) && len(out.Fields) < designer.MaxHints; i++ {
		m := &mender{s: s, at: fmt.Sprintf("edits[%d]", i)}
		edits := m.edit(list[i])
		out.Fields = append(out.Fields, m.fields...)
		if len(m.fields) > 0 && !m.unsure && allRead(edits) {
			out.Edits = append(out.Edits, Corrected{i, edits})
		}
	}
	out.Fields = out.Fields[:min(len(out.Fields), designer.MaxHints)]
	return out
}

// allRead reports whether edits have the contract's form.
func allRead(edits []jsontext.Value) bool {
	return !slices.ContainsFunc(edits, func(e jsontext.Value) bool {
		_, err := decodeEdit(e)
		return err != nil
	})
}

// mender mends one edit.
type mender struct {
	s      *designer.Schema
	at     string
	fields []string         // what is wrong, in words
	unsure bool             // part of it means nothing, or several things
	after  []jsontext.Value // edits that have to follow
}

// found notes a name that is wrong and what to use in its place.
func (m *mender) found(name, use string) {
	m.fields = append(m.fields, clip.Text(m.at+"."+clip.Name(name)+": use "+use, 160))
}

// useless notes a name that edits have nothing for.
func (m *mender) useless(name string) {
	m.fields = append(m.fields, clip.Text(m.at+"."+clip.Name(name)+": leave it out, edits have no such field", 160))
}

// lost notes a name that means nothing here.
func (m *mender) lost(name string, known []string) {
	m.unsure = true
	m.fields = append(m.fields, clip.Text(m.at+"."+clip.Name(name)+": unknown; there are "+strings.Join(known, ", "), 320))
}

// within mends a member of what is being mended.
func (m *mender) within(name string, fn func()) {
	at := m.at
	m.at += "." + name
	fn()
	m.at = at
}

// edit returns the edits that one means.
func (m *mender) edit(raw jsontext.Value) []jsontext.Value {
	e, err := membersOf(raw, "")
	if err != nil {
		m.unsure = true
		return nil
	}
	op, ok := m.op(e)
	if !ok {
		m.unsure = true
		return nil
	}
	if op.op.IsOfType() {
		return []jsontext.Value{m.namedType(e, op.op)}
	}
	m.table(e, op)
	if op.primaryKey {
		return m.primaryKey(e)
	}
	if op.each {
		return m.eachColumn(e, op)
	}
	m.members(e, op)
	m.parts(e, op)
	return append([]jsontext.Value{objectText(e)}, m.after...)
}

// op finds the operation, under whatever name, and puts it where it belongs.
func (m *mender) op(e members) (opMeant, bool) {
	for _, name := range []string{"op", "operation", "action", "type", "kind"} {
		word, ok := textOf(e[name])
		if !ok {
			continue
		}
		op, known := operationMeant(word)
		if !known {
			var near string
			if near, known = designer.Near(word, allOps()); known {
				op.op = designer.Op(near)
			}
		}
		if !known && name == "op" {
			return op, false
		}
		if !known {
			continue
		}
		if op.constraint {
			op, known = m.constraintOf(e)
		}
		if name != "op" || string(op.op) != word {
			m.found(name, "op "+string(op.op))
		}
		delete(e, name)
		e["op"] = jsonString(string(op.op))
		return op, known
	}
	m.found("op", "the operation, such as add_column")
	return opMeant{}, false
}

// constraintOf says what a constraint is that an edit drops by its name.
func (m *mender) constraintOf(e members) (opMeant, bool) {
	table := e.clone()
	m.quietly(func() { m.table(table, opMeant{op: designer.DropForeignKey}) })
	t, err := m.tableAt(table["table"])
	if err != nil {
		return opMeant{}, false
	}
	var name string
	for _, n := range []string{"name", "constraintName", "constraint_name", "constraint", "foreignKey", "index", "check"} {
		if names, ok := namesOf(e[n]); ok {
			name = names[0]
		}
	}
	is := func(other string) bool { return name != "" && strings.EqualFold(name, other) }
	switch {
	case slices.ContainsFunc(t.ForeignKeys, func(k designer.ForeignKey) bool { return is(k.Name) }):
		return opMeant{op: designer.DropForeignKey}, true
	case slices.ContainsFunc(t.Indexes, func(x designer.Index) bool { return is(x.Name) }):
		return opMeant{op: designer.DropIndex}, true
	case slices.ContainsFunc(t.Checks, func(k designer.Check) bool { return is(k.Name) }):
		return opMeant{op: designer.DropCheck}, true
	}
	return opMeant{}, false
}

func (m members) clone() members { return maps.Clone(m) }

// quietly runs fn without what it finds.
func (m *mender) quietly(fn func()) {
	fields, unsure := m.fields, m.unsure
	fn()
	m.fields, m.unsure = fields, unsure
}

func (m *mender) tableAt(ref jsontext.Value) (*designer.Table, *designer.Error) {
	var r designer.TableRef
	if ref == nil || jsonv2.Unmarshal(ref, &r) != nil {
		return nil, refuse(nil, "no table")
	}
	return m.s.Table(r)
}

// table mends the reference to the table that every edit has.
func (m *mender) table(e members, op opMeant) {
	ref := members{}
	given := false
	for _, name := range e.names() {
		place, ok := strings.CutPrefix(editWords[bare(name)], "table.")
		if _, known := operations[op.op]; !ok || !known {
			continue
		}
		m.found(name, "table."+place)
		ref[place] = e[name]
		delete(e, name)
		given = true
	}
	inner, is := e["table"]
	switch {
	case is && inner.Kind() == '"':
		m.found("table", `an object, {"name": …}`)
		e["table"] = m.tableRef(inner, ref)
	case is && given && op.op == designer.SetTable && inner.Kind() == '{': // the new values, in the older contract
		m.found("table", "set")
		e["set"], e["table"] = inner, objectText(ref)
	case is:
		m.within("table", func() { e["table"] = m.tableObject(e, inner, ref, op) })
	case given:
		e["table"] = m.tableRef(ref["name"], ref)
	case e["name"] != nil && strings.HasSuffix(string(op.op), "_table"):
		m.found("name", "table.name")
		e["table"] = m.tableRef(e["name"], ref)
		delete(e, "name")
	}
}

// tableRef writes the reference that a bare name means, "dbo.Orders" too.
func (m *mender) tableRef(name jsontext.Value, ref members) jsontext.Value {
	text, ok := textOf(name)
	if !ok {
		m.unsure = true
		return objectText(ref)
	}
	ref["name"] = name
	if schema, rest, dotted := strings.Cut(text, "."); dotted && schema != "" && rest != "" && !strings.Contains(rest, ".") && ref["schema"] == nil {
		ref["schema"], ref["name"] = jsonString(strings.Trim(schema, `"[]`)), jsonString(strings.Trim(rest, `"[]`))
	}
	return objectText(ref)
}

// tableObject mends a reference in the form of an object, and takes the lists
// out that a new table's was given.
func (m *mender) tableObject(e members, raw jsontext.Value, ref members, op opMeant) jsontext.Value {
	t, err := membersOf(raw, "")
	if err != nil {
		m.unsure = true
		return raw
	}
	for _, name := range t.names() {
		if list := tableLists[bare(name)]; op.op == designer.AddTable && (list != "" || bare(name) == "initialcolumns") {
			m.found(name, tableListUse(list))
			e[name] = t[name]
			delete(t, name)
		}
		if fieldMeant(name, tableSetShape.known, tableWords) == "comment" && t[name] != nil {
			m.tableComment(e, t, name, op)
		}
	}
	maps.Copy(t, ref)
	m.rename(t, tableRefShape.known, tableWords)
	text, _ := textOf(t["name"])
	if schema, _, dotted := strings.Cut(text, "."); dotted && t["schema"] == nil && slices.ContainsFunc(m.s.Schemas(), func(n string) bool { return strings.EqualFold(n, schema) }) {
		m.found("name", "schema and name apart")
		return m.tableRef(t["name"], t)
	}
	return objectText(t)
}

// tableComment takes a comment out of a reference to a table: it belongs beside
// that of a new one, and to what is set of one that is there.
func (m *mender) tableComment(e, t members, name string, op opMeant) {
	switch op.op {
	case designer.AddTable:
		m.found(name, "comment, beside table")
		e["comment"] = t[name]
	case designer.SetTable:
		m.found(name, "set.comment")
		m.into(e, "set", "comment", t[name])
	default:
		m.useless(name)
	}
	delete(t, name)
}

// tableListUse says where a list of a new table belongs.
func tableListUse(list string) string {
	switch list {
	case "foreignKeys":
		return "an add_foreign_key edit for each"
	case "indexes":
		return "an add_index edit for each"
	case "checks":
		return "an add_check edit for each"
	case "primaryKey":
		return "isPrimaryKey of the columns"
	}
	return "initialColumns, beside table"
}

// rename gives members the names that they mean.
func (m *mender) rename(obj members, known []string, words map[string]string) {
	for _, name := range obj.names() {
		value := obj[name]
		meant := fieldMeant(name, known, words)
		field, not := strings.CutPrefix(meant, negated)
		switch {
		case meant == name:
		case meant == "":
			near, ok := designer.Near(name, known)
			if !ok {
				m.lost(name, known)
				continue
			}
			field = near
			delete(obj, name)
		case meant == nothing:
			m.useless(name)
			delete(obj, name)
			continue
		default:
			delete(obj, name)
		}
		m.put(obj, name, field, value, not)
	}
}

// put sets a field, its value in the kind that it has to be of.
func (m *mender) put(obj members, name, field string, value jsontext.Value, not bool) {
	fixed, ok := fixValue(field, value, m.s)
	if !ok {
		m.unsure = true
	}
	use := field
	if not && ok {
		fixed = jsontext.Value(map[string]string{"true": "false", "false": "true"}[string(fixed)])
	}
	if string(fixed) != string(value) || not {
		use += " " + clip.Text(string(fixed), 40)
	}
	if other, twice := obj[field]; twice && name != field && string(other) != string(fixed) {
		m.unsure = true
		use += ", once"
	}
	obj[field] = fixed
	if name != field || string(fixed) != string(value) && field != "onDeleteAction" && field != "onUpdateAction" {
		m.found(name, use)
	}
}

// primaryKey returns the edits that make columns the primary key.
func (m *mender) primaryKey(e members) []jsontext.Value {
	for _, name := range []string{"columns", "column", "primaryKey", "fields"} {
		names, ok := namesOf(e[name])
		if !ok {
			continue
		}
		var edits []jsontext.Value
		for _, n := range names {
			edits = append(edits, objectText(members{"op": jsonString(string(designer.SetColumn)), "table": e["table"],
				"column": objectText(members{"name": jsonString(n)}), "set": jsontext.Value(`{"isPrimaryKey":true}`)}))
		}
		return edits
	}
	m.unsure = true
	return nil
}

// eachColumn returns an edit for each of a list of columns.
func (m *mender) eachColumn(e members, op opMeant) []jsontext.Value {
	var edits []jsontext.Value
	list := e["columns"]
	if list == nil {
		list = e["fields"]
	}
	if list.Kind() != '[' || op.op == designer.SetColumn {
		m.unsure = true
		return nil
	}
	for _, item := range listOf(list) {
		one := members{"op": e["op"], "table": e["table"], "column": item}
		m.parts(one, op)
		edits = append(edits, objectText(one))
	}
	return append(edits, m.after...)
}
