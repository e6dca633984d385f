package schemas

var sqliteShapes = []shape{
	{"autoincrement", func(w *writer) {
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY AUTOINCREMENT{columns})", "t", w.table(), "columns", w.columns(3))
	}},
	{"check of the rowid", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0), above INTEGER REFERENCES {t} (id), CHECK (above < id))", "t", t)
	}},
	{"collation", func(w *writer) {
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, url LONGVARCHAR UNIQUE)", "t", w.table())
	}},
	{"on conflict", func(w *writer) {
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY, name TEXT, UNIQUE (name) ON CONFLICT REPLACE)", "t", w.table())
	}},
	{"strict", func(w *writer) {
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, data ANY) STRICT", "t", w.table())
	}},
	{"without rowid", func(w *writer) {
		w.say("CREATE TABLE {t} (scope TEXT NOT NULL, name TEXT NOT NULL, value TEXT, PRIMARY KEY (scope, name DESC)) WITHOUT ROWID", "t", w.table())
	}},
	{"generated columns", func(w *writer) {
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY, price REAL, pieces INTEGER, total REAL GENERATED ALWAYS AS (price * pieces) STORED, half REAL AS (price / 2))", "t", w.table())
	}},
	{"indexes", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY, name TEXT, gone BOOLEAN)", "t", t)
		w.say("CREATE INDEX ix_{t}_part ON {t} (name DESC) WHERE gone = 0", "t", t)
		w.say("CREATE UNIQUE INDEX ix_{t}_lower ON {t} (lower(name), id)", "t", t)
		w.say("CREATE INDEX ix_{t}_coll ON {t} (name COLLATE RTRIM)", "t", t)
	}},
	{"full text", func(w *writer) {
		w.say("CREATE VIRTUAL TABLE {v} USING fts5 (title, body, tokenize = 'porter')", "v", w.name("words"))
	}},
	{"views", func(w *writer) {
		v := w.name("summary")
		w.say("CREATE VIEW {v} AS SELECT id, count(*) AS n FROM {p} GROUP BY id", "v", v, "p", w.parent())
		w.say("CREATE VIEW {v}_above AS SELECT n FROM {v} WHERE n > 1", "v", v)
	}},
	{"triggers", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY, changed DATETIME)", "t", t)
		w.say("CREATE TRIGGER touch_{t} AFTER INSERT ON {t} BEGIN UPDATE {t} SET changed = datetime('now') WHERE id = NEW.id; END", "t", t)
	}},
	{"wide", func(w *writer) {
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY{columns})", "t", w.table(), "columns", w.columns(120))
	}},
	{"checks", func(w *writer) {
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY, low INTEGER CHECK (low > 0), high INTEGER, CONSTRAINT ck_{t} CHECK (low < high))", "t", w.table())
	}},
	{"checks of all kinds", func(w *writer) { // and no type is enforced
		t := w.table()
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name TEXT, day DATE, n NUMERIC(8,2), data BLOB, r REAL, untyped, "+
			"positive INTEGER AS (a > 0) STORED, total TEXT AS (a + b) STORED, {checks})",
			"t", t, "checks", checks(
				"a", "NOT a", "a + b", "1", "a > 0 AND b", "(a > 0) + (b > 0) = 1", "length(a) > 0", "name > 5", "day > 0", "day > '2000-01-01'", "day + 1 > 0",
				"substr(name, 1) <> ''", "coalesce(name, 0)", "a = TRUE", "a || b <> ''", "a IN ('x', 1)", "trim(name, 'x') <> ''", "ltrim(name, 'x') <> ''",
				"abs(name) > 0", "CASE WHEN a THEN b ELSE name END", "length(data) > 2", "data > 5", "upper(n) <> ''", "r % 2 > 1", "name % 2 = 0", "a > ''", "a IS b",
				"a IS NOT 3", "untyped > 3", "name LIKE 5", "-name < 0", "name IN (1, 2)", "(a > 0) = (b > 0)", "a < b = b < 3", "nullif(a, 'x') > 0"))
		w.say("CREATE INDEX ix_{t}_some ON {t} (b) WHERE a", "t", t)
		w.say("CREATE INDEX ix_{t}_true ON {t} (a > 0, length(a))", "t", t)
	}},
	{"composite key", writeCompositeKey},
	{"self-reference", writeSelfReference},
	{"deferred key", func(w *writer) {
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY, other INTEGER REFERENCES {p} DEFERRABLE INITIALLY DEFERRED)", "t", w.table(), "p", w.parent())
	}},
}
