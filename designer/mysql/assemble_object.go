package mysql

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

func (c *catalog) viewDefinitions() []designer.View {
	var views []designer.View
	for _, r := range c.views {
		v := designer.View{Name: r.name}
		if r.query != "" { // "": not for this user
			v.Definition = c.viewStatement(r)
			c.noteDefiner(&v.Options, r.definer)
		}
		views = append(views, v)
	}
	return views
}

func (c *catalog) viewStatement(r viewRow) string {
	text := "CREATE "
	if r.algorithm != "" && r.algorithm != "UNDEFINED" {
		text += "ALGORITHM=" + r.algorithm + " "
	}
	if r.security == "INVOKER" {
		text += "SQL SECURITY INVOKER "
	}
	text += "VIEW " + quoteName(r.name) + " AS " + c.unqualified(r.query)
	if r.check != "NONE" {
		text += " WITH " + r.check + " CHECK OPTION"
	}
	return text
}

// objects are sequences, routines, triggers and events.
func (c *catalog) objects() []designer.Object {
	var all []designer.Object
	statements := map[string]string{} // none for a sequence that is not for this user to read
	for _, r := range c.sequences {
		statements[r.name] = sequenceStatement(r)
	}
	for _, t := range c.tables {
		if t.kind == "SEQUENCE" {
			all = append(all, designer.Object{Kind: designer.ObjectSequence, Name: t.name, Definition: statements[t.name]})
		}
	}
	for _, r := range c.routines {
		all = append(all, c.routine(r))
	}
	before := triggerRow{}
	for _, r := range c.triggers {
		o := c.withMode(designer.Object{Kind: designer.ObjectTrigger, Name: r.name, Table: r.table,
			Definition: triggerStatement(r, before)}, r.mode)
		c.noteDefiner(&o.Options, r.definer)
		all = append(all, o)
		before = r
	}
	for _, r := range c.events {
		all = append(all, c.withMode(designer.Object{Kind: designer.ObjectEvent, Name: r.name, Definition: eventStatement(r)}, r.mode))
	}
	all = append(all, c.rightsObjects()...)
	return all
}

// withMode notes the sql_mode of an object's own, which decides how its text
// is read.
func (c *catalog) withMode(o designer.Object, mode string) designer.Object {
	if mode != c.globalMode {
		setOption(&o.Options, OptionSQLMode, mode)
	}
	return o
}

func sequenceStatement(r sequenceRow) string {
	text := "CREATE SEQUENCE " + quoteName(r.name) + " START WITH " + r.start + " MINVALUE " + r.least + " MAXVALUE " + r.most +
		" INCREMENT BY " + r.increment
	if r.cache == "0" {
		text += " NOCACHE"
	} else {
		text += " CACHE " + r.cache
	}
	if r.cycle == "0" {
		return text + " NOCYCLE"
	}
	return text + " CYCLE"
}

// triggerStatement says after which trigger it comes, where several act on
// the same event.
func triggerStatement(r, before triggerRow) string {
	text := "CREATE TRIGGER " + quoteName(r.name) + " " + r.timing + " " + r.event + " ON " + quoteName(r.table) + " FOR EACH ROW "
	if before.table == r.table && before.event == r.event && before.timing == r.timing {
		text += "FOLLOWS " + quoteName(before.name) + " "
	}
	return text + r.body
}

// routine is carried without its statement where the server does not give the
// body to this user, or where it is no function or procedure.
func (c *catalog) routine(r routineRow) designer.Object {
	o := designer.Object{Kind: designer.ObjectRoutine, Name: r.name}
	if r.body == "" || r.kind != "FUNCTION" && r.kind != "PROCEDURE" {
		return o
	}
	create := "CREATE "
	if r.kind == "FUNCTION" && fetchesGroup(r.body) {
		create += "AGGREGATE "
	}
	parts := []string{create + r.kind + " " + quoteName(r.name) + "(" + c.parameterList(r) + ")"}
	if r.kind == "FUNCTION" {
		parts = append(parts, "RETURNS "+c.typeIn(r.returns, r.charset, r.collation))
	}
	if r.access != "" && r.access != "CONTAINS SQL" {
		parts = append(parts, r.access)
	}
	if r.deterministic == "YES" {
		parts = append(parts, "DETERMINISTIC")
	}
	if r.security == "INVOKER" {
		parts = append(parts, "SQL SECURITY INVOKER")
	}
	if r.comment != "" {
		parts = append(parts, "COMMENT "+quoteString(r.comment))
	}
	o.Definition = strings.Join(append(parts, r.body), "\n")
	return c.withMode(o, r.mode)
}

// fetchesGroup reports whether a function's body has what MariaDB demands of
// every aggregate function and allows in no other. No catalogue that all users
// may read says which is one.
func fetchesGroup(body string) bool {
	words := code(scan(body))
	for i := range words {
		if begins(words[i:], "FETCH", "GROUP", "NEXT", "ROW") {
			return true
		}
	}
	return false
}

// parameterList is the parameters as they were written, where that is known and
// does not depend on what the database's character set was then.
func (c *catalog) parameterList(r routineRow) string {
	all := c.parameters[r.routineID]
	if len(all) > 0 && r.written != "" && !slices.ContainsFunc(all, func(p parameterRow) bool { return p.charset != "" && p.collation != c.collation }) {
		return r.written
	}
	var list []string
	for _, p := range all {
		text := quoteName(p.name) + " " + c.typeIn(p.dataType, p.charset, p.collation)
		if r.kind == "PROCEDURE" && p.mode != "" {
			text = p.mode + " " + text
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// typeIn is a type with its character set, where that is not the database's.
func (c *catalog) typeIn(dataType, charset, collation string) string {
	if charset == "" || collation == c.collation {
		return dataType
	}
	return dataType + " CHARACTER SET " + charset + " COLLATE " + collation
}

func eventStatement(r eventRow) string {
	schedule := "AT " + quoteString(r.at)
	if r.kind == "RECURRING" {
		schedule = "EVERY " + r.interval + " " + r.field // quoted by the server where it has to be
		if r.starts != "" {
			schedule += " STARTS " + quoteString(r.starts)
		}
		if r.ends != "" {
			schedule += " ENDS " + quoteString(r.ends)
		}
	}
	state := "ENABLE"
	if strings.HasSuffix(r.status, "DISABLED") {
		state = "DISABLE"
		if strings.HasPrefix(r.status, "SLAVESIDE") || strings.HasPrefix(r.status, "REPLICA") {
			state = "DISABLE ON SLAVE"
		}
	}
	text := "CREATE EVENT " + quoteName(r.name) + " ON SCHEDULE " + schedule + " ON COMPLETION " + r.completion + " " + state
	if r.comment != "" {
		text += " COMMENT " + quoteString(r.comment)
	}
	return text + " DO " + r.body
}
