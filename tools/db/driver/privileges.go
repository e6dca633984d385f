package driver

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/berth-dev/berth/tools/db/dial"
)

// Privileges are what a login may do to its database beyond reading. They
// come from what the server says, and bound what this process could do, not
// what it does: run-query reads whatever they are.
type Privileges struct {
	Write bool     // data or the schema can be changed
	Why   []string // by what, in a few words each: "superuser", "INSERT on 3 of 9 tables"
}

// String words them for people.
func (p Privileges) String() string {
	switch {
	case !p.Write:
		return "the login can only read"
	case len(p.Why) == 0:
		return "the login can write"
	}
	return "the login can write (" + strings.Join(p.Why, ", ") + ")"
}

// Privileges asks the server what the login may do.
func (d serverDatabase) Privileges(ctx context.Context) (Privileges, error) {
	switch d.designs.Dialect().Name {
	case dial.PostgreSQL:
		return d.privilegesPostgres(ctx)
	case dial.MySQL:
		return d.privilegesMySQL(ctx)
	}
	return d.privilegesMSSQL(ctx)
}

// because adds a reason where it holds.
func (p *Privileges) because(holds bool, format string, args ...any) {
	if holds {
		p.Write = true
		p.Why = append(p.Why, fmt.Sprintf(format, args...))
	}
}

func (d serverDatabase) privilegesPostgres(ctx context.Context) (p Privileges, err error) {
	const ask = `SELECT r.rolsuper, r.rolcreatedb, pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE'),
(SELECT count(*) FROM pg_catalog.pg_namespace n WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND pg_catalog.has_schema_privilege(n.oid, 'CREATE')),
t.writable, t.total, pg_catalog.pg_is_in_recovery()
FROM pg_catalog.pg_roles r, (SELECT count(*) FILTER (WHERE pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) AS writable, count(*) AS total
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema') t
WHERE r.rolname = current_user`
	var super, createDB, create, standby bool
	var schemas, writable, total int
	if err := d.pool.QueryRowContext(ctx, ask).Scan(&super, &createDB, &create, &schemas, &writable, &total, &standby); err != nil {
		return p, err
	}
	if standby {
		return p, nil // whatever it may do, a standby does not
	}
	p.because(super, "superuser")
	p.because(!super && create, "CREATE in the database")
	p.because(!super && schemas > 0, "CREATE in %d %s", schemas, plural(schemas, "schema", "schemas"))
	p.because(!super && writable > 0, "changes %d of %d %s", writable, total, plural(total, "table", "tables"))
	p.because(!super && createDB, "CREATEDB")
	return p, nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// grantLine is one line of SHOW GRANTS: what, and on what.
var grantLine = lazyregexp.New(`^GRANT (.+?) ON (?:TABLE |DATABASE )?(\S+) TO `)

// roleLine is how MySQL says that a role is granted, without what it allows.
// MariaDB lists that in further lines.
var roleLine = lazyregexp.New("^GRANT (`[^`]*`)@`[^`]*` TO ")

// readingGrants change nothing of a database. EXECUTE is not among them: a
// routine may do what its maker can.
func readingGrants() []string {
	return []string{"USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES", "PROCESS", "REPLICATION CLIENT", "BINLOG MONITOR",
		"LOCK TABLES", "REFERENCES", "SLAVE MONITOR", "REPLICA MONITOR", "CREATE TEMPORARY TABLES"}
}

func (d serverDatabase) privilegesMySQL(ctx context.Context) (p Privileges, err error) {
	var database string
	var readOnly bool
	if err := d.pool.QueryRowContext(ctx, "SELECT DATABASE(), @@global.read_only").Scan(&database, &readOnly); err != nil {
		return p, err
	}
	rows, err := d.pool.QueryContext(ctx, "SHOW GRANTS")
	if err != nil {
		return p, err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return p, err
		}
		p.grant(line, database)
	}
	if readOnly && !slices.ContainsFunc(p.Why, func(why string) bool { return strings.HasPrefix(why, "ALL PRIVILEGES on *.*") }) {
		p = Privileges{} // the server takes changes from administrators only
	}
	return p, rows.Err()
}

