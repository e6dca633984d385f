package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// The rows of what a design carries and does not edit. Their statements are
// put together here, without a DEFINER, which is an option: who makes them
// elsewhere owns them.
type (
	triggerRow  struct{ name, event, table, timing, body, mode, definer string }
	viewRow     struct{ name, query, check, security, definer, algorithm string }
	sequenceRow struct{ name, start, least, most, increment, cache, cycle string }
)

func (c *catalog) readTrigger(scan func(...any) error) error {
	var r triggerRow
	if err := scan(&r.name, &r.event, &r.table, &r.timing, &r.body, &r.mode, &r.definer); err != nil {
		return err
	}
	c.triggers = append(c.triggers, r)
	return nil
}

func (c *catalog) readView(scan func(...any) error) error {
	var r viewRow
	if err := scan(&r.name, &r.query, &r.check, &r.security, &r.definer, &r.algorithm); err != nil {
		return err
	}
	c.views = append(c.views, r)
	return nil
}

func (c *catalog) readSequence(scan func(...any) error) error {
	var r sequenceRow
	if err := scan(&r.name, &r.start, &r.least, &r.most, &r.increment, &r.cache, &r.cycle); err != nil {
		return err
	}
	c.sequences = append(c.sequences, r)
	return nil
}

// sequenceQuery asks every sequence for its own row, "" where there is none:
// before version 11.5 no catalogue has them.
func (c *catalog) sequenceQuery() string {
	var parts []string
	for _, t := range c.tables {
		if t.kind == "SEQUENCE" {
			parts = append(parts, "SELECT "+quoteString(t.name)+
				", start_value, minimum_value, maximum_value, increment, cache_size, cycle_option FROM "+quoteName(t.name))
		}
	}
	return strings.Join(parts, " UNION ALL ")
}

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
