package readonly

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// postgresFunction is what the server says of a function.
type postgresFunction struct {
	oid       string
	name      string
	builtin   bool // came with the server
	volatile  bool
	language  string
	extension string // that it belongs to; "": none
	head      string // CREATE FUNCTION, with defaults and a SQL body; "" of an aggregate
	body      string
	// twin is the function of the server that it is another name for; "": none
	// is known. twinDoesMore: one of those that must be judged.
	twin         string
	twinDoesMore bool
	immutable    bool
}

// newPostgresFunction reads the columns of describedPostgres.
func newPostgresFunction(c []string) postgresFunction {
	return postgresFunction{oid: c[0], name: c[1], builtin: isTrue(c[2]), volatile: isTrue(c[3]), language: c[4], extension: c[5],
		head: c[6], body: c[7], twin: c[8], twinDoesMore: isTrue(c[9]), immutable: isTrue(c[10])}
}

// isTrue reads PostgreSQL's text forms of a boolean.
func isTrue(v string) bool { return v == "t" || v == "true" }

// runPostgres is how a function comes to run.
type runPostgres int

const (
	called  runPostgres = iota // a text has its name
	ambient                    // no query names it; it runs whatever it says of itself
	planned                    // the planner runs it, if it says that it is immutable
)

// judgedFunction is a function that was judged. What a text calls by name is
// judged more strictly than what is ambient, and that than what is planned.
type judgedFunction struct {
	oid string
	run runPostgres
}

// function refuses f, or admits it, or adds its body to what must be judged.
func (r *PostgresReach) function(f postgresFunction, via string, run runPostgres) error {
	key := judgedFunction{f.oid, run}
	if r.judged[key] {
		return nil
	}
	r.judged[key] = true
	aggregate := f.head == "" && f.language == "internal"
	compiled := f.language == "c" || f.language == "internal"
	switch {
	case run == planned && !f.immutable && f.language != "sql":
		return nil // the planner leaves it alone; a function in SQL it may put what that runs for
	case f.builtin:
		return f.judgeBuiltin(via)
	case f.extension != "" && compiled:
		return f.judgeExtension(via)
	case aggregate:
		return nil // its functions are judged beside it
	case f.language == "internal":
		return f.twinOf(via)
	case f.volatile && run == called:
		return f.refuse(via, "it is not declared STABLE or IMMUTABLE, so it may write")
	case f.language != "sql" && f.language != "plpgsql":
		return f.refuse(via, "what a function in the language "+replytext.Shown(f.language)+" does cannot be checked")
	}
	kind := bodyText
	if run == planned && !f.immutable {
		kind = plannedText
	}
	via = reached("the function "+f.name, via)
	for _, text := range []string{f.head, f.body} {
		tokens := sqltext.Significant(PostgresTokens(text))
		if word := runsText(tokens); text == f.body && word != "" {
			return f.refuse(via, "it has "+word+", and what that runs cannot be checked")
		}
		if err := r.add(sourcePostgres{tokens, via, kind, f.oid}, len(text)); err != nil {
			return err
		}
	}
	return nil
}

// twinOf judges a function that is another name for one of the server's own.
func (f postgresFunction) twinOf(via string) error {
	switch {
	case f.twin == "":
		return f.refuse(via, "what a function in the language internal does cannot be checked")
	case f.twinDoesMore:
		own := postgresFunction{name: f.twin}
		return own.judgeBuiltin(reached("the function "+f.name, via))
	}
	return nil
}

// runsText returns the word by which a function's body runs text made at run
// time, or something that no read-only transaction stops.
func runsText(tokens []sqltext.Token) string {
	for i, t := range tokens {
		if t.Is("EXECUTE") {
			return "EXECUTE"
		}
		starts := i == 0 || slices.ContainsFunc([]string{";", "BEGIN", "THEN", "ELSE", "LOOP"}, tokens[i-1].Is)
		for _, word := range []string{"COPY", "LOAD", "LISTEN", "NOTIFY", "CALL", "DO", "SET", "RESET", "PREPARE", "DEALLOCATE", "DISCARD", "LOCK", "UNLISTEN", "CHECKPOINT"} {
			if starts && t.Is(word) {
				return word
			}
		}
	}
	return ""
}

