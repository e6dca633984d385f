package edits

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/go-json-experiment/json/jsontext"
)

// partOf is the member that says what an operation is about: "column".
func partOf(op designer.Op) string {
	_, part, _ := strings.Cut(string(op), "_")
	if part == "foreign_key" {
		return "foreignKey"
	}
	return part
}

// wordsOf are the fields and the words of a part.
func wordsOf(part string) (known []string, words map[string]string) {
	switch part {
	case "column":
		return columnShape.known, columnWords
	case "foreignKey":
		return foreignKeyShape.known, keyWords
	case "index":
		return indexShape.known, indexWords
	case "check":
		return checkShape.known, checkWords
	}
	return tableSetShape.known, tableWords
}

// members puts what stands beside op where it belongs.
func (m *mender) members(e members, op opMeant) {
	part := partOf(op.op)
	verb, _, _ := strings.Cut(string(op.op), "_")
	if op.unique {
		m.into(e, "index", "unique", jsontext.Value("true"))
	}
	taken := []string{"op"}
	for _, f := range operations[op.op] {
		taken = append(taken, f.name)
	}
	for _, name := range e.names() {
		if slices.Contains(taken, name) {
			continue
		}
		value, place := e[name], m.placeOf(name, op, part, verb)
		delete(e, name)
		switch {
		case place == nothing:
			m.useless(name)
		case place == "":
			m.lost(name, taken)
		case strings.HasPrefix(place, "each."):
			m.list(e, strings.TrimPrefix(place, "each."), value)
		case !strings.Contains(place, "."):
			if e[place] != nil {
				m.unsure = true
			}
			m.found(name, place)
			e[place] = value
		default:
			where, field, _ := strings.Cut(place, ".")
			m.found(name, place)
			m.into(e, where, field, value)
		}
	}
}

// placeOf says where a member beside op belongs: a member, a member of one, or
// a list of a new table.
func (m *mender) placeOf(name string, op opMeant, part, verb string) string {
	key := bare(name)
	for _, f := range operations[op.op] {
		if bare(f.name) == key {
			return f.name
		}
	}
	if list := tableLists[key]; op.op == designer.AddTable && list != "" {
		if list == "initialColumns" {
			return list
		}
		return "each." + list
	}
	known, words := wordsOf(part)
	meant := fieldMeant(name, known, words)
	if op.op == designer.AddTable && meant == "comment" {
		return "comment"
	}
	place := editWords[key]
	if place == "part.name" {
		place = part + ".name"
	}
	_, isPart := columnParts[key]
	switch {
	case verb == "set" && (strings.HasPrefix(place, "set") || place == part+".name"):
		return place
	case verb == "set" && key == "name" && part != "table":
		return part + ".name"
	case verb == "set" && (meant != "" && meant != nothing || part == "column" && isPart):
		return "set." + name
	case verb == "add" && part != "table" && (meant != "" && meant != nothing || part == "column" && isPart):
		return part + "." + name
	case verb == "drop" && part != "table" && key == "id":
		return part + ".id"
	case verb == "drop" && part != "table" && (key == "name" || place == part+".name"):
		return part + ".name"
	case place == "createSchema" && part == "table" && verb != "drop":
		return place
	case place == nothing || meant == nothing:
		return nothing
	}
	return ""
}

// into sets a member of a member, which may be a bare name.
func (m *mender) into(e members, where, field string, value jsontext.Value) {
	obj := members{}
	switch v := e[where]; {
	case v == nil:
	case v.Kind() == '"':
		obj["name"] = v
	default:
		inner, err := membersOf(v, "")
		if err != nil {
			m.unsure = true
			return
		}
		obj = inner
	}
	if _, twice := obj[field]; twice {
		m.unsure = true
	}
	obj[field] = value
	e[where] = objectText(obj)
}

// list makes edits of a list that a new table was given, or a flag of its
// columns.
func (m *mender) list(e members, list string, value jsontext.Value) {
	if list == "primaryKey" {
		m.keyColumns(e, value)
		return
	}
	op, part := designer.AddForeignKey, "foreignKey"
	switch list {
	case "indexes":
		op, part = designer.AddIndex, "index"
	case "checks":
		op, part = designer.AddCheck, "check"
	}
	if value.Kind() != '[' {
		m.unsure = true
		return
	}
	for _, item := range listOf(value) {
		one := members{"op": jsonString(string(op)), "table": e["table"], part: item}
		m.parts(one, opMeant{op: op})
		m.after = append(m.after, objectText(one))
	}
}

// keyColumns makes the named ones of a new table's columns its primary key.
func (m *mender) keyColumns(e members, value jsontext.Value) {
	names, ok := namesOf(value)
	list := e["initialColumns"]
	if !ok || list.Kind() != '[' {
		m.unsure = true
		return
	}
	columns := listOf(list)
	for i, c := range columns {
		obj, err := membersOf(c, "")
		if name, _ := textOf(obj["name"]); err == nil && slices.Contains(names, name) {
			obj["isPrimaryKey"] = jsontext.Value("true")
			columns[i] = objectText(obj)
		}
	}
	e["initialColumns"] = listText(columns)
}

// parts mends what an edit is about.
func (m *mender) parts(e members, op opMeant) {
	part := partOf(op.op)
	verb, _, _ := strings.Cut(string(op.op), "_")
	if part != "table" && e[part] != nil {
		if e[part].Kind() == '"' {
			m.found(part, `an object, {"name": …}`)
			e[part] = objectText(members{"name": e[part]})
		}
		m.within(part, func() {
			if verb == "add" {
				e[part] = m.object(e, part, e[part])
			} else {
				e[part] = m.ref(e, part, verb, e[part])
			}
		})
	}
	if e["set"] != nil {
		m.within("set", func() { e["set"] = m.object(e, part, e["set"]) })
	}
	if columns := e["initialColumns"]; columns != nil {
		m.within("initialColumns", func() {
			list := listOf(columns)
			for i, c := range list {
				list[i] = m.object(e, "column", c)
			}
			e["initialColumns"] = listText(list)
		})
	}
}

// ref mends the reference to a part. What it says of the part beyond its name
// is what a set is to set.
func (m *mender) ref(e members, part, verb string, raw jsontext.Value) jsontext.Value {
	obj, err := membersOf(raw, "")
	if err != nil {
		m.unsure = true
		return raw
	}
	known, words := wordsOf(part)
	for _, name := range obj.names() {
		if name == "name" || name == "id" {
			continue
		}
		if as := refWords[bare(name)]; as != "" && obj[as] == nil {
			m.found(name, as)
			obj[as] = obj[name]
			delete(obj, name)
			continue
		}
		meant := strings.TrimPrefix(fieldMeant(name, known, words), negated)
		if _, isPart := columnParts[bare(name)]; verb != "set" || meant == "" && !isPart {
			m.lost(name, objectRefShape.known)
			continue
		}
		m.found(name, "set."+name+", beside "+part)
		m.into(e, "set", name, obj[name])
		delete(obj, name)
	}
	return objectText(obj)
}

// object mends what a part is to be.
func (m *mender) object(e members, part string, raw jsontext.Value) jsontext.Value {
	if part == "check" && raw.Kind() == '"' {
		return objectText(members{"expression": raw})
	}
	obj, err := membersOf(raw, "")
	if err != nil {
		m.unsure = true
		return raw
	}
	switch part {
	case "column":
		m.column(e, obj)
	case "foreignKey":
		m.foreignKey(obj)
	case "index":
		m.index(obj)
	default:
		known, words := wordsOf(part)
		m.rename(obj, known, words)
		m.comment(obj)
	}
	return objectText(obj)
}
