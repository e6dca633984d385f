package readonly

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// Catalogues that hold passwords or their hashes, and what other sessions
// send. A login may be allowed to read them; a model has no use for them, and
// what it has read is elsewhere.
var (
	passwordsPostgres = strings.Fields("pg_authid pg_shadow pg_user_mapping pg_user_mappings user_mapping_options _pg_user_mappings pg_subscription")
	passwordsMSSQL    = strings.Fields("sql_logins syslogins sysxlogins")                                                          // of the schemas sys and dbo
	passwordsMySQL    = strings.Fields("user global_priv servers slave_master_info password_history password_reuse_check_history") // of mysql
	sessionsMySQL     = strings.Fields(`information_schema.processlist performance_schema.processlist performance_schema.threads
sys.processlist sys.x$processlist sys.session sys.x$session mysql.general_log mysql.slow_log information_schema.innodb_trx
performance_schema.prepared_statements_instances sys.innodb_lock_waits sys.x$innodb_lock_waits sys.schema_table_lock_waits sys.x$schema_table_lock_waits`)
)

// holdsPasswords refuses a catalogue by its name.
func holdsPasswords(name string) *Refusal {
	return Refuse("secrets", "%s holds passwords, and run-query shows none; a person can read it with the server's own client", replytext.Shown(name))
}

// secretPostgres refuses the name of a catalogue of PostgreSQL that holds
// passwords, in whatever schema: a table of the project is hardly named so.
func secretPostgres(name string) error {
	if slices.Contains(passwordsPostgres, name) {
		return holdsPasswords(name)
	}
	return nil
}

// secretMSSQL refuses the name, in lower case, of a catalogue of SQL Server
// that holds passwords, in whatever schema.
func secretMSSQL(name string) error {
	if slices.Contains(passwordsMSSQL, name) {
		return holdsPasswords(name)
	}
	return nil
}

// secretMySQL refuses tables of MySQL that hold passwords, or the statements
// of other sessions.
func secretMySQL(t mysqlName) error {
	schema, table := strings.ToLower(t.database), strings.ToLower(t.name)
	name := schema + "." + table
	switch {
	case schema == "mysql" && slices.Contains(passwordsMySQL, table):
		return holdsPasswords(name)
	case slices.Contains(sessionsMySQL, name), strings.HasPrefix(name, "performance_schema.events_statements_"):
		return Refuse("secrets", "%s holds what other sessions send, passwords among it, and run-query shows none of that", replytext.Shown(name))
	}
	return nil
}