// harmlessVolatile are the server's functions that are volatile because what
// they tell changes, and that change nothing themselves.
var harmlessVolatile = strings.Fields(`amvalidate bernoulli clock_timestamp current_query currval gen_random_uuid lastval lo_get pg_blocking_pids pg_collation_actual_version
pg_control_checkpoint pg_control_init pg_control_recovery pg_control_system pg_current_wal_flush_lsn pg_current_wal_insert_lsn
pg_current_wal_lsn pg_database_collation_actual_version pg_database_size pg_get_backend_memory_contexts pg_get_sequence_data
pg_get_multixact_members pg_get_shmem_allocations pg_get_wal_replay_pause_state pg_get_wal_resource_managers pg_indexes_size
pg_is_in_recovery pg_is_wal_replay_paused pg_jit_available pg_last_committed_xact pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp
pg_lock_status pg_notification_queue_usage pg_partition_ancestors pg_partition_tree pg_prepared_xact pg_relation_size
pg_replication_origin_session_is_setup pg_safe_snapshot_blocking_pids pg_sequence_last_value pg_show_replication_origin_status pg_stat_get_recovery_prefetch
pg_stat_get_xact_blocks_fetched pg_stat_get_xact_blocks_hit pg_stat_get_xact_function_calls pg_stat_get_xact_function_self_time
pg_stat_get_xact_function_total_time pg_stat_get_xact_numscans pg_stat_get_xact_tuples_deleted pg_stat_get_xact_tuples_fetched
pg_stat_get_xact_tuples_hot_updated pg_stat_get_xact_tuples_inserted pg_stat_get_xact_tuples_newpage_updated
pg_stat_get_xact_tuples_returned pg_stat_get_xact_tuples_updated pg_stat_have_stats pg_table_size pg_tablespace_size
pg_total_relation_size pg_xact_commit_timestamp pg_xact_commit_timestamp_origin pg_xact_status random random_normal system timeofday
txid_status uuidv4 uuidv7`)

func (f postgresFunction) judgeBuiltin(via string) error {
	switch {
	case slices.Contains(harmlessVolatile, f.name):
		return nil
	case strings.Contains(f.name, "_to_xml"):
		return f.refuse(via, "it runs a query that cannot be checked")
	case strings.HasPrefix(f.name, "lo_") || f.name == "loread" || f.name == "lowrite":
		return f.refuse(via, "it works on large objects")
	case strings.Contains(f.name, "advisory_"):
		return f.refuse(via, "it takes or frees locks")
	case strings.HasPrefix(f.name, "pg_sleep"):
		return f.refuse(via, "it only waits")
	case strings.HasSuffix(f.name, "xact_id") || f.name == "txid_current":
		return f.refuse(via, "it takes a transaction number")
	}
	return f.refuse(via, "the server says that it is volatile: it does more than compute from what it is given")
}

// harmlessOfExtensions are volatile functions of extensions that change
// nothing.
var harmlessOfExtensions = map[string][]string{
	"pgcrypto": {"gen_random_bytes", "gen_random_uuid", "gen_salt", "pgp_pub_encrypt", "pgp_pub_encrypt_bytea",
		"pgp_sym_encrypt", "pgp_sym_encrypt_bytea"},
	"uuid-ossp":          {"uuid_generate_v1", "uuid_generate_v1mc", "uuid_generate_v4"},
	"pg_stat_statements": {"pg_stat_statements", "pg_stat_statements_info"},
	"pg_buffercache":     {"pg_buffercache_pages", "pg_buffercache_summary", "pg_buffercache_usage_counts"},
	"pgstattuple":        {"pg_relpages", "pgstatginindex", "pgstathashindex", "pgstatindex", "pgstattuple", "pgstattuple_approx"},
	"tablefunc":          {"normal_rand"},
	"tsm_system_rows":    {"system_rows"},
	"tsm_system_time":    {"system_time"},
}

// runTexts are extensions whose functions run texts that they are given,
// whatever they are declared.
var runTexts = []string{"tablefunc", "xml2", "dblink"}

func (f postgresFunction) judgeExtension(via string) error {
	switch {
	case slices.Contains(harmlessOfExtensions[f.extension], f.name):
		return nil
	case slices.Contains(runTexts, f.extension):
		return f.refuse(via, "functions of the extension "+f.extension+" run queries that cannot be checked")
	case f.volatile:
		return f.refuse(via, "the extension "+replytext.Shown(f.extension)+" says that it is volatile")
	}
	return nil
}

func (f postgresFunction) refuse(via, why string) *Refusal {
	if via != "" {
		return Refuse("function", "%s is not run, and %s would run it: %s", replytext.Shown(replytext.Cut(f.name, 200)), replytext.Shown(replytext.Cut(via, 200)), why)
	}
	return Refuse("function", "%s is not run: %s", replytext.Shown(replytext.Cut(f.name, 200)), why)
}
