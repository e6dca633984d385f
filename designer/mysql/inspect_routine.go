package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

type (
	routineID struct{ kind, name string }

	routineRow struct {
		routineID
		returns, charset, collation, body              string
		deterministic, access, security, comment, mode string
	}

	parameterRow struct{ mode, name, dataType, charset, collation string }

	eventRow struct {
		name, kind, at, interval, field, starts, ends string
		status, completion, comment, body, mode       string
	}
)

func (c *catalog) readRoutine(scan func(...any) error) error {
	var r routineRow
	if err := scan(&r.kind, &r.name, &r.returns, &r.charset, &r.collation, &r.body,
		&r.deterministic, &r.access, &r.security, &r.comment, &r.mode); err != nil {
		return err
	}
	c.routines = append(c.routines, r)
	return nil
}

func (c *catalog) readParameter(scan func(...any) error) error {
	var id routineID
	var r parameterRow
	if err := scan(&id.kind, &id.name, &r.mode, &r.name, &r.dataType, &r.charset, &r.collation); err != nil {
		return err
	}
	c.parameters[id] = append(c.parameters[id], r)
	return nil
}

func (c *catalog) readEvent(scan func(...any) error) error {
	var r eventRow
	if err := scan(&r.name, &r.kind, &r.at, &r.interval, &r.field, &r.starts, &r.ends,
		&r.status, &r.completion, &r.comment, &r.body, &r.mode); err != nil {
		return err
	}
	c.events = append(c.events, r)
	return nil
}

// routine is carried without its statement where the server does not tell the
// body to this user, or where it is no function or procedure.
func (c *catalog) routine(r routineRow) designer.Object {
	o := designer.Object{Kind: designer.ObjectRoutine, Name: r.name}
	if r.body == "" || r.kind != "FUNCTION" && r.kind != "PROCEDURE" {
		return o
	}
	parts := []string{"CREATE " + r.kind + " " + quoteName(r.name) + "(" + c.parameterList(r) + ")"}
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

func (c *catalog) parameterList(r routineRow) string {
	var list []string
	for _, p := range c.parameters[r.routineID] {
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
