package edits

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// foreignKey mends a foreign key: the table that it refers to, in whatever
// form, and the columns, in pairs.
func (m *mender) foreignKey(obj members) {
	m.laravel(obj)
	m.references(obj)
	known := append([]string{"columns", "referencedColumns"}, foreignKeyShape.known...)
	columns, refs := obj.take("columns", known), obj.take("referencedColumns", known)
	for _, taken := range append(columns.names, refs.names...) {
		m.found(taken, "mappings, {column, referencedColumn} pairs")
	}
	m.rename(obj, foreignKeyShape.known, keyWords)
	if table := obj["referencedTable"]; table != nil {
		m.within("referencedTable", func() { obj["referencedTable"] = m.referencedTable(table) })
	}
	if mappings := obj["mappings"]; mappings != nil {
		m.within("mappings", func() { obj["mappings"] = m.mappings(mappings) })
	} else if columns.value != nil {
		m.pair(obj, columns.value, refs.value)
	}
}

// taken is a member that was found under some name.
type taken struct {
	value jsontext.Value
	names []string
}

// take removes the member that means a field, which is not one of the
// contract's.
func (m members) take(field string, known []string) taken {
	var t taken
	for _, name := range m.names() {
		if fieldMeant(name, known, keyWords) == field {
			t.value, t.names = m[name], append(t.names, name)
			delete(m, name)
		}
	}
	return t
}

// laravel reads references: column, on: table, which elsewhere is the table.
func (m *mender) laravel(obj members) {
	if _, ok := textOf(obj["on"]); ok && obj["references"] != nil && obj["references"].Kind() != '{' {
		obj["referencedColumns"] = obj["references"]
		delete(obj, "references")
		m.found("references", "mappings, {column, referencedColumn} pairs")
	}
}

// references takes apart {table, column} and "customers(id)".
func (m *mender) references(obj members) {
	for _, name := range obj.names() {
		if name == "referencedTable" && obj[name].Kind() != '"' || fieldMeant(name, foreignKeyShape.known, keyWords) != "referencedTable" {
			continue
		}
		inner, err := membersOf(obj[name], "")
		if text, ok := textOf(obj[name]); ok {
			inner, err = m.referenceText(text), nil
		}
		if err != nil || inner == nil {
			continue
		}
		table := members{}
		for _, n := range inner.names() {
			switch bare(n) {
			case "table", "tablename", "model", "name":
				if ref, err := membersOf(inner[n], ""); err == nil { // {model: {tableName: …}}
					m.rename(ref, tableRefShape.known, tableWords)
					table = ref
					continue
				}
				table["name"] = inner[n]
			case "schema", "schemaname":
				table["schema"] = inner[n]
			case "column", "columns", "field", "fields", "key", "columnname", "columnnames":
				obj["referencedColumns"] = inner[n]
			case "ondelete":
				obj["onDeleteAction"] = inner[n]
			case "onupdate":
				obj["onUpdateAction"] = inner[n]
			case "id":
				table["id"] = inner[n]
			default:
				m.lost(n, []string{"referencedTable", "mappings"})
			}
		}
		if name != "referencedTable" {
			m.found(name, "referencedTable and mappings")
			delete(obj, name)
		}
		obj["referencedTable"] = m.tableRef(table["name"], table)
	}
}

// referenceText reads "customers(id)", and "customers.id" where that is a
// column; nil for a table alone.
func (m *mender) referenceText(text string) members {
	table, rest, ok := strings.Cut(text, "(")
	if ok {
		var columns []jsontext.Value
		for c := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(rest), ")"), ",") {
			columns = append(columns, jsonString(strings.TrimSpace(c)))
		}
		return members{"table": jsonString(strings.TrimSpace(table)), "columns": listText(columns)}
	}
	if i := strings.LastIndexByte(text, '.'); i > 0 {
		t, err := m.tableAt(m.tableRef(jsonString(text[:i]), members{}))
		if err == nil {
			if _, err := t.Column(designer.ObjectRef{Name: text[i+1:]}); err == nil {
				return members{"table": jsonString(text[:i]), "columns": jsonString(text[i+1:])}
			}
		}
	}
	return nil
}

// referencedTable mends a reference to a table.
func (m *mender) referencedTable(raw jsontext.Value) jsontext.Value {
	if raw.Kind() == '"' {
		m.fields = append(m.fields, m.at+`: use an object, {"schema": …, "name": …}`)
		return m.tableRef(raw, members{})
	}
	t, err := membersOf(raw, "")
	if err != nil {
		m.unsure = true
		return raw
	}
	m.rename(t, tableRefShape.known, tableWords)
	return objectText(t)
}

