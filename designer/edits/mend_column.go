package edits

import (
	"regexp"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/go-json-experiment/json/jsontext"
)

// column mends a column's fields. What it says of keys and indexes becomes
// edits of their own, which follow.
func (m *mender) column(e, obj members) {
	said := m.columnParts(obj)
	m.generated(obj)
	m.rename(obj, columnShape.known, columnWords)
	m.comment(obj)
	if obj["computedFormula"] != nil && obj["isComputed"] == nil {
		obj["isComputed"] = jsontext.Value("true")
	}
	m.dataType(obj)
	m.quoteDefault(obj)
	m.follow(e, obj, said)
}

// columnParts takes what a column says of other objects out of it.
func (m *mender) columnParts(obj members) members {
	said := members{}
	for _, name := range obj.names() {
		part := columnParts[bare(name)]
		if part == "" {
			continue
		}
		if flag, ok := flagOf(obj[name]); ok && !flag { // index: false
			m.useless(name)
			delete(obj, name)
			continue
		}
		switch part {
		case "index":
			m.found(name, "an add_index edit")
		case "references":
			m.found(name, "an add_foreign_key edit with referencedTable and mappings")
		case "onDelete", "onUpdate":
			m.found(name, "foreignKey."+part+"Action of an add_foreign_key edit")
		case "check":
			m.found(name, "an add_check edit")
		case "enum":
			if m.ownValues(name, obj) {
				continue
			}
			m.unsure = true
		}
		said[part] = obj[name]
		delete(obj, name)
	}
	return said
}

// ownValues says where the values of an enum belong, and reports whether that
// is the column.
func (m *mender) ownValues(name string, obj members) bool {
	d := m.s.Dialect()
	if t, ok := d.TypeOfKind(designer.KindEnum); ok && t.Values {
		if name != "values" {
			m.found(name, "values")
			obj["values"] = obj[name]
			delete(obj, name)
		}
		return true
	}
	if len(d.NamedTypes.Classes) > 0 {
		m.found(name, "an add_type edit with values, and its name as dataType")
	} else {
		m.found(name, "an add_check edit")
	}
	return false
}

// comment takes one out that the database cannot keep.
func (m *mender) comment(obj members) {
	if obj["comment"] != nil && m.s.Dialect().Comments.None {
		m.fields = append(m.fields, m.at+".comment: leave it out, "+m.s.Dialect().Title+" stores no comments")
		delete(obj, "comment")
	}
}

// generated tells the two things apart that callers call generated: a number
// and a formula.
func (m *mender) generated(obj members) {
	for _, name := range obj.names() {
		meant := fieldMeant(name, columnShape.known, columnWords)
		if meant != "isIdentity" && meant != "isComputed" || obj[name].Kind() == 't' || obj[name].Kind() == 'f' {
			continue
		}
		if meant == "isComputed" && obj[name].Kind() == '"' {
			if _, flag := flagOf(obj[name]); !flag {
				m.found(name, "computedFormula, with isComputed true")
				obj["computedFormula"] = obj[name]
				delete(obj, name)
			}
		}
		if meant == "isIdentity" && obj[name].Kind() == '{' {
			m.identity(obj, name)
		}
	}
}

// identity takes an identity apart that is an object.
func (m *mender) identity(obj members, name string) {
	inner, err := membersOf(obj[name], "")
	if err != nil {
		m.unsure = true
		return
	}
	m.found(name, "isIdentity, identitySeed, identityIncrement")
	delete(obj, name)
	obj["isIdentity"] = jsontext.Value("true")
	for _, n := range inner.names() {
		switch bare(n) {
		case "seed", "start", "startwith", "identityseed":
			obj["identitySeed"] = inner[n]
		case "increment", "incrementby", "step", "identityincrement":
			obj["identityIncrement"] = inner[n]
		default:
			m.unsure = true
		}
	}
}

