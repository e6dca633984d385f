package mysql

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/engine"
)

// query is one question to information_schema.
type query struct {
	what, text string
	row        func(scan func(...any) error) error
	when       func() bool // whether to ask, as the tables say; nil: always

	depth engine.Depth // from which [Engine.Find] asks it; Names: never
}

// queries are those that every database is asked. The name of the database
// stands in them as a literal: that is what lets the server look no further.
// Those that have a depth are narrowed to some tables by a condition of, which
// begins with AND.
func (c *catalog) queries(of string) []query {
	from := func(columns, table, schemaColumn, rest string) string {
		return "SELECT " + columns + " FROM information_schema." + table + " WHERE " + schemaColumn + " = " +
			quoteString(c.database) + rest
	}
	choose := func(maria, mysql string) string {
		if c.maria {
			return maria
		}
		return mysql
	}
	ignored := choose("'NO'", "IF(IS_VISIBLE = 'YES', 'NO', 'YES')")
	if c.maria && c.atLeast(10, 6) {
		ignored = "IGNORED"
	}
	checks := from("TABLE_NAME, CONSTRAINT_NAME, LEVEL, CHECK_CLAUSE, 'YES'", "CHECK_CONSTRAINTS", "CONSTRAINT_SCHEMA", of)
	if !c.maria {
		checks = "SELECT t.TABLE_NAME, k.CONSTRAINT_NAME, 'Table', k.CHECK_CLAUSE, t.ENFORCED FROM information_schema.CHECK_CONSTRAINTS k" +
			" JOIN information_schema.TABLE_CONSTRAINTS t USING (CONSTRAINT_SCHEMA, CONSTRAINT_NAME)" +
			" WHERE t.CONSTRAINT_TYPE = 'CHECK' AND k.CONSTRAINT_SCHEMA = " + quoteString(c.database) + of
	}
	partitioned := func() bool {
		return slices.ContainsFunc(c.tables, func(t tableRow) bool { return strings.Contains(t.options, "partitioned") })
	}
	viewed := func() bool { return slices.ContainsFunc(c.tables, func(t tableRow) bool { return t.kind == "VIEW" }) }
	return []query{
		{"tables", from("TABLE_NAME, TABLE_TYPE, COALESCE(ENGINE, ''), COALESCE(TABLE_COLLATION, ''), "+
			"COALESCE(CREATE_OPTIONS, ''), TABLE_COMMENT", "TABLES", "TABLE_SCHEMA", of), c.readTable, nil, engine.Columns},
		{"columns", from("TABLE_NAME, COLUMN_NAME, COLUMN_DEFAULT, IS_NULLABLE, COLUMN_TYPE, COALESCE(COLLATION_NAME, ''), EXTRA, "+
			"COALESCE(GENERATION_EXPRESSION, ''), COLUMN_COMMENT, "+choose("''", "COALESCE(SRS_ID, '')"),
			"COLUMNS", "TABLE_SCHEMA", of+" ORDER BY TABLE_NAME, ORDINAL_POSITION"), c.readColumn, nil, engine.Columns},
		{"indexes", from("TABLE_NAME, INDEX_NAME, NON_UNIQUE, COALESCE(COLUMN_NAME, ''), COALESCE(COLLATION, ''), COALESCE(SUB_PART, 0), "+
			"INDEX_TYPE, INDEX_COMMENT, "+ignored+", "+choose("''", "COALESCE(EXPRESSION, '')"),
			"STATISTICS", "TABLE_SCHEMA", of+" ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX"), c.readIndex, nil, engine.Keys},
		{"columns of foreign keys", from("TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, "+
			"REFERENCED_COLUMN_NAME", "KEY_COLUMN_USAGE", "TABLE_SCHEMA",
			of+" AND REFERENCED_TABLE_NAME IS NOT NULL ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION"), c.readKey, nil, engine.Keys},
		{"foreign keys", from("TABLE_NAME, CONSTRAINT_NAME, DELETE_RULE, UPDATE_RULE", "REFERENTIAL_CONSTRAINTS", "CONSTRAINT_SCHEMA", ""),
			c.readRule, nil, 0},
		{"checks", checks, c.readCheck, nil, engine.Columns}, // which say that a column is JSON
		{"partitions", from("TABLE_NAME, PARTITION_NAME, COALESCE(SUBPARTITION_NAME, ''), PARTITION_METHOD, COALESCE(PARTITION_EXPRESSION, ''), "+
			"COALESCE(SUBPARTITION_METHOD, ''), COALESCE(SUBPARTITION_EXPRESSION, ''), COALESCE(PARTITION_DESCRIPTION, ''), PARTITION_COMMENT",
			"PARTITIONS", "TABLE_SCHEMA",
			" AND PARTITION_NAME IS NOT NULL ORDER BY TABLE_NAME, PARTITION_ORDINAL_POSITION, SUBPARTITION_ORDINAL_POSITION"), c.readPartition, partitioned, 0},
		{"triggers", from("TRIGGER_NAME, EVENT_MANIPULATION, EVENT_OBJECT_TABLE, ACTION_TIMING, ACTION_STATEMENT, SQL_MODE, DEFINER",
			"TRIGGERS", "EVENT_OBJECT_SCHEMA", " ORDER BY EVENT_OBJECT_TABLE, EVENT_MANIPULATION, ACTION_TIMING, ACTION_ORDER"), c.readTrigger, nil, 0},
		{"views", from("TABLE_NAME, COALESCE(VIEW_DEFINITION, ''), CHECK_OPTION, SECURITY_TYPE, DEFINER, "+choose("ALGORITHM", "'UNDEFINED'"),
			"VIEWS", "TABLE_SCHEMA", " ORDER BY TABLE_NAME"), c.readView, viewed, 0},
		{"routines", from("ROUTINE_TYPE, ROUTINE_NAME, COALESCE(DTD_IDENTIFIER, ''), COALESCE(CHARACTER_SET_NAME, ''), COALESCE(COLLATION_NAME, ''), "+
			"COALESCE(ROUTINE_DEFINITION, ''), IS_DETERMINISTIC, SQL_DATA_ACCESS, SECURITY_TYPE, ROUTINE_COMMENT, SQL_MODE",
			"ROUTINES", "ROUTINE_SCHEMA", " ORDER BY ROUTINE_NAME, ROUTINE_TYPE"), c.readRoutine, nil, 0},
		{"parameters", from("ROUTINE_TYPE, SPECIFIC_NAME, COALESCE(PARAMETER_MODE, ''), COALESCE(PARAMETER_NAME, ''), DTD_IDENTIFIER, "+
			"COALESCE(CHARACTER_SET_NAME, ''), COALESCE(COLLATION_NAME, '')", "PARAMETERS", "SPECIFIC_SCHEMA",
			" AND ORDINAL_POSITION > 0 ORDER BY ROUTINE_TYPE, SPECIFIC_NAME, ORDINAL_POSITION"), c.readParameter, nil, 0},
		{"events", from("EVENT_NAME, EVENT_TYPE, COALESCE(EXECUTE_AT, ''), COALESCE(INTERVAL_VALUE, ''), COALESCE(INTERVAL_FIELD, ''), "+
			"COALESCE(STARTS, ''), COALESCE(ENDS, ''), STATUS, ON_COMPLETION, EVENT_COMMENT, EVENT_DEFINITION, SQL_MODE",
			"EVENTS", "EVENT_SCHEMA", " ORDER BY EVENT_NAME"), c.readEvent, nil, 0},
		{"rights", from("GRANTEE, TABLE_NAME, '' AS COLUMN_NAME, PRIVILEGE_TYPE, IS_GRANTABLE", "TABLE_PRIVILEGES", "TABLE_SCHEMA", " UNION ALL ") +
			from("GRANTEE, TABLE_NAME, COLUMN_NAME, PRIVILEGE_TYPE, IS_GRANTABLE", "COLUMN_PRIVILEGES", "TABLE_SCHEMA",
				" ORDER BY TABLE_NAME, GRANTEE, PRIVILEGE_TYPE, COLUMN_NAME"), c.readRight, nil, 0},
	}
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

// nameQueries read what the database has by name and kind, and the names of
// all columns.
func (c *catalog) nameQueries() (tables, columns string) {
	in := " WHERE TABLE_SCHEMA = " + quoteString(c.database)
	return "SELECT TABLE_NAME, TABLE_TYPE FROM information_schema.TABLES" + in + " ORDER BY TABLE_NAME",
		"SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS" + in + " ORDER BY TABLE_NAME, ORDINAL_POSITION"
}

// read runs the queries, each once; those about partitions and views only
// where there are any, because a server looks at every table to find none. Last
// it asks for what [catalog.readLiterals] needs.
func (c *catalog) read(ctx context.Context, conn *sql.Conn) error {
	r := &reader{texts: map[string]string{}}
	for _, q := range c.queries("") {
		if q.when != nil && !q.when() {
			continue
		}
		if err := r.each(ctx, conn, q.text, q.row); err != nil {
			return fmt.Errorf("read %s of the schema: %w", q.what, err)
		}
	}
	for _, t := range c.tables {
		c.carried[t.name] = true
	}
	if err := c.readLiterals(ctx, conn); err != nil {
		return err
	}
	if c.hasForeign() {
		if err := r.each(ctx, conn, "SHOW GRANTS", c.readGrant); err != nil {
			return fmt.Errorf("read what the user may: %w", err)
		}
	}
	if query := c.sequenceQuery(); query != "" {
		if err := r.each(ctx, conn, query, c.readSequence); err != nil && !denied(err) {
			return fmt.Errorf("read sequences of the schema: %w", err)
		}
	}
	return nil
}

// The information schema leaves out the character set before a string, as in
// _binary'x', of views and of all that acts by itself, where it decides what is
// equal and what the value is. SHOW CREATE keeps it, for one object at a time.

// stored is a text of the catalogue that may lack character sets.
type stored struct {
	kind, name string // as SHOW CREATE wants them
	text       *string
}

// mayLack reports whether a text has something that a character set can stand
// before.
func mayLack(text string) bool {
	return strings.ContainsAny(text, `'"`) || strings.Contains(text, "0x")
}

// stored lists the texts that may lack character sets, and on MariaDB, where
// that costs nothing more, all routines whose parameters can be had as they
// were written.
func (c *catalog) stored() (all []stored) {
	add := func(kind, name string, text *string) {
		if mayLack(*text) {
			all = append(all, stored{kind, name, text})
		}
	}
	for i := range c.views {
		add("VIEW", c.views[i].name, &c.views[i].query)
	}
	for i := range c.triggers {
		add("TRIGGER", c.triggers[i].name, &c.triggers[i].body)
	}
	for i, r := range c.routines {
		switch {
		case r.kind != "FUNCTION" && r.kind != "PROCEDURE":
		case c.maria && len(c.parameters[r.routineID]) > 0:
			all = append(all, stored{r.kind, r.name, &c.routines[i].body})
		default:
			add(r.kind, r.name, &c.routines[i].body)
		}
	}
	for i := range c.events {
		add("EVENT", c.events[i].name, &c.events[i].body)
	}
	return all
}

// showStatements ask the server for the texts. MariaDB is asked for many in one
// round trip, and goes on after one that it does not show.
func (c *catalog) showStatements(all []stored) []string {
	statements := make([]string, len(all))
	for i, s := range all {
		statements[i] = "SHOW CREATE " + s.kind + " " + quoteName(s.name)
	}
	if !c.maria {
		return statements
	}
	var blocks []string
	for some := range slices.Chunk(statements, 200) { // which a packet holds
		blocks = append(blocks, "BEGIN NOT ATOMIC DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; "+strings.Join(some, "; ")+"; END")
	}
	return blocks
}

// readLiterals puts the character sets back into the texts. A text that the
// server does not show, or shows otherwise, stays as it is.
func (c *catalog) readLiterals(ctx context.Context, conn *sql.Conn) error {
	all := c.stored()
	shown := map[[2]string]shownText{}
	for _, statement := range c.showStatements(all) {
		if err := showCreated(ctx, conn, statement, shown); err != nil && !refused(err) {
			return fmt.Errorf("read texts of the schema: %w", err)
		}
	}
	for _, s := range all {
		if t, has := shown[[2]string{s.kind, s.name}]; has {
			*s.text = c.withCharsets(c.unqualified(*s.text), t)
		}
	}
	for i, r := range c.routines {
		if t, has := shown[[2]string{r.kind, r.name}]; has && c.maria {
			c.routines[i].written = writtenParameters(t.text)
		}
	}
	return nil
}

// shownText is what SHOW CREATE says.
type shownText struct{ text, client string }

// showCreated adds what statements of SHOW CREATE say, by kind and name.
func showCreated(ctx context.Context, conn *sql.Conn, statement string, shown map[[2]string]shownText) error {
	rows, err := conn.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	for more := true; more; more = rows.NextResultSet() {
		names, err := rows.Columns()
		if err != nil {
			return err
		}
		values, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return err
			}
			var t shownText
			for i, name := range names {
				switch {
				case strings.HasPrefix(name, "Create "), name == "SQL Original Statement":
					t.text = values[i].String
				case name == "character_set_client":
					t.client = values[i].String
				}
			}
			if len(names) > 0 && t.text != "" {
				shown[[2]string{strings.ToUpper(names[0]), values[0].String}] = t
			}
		}
	}
	return rows.Err()
}
