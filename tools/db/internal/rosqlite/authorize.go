package rosqlite

import (
	"strings"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// authorize is the callback SQLite asks about each action of a statement it
// compiles.
func authorize(_ *libc.TLS, _ uintptr, action int32, a, b, _, _ uintptr) int32 {
	// What reads is most of what is asked, and its names do not matter.
	if reads(action) || allowed(action, libc.GoString(a), libc.GoString(b)) {
		return sqlite3.SQLITE_OK
	}
	return sqlite3.SQLITE_DENY
}

// reads reports whether an action reads, whatever it is given.
func reads(action int32) bool {
	return action == sqlite3.SQLITE_SELECT || action == sqlite3.SQLITE_READ || action == sqlite3.SQLITE_RECURSIVE
}

// allowed has the rules for all other actions. What it does not know it refuses: ATTACH, DETACH,
// every CREATE, DROP and ALTER, REINDEX, ANALYZE, transactions, savepoints
// and whatever SQLite will have next. a and b are the action's arguments as
// sqlite3_set_authorizer's documentation lists them.
func allowed(action int32, a, b string) bool {
	switch action {
	case sqlite3.SQLITE_FUNCTION:
		return !UnsafeFunction(b)
	case sqlite3.SQLITE_PRAGMA:
		return ReadsPragma(a, b != "")
	case sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE:
		return isTreeShadow(a)
	}
	return false
}

// isTreeShadow reports the tables of an R*Tree, whose module compiles its
// writing statements before it answers a reading one. They cannot run: the
// file is open for reading only, and a statement of the caller that writes is
// refused as a whole.
func isTreeShadow(table string) bool {
	return strings.HasSuffix(table, "_node") || strings.HasSuffix(table, "_rowid") || strings.HasSuffix(table, "_parent")
}

// UnsafeFunction reports SQL functions that reach beyond the database, in
// this build or in the sqlite3 shell that people copy queries from.
func UnsafeFunction(name string) bool {
	switch strings.ToLower(name) {
	case "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "lsdir", "lsmode", "fsdir",
		"sqlite_log", "sqlite_rename_table", "sqlite_rename_column", "sqlite_rename_test",
		"sqlite_drop_column", "sqlite_rename_quotefix":
		return true
	}
	return false
}

// ReadsPragma reports whether a pragma only tells something. With withValue it
// was given an argument, which few may have: to most it is an order. Not all
// that could tell are here: SQLite does not call journal_mode read-only, even
// without a value.
func ReadsPragma(name string, withValue bool) bool {
	switch strings.ToLower(name) {
	case "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
		"foreign_key_list", "foreign_key_check", "integrity_check", "quick_check":
		return true
	case "database_list", "collation_list", "function_list", "module_list", "pragma_list", "compile_options",
		"encoding", "page_size", "page_count", "freelist_count", "user_version", "application_id", "schema_version",
		"data_version", "auto_vacuum", "foreign_keys", "query_only", "max_page_count", "cache_size",
		"synchronous", "locking_mode", "busy_timeout", "temp_store",
		"analysis_limit", "automatic_index", "cache_spill", "cell_size_check", "checkpoint_fullfsync", "defer_foreign_keys", "fullfsync",
		"hard_heap_limit", "ignore_check_constraints", "journal_size_limit", "legacy_alter_table", "mmap_size", "read_uncommitted",
		"recursive_triggers", "reverse_unordered_selects", "secure_delete", "soft_heap_limit", "threads", "trusted_schema", "wal_autocheckpoint":
		return !withValue
	}
	return false
}