// said are the words that callers write after a type, as in a CREATE TABLE.
var typeSaid = []struct {
	words       func() *regexp.Regexp
	field, flag string
}{
	{lazyregexp.New(`(?i)\s+primary\s+key\b`), "isPrimaryKey", "true"},
	{lazyregexp.New(`(?i)\s+not\s+null\b`), "isNullable", "false"},
	{lazyregexp.New(`(?i)\s+(auto_increment|autoincrement|identity(\s*\(\s*1\s*,\s*1\s*\))?)(\s|$)`), "isIdentity", "true"},
	{lazyregexp.New(`(?i)\s+unique\b`), "isUnique", "true"},
	{lazyregexp.New(`(?i)\s+null\b`), "isNullable", "true"},
}

// dataType mends a type: what is written after it, and the name it has in
// other databases.
func (m *mender) dataType(obj members) {
	text, ok := textOf(obj["dataType"])
	if !ok {
		return
	}
	plain := text
	for _, w := range typeSaid {
		rest := w.words().ReplaceAllString(plain, " ")
		if rest == plain {
			continue
		}
		plain = strings.TrimSpace(rest)
		obj[w.field] = jsontext.Value(w.flag)
	}
	if meant, ok := m.s.Dialect().Meant(plain); ok {
		plain = meant.Text
		if obj["maxLength"] != nil || obj["precision"] != nil {
			plain, _, _ = strings.Cut(plain, "(")
		}
		if meant.Identity {
			obj["isIdentity"] = jsontext.Value("true")
		}
	}
	if plain == text {
		return
	}
	use := clip.Quote(plain)
	if string(obj["isIdentity"]) == "true" {
		use += " with isIdentity true"
	}
	m.found("dataType", use+" for "+clip.Quote(text))
	obj["dataType"] = jsonString(plain)
}

// words of SQL that a default value may consist of.
var (
	bareWord    = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]*$`)
	defaultWord = lazyregexp.New(`(?i)^(null|true|false|current_.*|localtime.*|session_user|user|now)$`)
)

// quoteDefault quotes a default that is a bare word, which no expression can
// be, where the column holds text.
func (m *mender) quoteDefault(obj members) {
	text, ok := textOf(obj["defaultValue"])
	if !ok || !bareWord().MatchString(text) || defaultWord().MatchString(text) {
		return
	}
	typed, _ := textOf(obj["dataType"])
	c, err := m.s.Dialect().ReadType(typed)
	info, known := m.s.Dialect().Type(c.DataType)
	if err != nil || !known {
		m.unsure = true
		return
	}
	switch info.Kind {
	case designer.KindText, designer.KindVarchar, designer.KindNVarchar, designer.KindChar, designer.KindNChar, designer.KindEnum:
		quoted := jsonString("'" + text + "'")
		m.found("defaultValue", "a SQL expression, "+string(quoted))
		obj["defaultValue"] = quoted
	default:
		m.unsure = true
	}
}

// follow makes the edits that a column's words ask for beside its own.
func (m *mender) follow(e, obj, said members) {
	name := obj["name"]
	if ref, err := membersOf(e["column"], ""); name == nil && err == nil {
		name = ref["name"]
	}
	if len(said) == 0 {
		return
	}
	if name == nil {
		m.unsure = true
		return
	}
	add := func(op designer.Op, part string, inner members) {
		m.after = append(m.after, objectText(members{"op": jsonString(string(op)), "table": e["table"], part: objectText(inner)}))
	}
	if said["index"] != nil {
		add(designer.AddIndex, "index", members{"columns": listText([]jsontext.Value{name})})
	}
	if v := said["check"]; v != nil {
		m.unsure = m.unsure || v.Kind() != '"'
		add(designer.AddCheck, "check", members{"expression": v})
	}
	if v := said["references"]; v != nil {
		key := members{"references": v, "columns": name}
		if said["onDelete"] != nil {
			key["onDeleteAction"] = said["onDelete"]
		}
		if said["onUpdate"] != nil {
			key["onUpdateAction"] = said["onUpdate"]
		}
		found := m.fields
		m.foreignKey(key)
		m.fields = found // the column's words say it
		add(designer.AddForeignKey, "foreignKey", key)
	}
}
