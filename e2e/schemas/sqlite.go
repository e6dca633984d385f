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
	{"composite key", writeCompositeKey},
	{"self-reference", writeSelfReference},
	{"deferred key", func(w *writer) {
		w.say("CREATE TABLE {t} (id INTEGER PRIMARY KEY, other INTEGER REFERENCES {p} DEFERRABLE INITIALLY DEFERRED)", "t", w.table(), "p", w.parent())
	}},
}