// mappings mends pairs of columns: other names, one pair alone, an object of
// them.
func (m *mender) mappings(raw jsontext.Value) jsontext.Value {
	if obj, err := membersOf(raw, ""); err == nil && len(obj) > 0 && obj["column"] == nil && obj["from"] == nil {
		var list []jsontext.Value
		for _, name := range obj.names() {
			if obj[name].Kind() != '"' {
				m.unsure = true
			}
			list = append(list, objectText(members{"column": jsonString(name), "referencedColumn": obj[name]}))
		}
		m.fields = append(m.fields, m.at+": use a list of {column, referencedColumn}")
		return listText(list)
	}
	list := listOf(raw)
	for i, item := range list {
		obj, err := membersOf(item, "")
		if err != nil {
			m.unsure = true
			continue
		}
		m.rename(obj, []string{"column", "referencedColumn"}, mappingWords)
		list[i] = objectText(obj)
	}
	if raw.Kind() != '[' {
		m.fields = append(m.fields, m.at+": use a list of {column, referencedColumn}")
	}
	return listText(list)
}

// pair writes the mappings of two lists of columns. Where only one is given
// and the table has a primary key of as many columns, that is meant.
func (m *mender) pair(obj members, columns, refs jsontext.Value) {
	from, ok := namesOf(columns)
	var to []string
	both := false
	if refs != nil {
		to, both = namesOf(refs)
	} else if t, err := m.tableAt(obj["referencedTable"]); err == nil && t.PrimaryKey != nil {
		names := t.ColumnNames()
		for _, id := range t.PrimaryKey.Columns {
			to = append(to, names[id])
		}
		both = true
	}
	if !ok || !both || len(from) != len(to) {
		m.unsure = true
		return
	}
	list := make([]jsontext.Value, len(from))
	for i := range from {
		list[i] = objectText(members{"column": jsonString(from[i]), "referencedColumn": jsonString(to[i])})
	}
	obj["mappings"] = listText(list)
}

// index mends an index and its columns.
func (m *mender) index(obj members) {
	for _, name := range obj.names() {
		switch bare(name) { // an ordinary one needs no word
		case "type", "using", "method":
			word, _ := textOf(obj[name])
			switch strings.ToLower(word) {
			case "b-tree", "index", "normal", "nonclustered":
				m.useless(name)
				delete(obj, name)
			case "unique":
				m.found(name, "unique true")
				delete(obj, name)
				obj["unique"] = jsontext.Value("true")
			}
		}
	}
	m.rename(obj, indexShape.known, indexWords)
	columns := obj["columns"]
	if columns == nil {
		return
	}
	if columns.Kind() != '[' {
		m.found("columns", "a list")
	}
	list := listOf(columns)
	m.within("columns", func() {
		for i, item := range list {
			list[i] = m.indexPart(item)
		}
	})
	obj["columns"] = listText(list)
}

// indexPart mends a column of an index; a bare name may say its order.
func (m *mender) indexPart(item jsontext.Value) jsontext.Value {
	if text, ok := textOf(item); ok {
		words := strings.Fields(text)
		if len(words) == 2 {
			if flag, ok := flagOf(jsonString(words[1])); ok {
				m.fields = append(m.fields, m.at+`: use {"name": …, "descending": …}`)
				var v jsontext.Value
				v, _ = jsonv2.Marshal(flag)
				return objectText(members{"name": jsonString(words[0]), "descending": v})
			}
		}
		if name, length, ok := prefixOf(text); ok {
			m.fields = append(m.fields, m.at+`: use {"name": …, "length": …}`)
			return objectText(members{"name": jsonString(name), "length": jsontext.Value(length)})
		}
		if strings.ContainsAny(text, "()") {
			m.fields = append(m.fields, m.at+`: use {"expression": …}`)
			return objectText(members{"expression": item})
		}
		return item
	}
	obj, err := membersOf(item, "")
	if err != nil {
		m.unsure = true
		return item
	}
	m.rename(obj, partShape.known, partWords)
	if text, ok := textOf(obj["name"]); ok && obj["expression"] == nil && strings.ContainsAny(text, "()") {
		m.found("name", "expression")
		obj["expression"] = obj["name"]
		delete(obj, "name")
	}
	return objectText(obj)
}

// prefixOf reads "email(10)", the beginning of a column's values.
func prefixOf(text string) (name, length string, ok bool) {
	name, rest, _ := strings.Cut(text, "(")
	length, closed := strings.CutSuffix(rest, ")")
	if n, err := strconv.Atoi(length); err != nil || n < 1 || !closed {
		return "", "", false
	}
	return strings.TrimSpace(name), length, true
}