// grant adds what one line of SHOW GRANTS allows in the database.
func (p *Privileges) grant(line, database string) {
	if m := roleLine().FindStringSubmatch(line); m != nil {
		p.because(true, "perhaps, by the role %s", m[1])
		return
	}
	m := grantLine().FindStringSubmatch(line)
	if m == nil {
		return
	}
	on := strings.ReplaceAll(m[2], "`", "")
	schema, _, _ := strings.Cut(on, ".")
	if schema != "*" && !likeDatabase(schema, database) {
		return
	}
	var writing []string
	for _, word := range strings.Split(columnLists().ReplaceAllString(m[1], ""), ",") {
		if word = strings.TrimSpace(word); !slices.Contains(readingGrants(), strings.ToUpper(word)) {
			writing = append(writing, word)
		}
	}
	switch {
	case len(writing) > 4:
		p.because(true, "%s and %d more on %s", strings.Join(writing[:3], ", "), len(writing)-3, on)
	case len(writing) > 0:
		p.because(true, "%s on %s", strings.Join(writing, ", "), on)
	}
}

// columnLists are the columns behind a privilege that is for some alone.
var columnLists = lazyregexp.New(`\s*\([^)]*\)`)

// likeDatabase matches a database with the pattern of a grant, in which _ and
// % are wildcards and a backslash takes their meaning away.
func likeDatabase(pattern, database string) bool {
	expression := "(?is)^"
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			expression += regexp.QuoteMeta(pattern[i : i+1])
		case c == '%':
			expression += ".*"
		case c == '_':
			expression += "."
		default:
			expression += regexp.QuoteMeta(pattern[i : i+1])
		}
	}
	matched, err := regexp.MatchString(expression+"$", database)
	return matched || err != nil // a pattern that cannot be read may be the one
}

func (d serverDatabase) privilegesMSSQL(ctx context.Context) (p Privileges, err error) {
	const ask = `SELECT CAST(ISNULL(IS_SRVROLEMEMBER('sysadmin'), 0) AS int), CAST(ISNULL(IS_ROLEMEMBER('db_owner'), 0) AS int),
CAST(ISNULL(HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'CREATE TABLE'), 0) AS int), CAST(ISNULL(HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'ALTER'), 0) AS int),
(SELECT COUNT(*) FROM sys.tables t WHERE t.is_ms_shipped = 0 AND 1 IN (
  HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(t.schema_id)) + '.' + QUOTENAME(t.name), 'OBJECT', 'INSERT'),
  HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(t.schema_id)) + '.' + QUOTENAME(t.name), 'OBJECT', 'UPDATE'),
  HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(t.schema_id)) + '.' + QUOTENAME(t.name), 'OBJECT', 'DELETE'))),
(SELECT COUNT(*) FROM sys.tables t WHERE t.is_ms_shipped = 0),
CAST(CASE WHEN DATABASEPROPERTYEX(DB_NAME(), 'Updateability') = 'READ_ONLY' THEN 1 ELSE 0 END AS int)`
	var admin, owner, create, alter, writable, total, readOnly int
	if err := d.pool.QueryRowContext(ctx, ask).Scan(&admin, &owner, &create, &alter, &writable, &total, &readOnly); err != nil {
		return p, err
	}
	if readOnly == 1 {
		return p, nil
	}
	p.because(admin == 1, "sysadmin")
	p.because(owner == 1 && admin == 0, "db_owner")
	if admin+owner == 0 {
		p.because(alter == 1, "ALTER in the database")
		p.because(create == 1 && alter == 0, "CREATE TABLE")
		p.because(writable > 0, "changes %d of %d %s", writable, total, plural(total, "table", "tables"))
	}
	return p, nil
}
