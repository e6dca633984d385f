package schemas

import (
	"strconv"
	"strings"
)

var postgresShapes = []shape{
	{"enum", func(w *writer) {
		e := w.name("status")
		w.say("CREATE TYPE {e} AS ENUM ('new', 'paid', 'it''s late')", "e", e)
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, state {e} NOT NULL DEFAULT 'new'::{e}, past {e}[])", "e", e, "t", w.table())
	}},
	{"domain", func(w *writer) {
		d := w.name("year")
		w.say("CREATE DOMAIN {d} AS integer CONSTRAINT {d}_check CHECK (VALUE BETWEEN 1901 AND 2155)", "d", d)
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, released {d})", "d", d, "t", w.table())
	}},
	{"domains of domains", func(w *writer) {
		d := w.name("positive")
		w.say("CREATE DOMAIN {d} AS numeric(8,2) DEFAULT 1.5 NOT NULL CHECK (VALUE > 0)", "d", d)
		w.say("CREATE DOMAIN small_{d} AS {d} CONSTRAINT \"{d} small\" CHECK (VALUE < 100)", "d", d)
		w.say("CREATE DOMAIN {d}_code AS varchar(8) COLLATE \"C\" CHECK (VALUE ~ '^[a-z]+$')", "d", d)
		w.say("CREATE TABLE {t} (id small_{d} PRIMARY KEY, price small_{d} DEFAULT 7, code {d}_code UNIQUE, many {d}[], \"of\" {d})", "d", d, "t", w.table())
	}},
	{"composite type", func(w *writer) {
		c := w.name("place")
		w.say("CREATE TYPE {c} AS (street text, number integer)", "c", c)
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, home {c})", "c", c, "t", w.table())
	}},
	{"serial", func(w *writer) {
		w.say("CREATE TABLE {t} (id serial PRIMARY KEY, rank bigserial NOT NULL{columns})", "t", w.table(), "columns", w.columns(3))
	}},
	{"unlogged", func(w *writer) { // as dumps of before PostgreSQL 15 have it: the sequence is logged, the table is not
		t := w.table()
		w.say("CREATE UNLOGGED TABLE {t} (id bigint NOT NULL, CONSTRAINT {t}_pkey PRIMARY KEY (id)) WITH (fillfactor = 50)", "t", t)
		w.say("CREATE SEQUENCE {t}_id_seq OWNED BY {t}.id", "t", t)
		w.say("ALTER TABLE {t} ALTER COLUMN id SET DEFAULT nextval('{t}_id_seq')", "t", t)
	}},
	{"checks of a serial", func(w *writer) {
		t, child := w.table(), w.table()
		w.say("CREATE TABLE {t} (id serial PRIMARY KEY CHECK (id > 0), low integer, CONSTRAINT {t}_order CHECK (low < id OR id IN (1, 2)))", "t", t)
		w.say("CREATE TABLE {c} (id integer PRIMARY KEY, of integer REFERENCES {t} (id))", "c", child, "t", t)
	}},
	{"checks of all kinds", func(w *writer) {
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, a integer, b integer, n numeric(8,2), name text, code varchar(9), day date, at timestamp, {checks})",
			"t", w.table(), "checks", checks(
				"btrim(name, 'x') <> ''", "ltrim(name, 'x') <> ''", "substring(name, '^a') = 'a'", "substr(name, 2) <> ''", "substr(name, 2, 1) <> ''",
				"(a IS NULL) = (b IS NULL)", "CASE WHEN a > 0 THEN b > 0 ELSE b < 0 END", "CASE WHEN a > 0 THEN 1 ELSE 2 END < b", "NOT (a > 1 AND b > 1)",
				"coalesce(name) <> ''", "coalesce(a, b, 1) > 0", "a BETWEEN 1 AND 2 OR b IN (1, 2)", "day > '2000-01-01'", "name LIKE 'a%'", "-a < 0", "a % 2 = 0",
				"n % 2 = 0", "(a > 0) IS NOT NULL", "(a > b) > (b > 3)", "true", "coalesce(a > b, true)", "day + 1 < '2200-01-01'", "at - day < '1 day'",
				"replace(name, 'a', 'b') <> ''", "length(code) > 1", "nullif(a, b) > 0", "abs(a) > 0", "name IN ('a', 'b') = (a > 1)"))
	}},
	{"identity always", func(w *writer) {
		w.say("CREATE TABLE {t} (id integer GENERATED ALWAYS AS IDENTITY (START WITH 100 INCREMENT BY 5 CACHE 10) PRIMARY KEY{columns})", "t", w.table(), "columns", w.columns(3))
	}},
	{"inheritance", func(w *writer) {
		base, child := w.table(), w.table()
		w.say("CREATE TABLE {b} (id integer PRIMARY KEY, class integer NOT NULL, body text)", "b", base)
		w.say("CREATE TABLE {c} (extra text, CONSTRAINT {c}_class CHECK (class = 4)) INHERITS ({b})", "b", base, "c", child)
	}},
	{"inherited default", func(w *writer) {
		base, child := w.table(), w.table()
		w.say("CREATE TABLE {b} (id integer PRIMARY KEY, class integer NOT NULL)", "b", base)
		w.say("CREATE TABLE {c} (extra text) INHERITS ({b})", "b", base, "c", child)
		w.say("ALTER TABLE {c} ALTER COLUMN class SET DEFAULT 4", "c", child)
		w.say("ALTER TABLE {b} ADD COLUMN kind text DEFAULT 'x'", "b", base)
		w.say("ALTER TABLE {c} ALTER COLUMN kind DROP DEFAULT, ALTER COLUMN kind SET NOT NULL", "c", child)
	}},
	{"partitions", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id bigint NOT NULL, day date NOT NULL{columns}, PRIMARY KEY (id, day)) PARTITION BY RANGE (day)", "t", t, "columns", w.columns(3))
		for _, year := range []string{"2019", "2020", "2021"} {
			w.say("CREATE TABLE {t}_y{y} PARTITION OF {t} FOR VALUES FROM ('{y}-01-01') TO ('{y}-12-31')", "t", t, "y", year)
		}
		w.say("CREATE TABLE {t}_rest PARTITION OF {t} DEFAULT", "t", t)
		w.say("CREATE INDEX ix_{t} ON {t} (day)", "t", t)
		w.say("ALTER TABLE {t}_y2019 ALTER COLUMN day SET DEFAULT '2019-06-01', ALTER COLUMN day SET STATISTICS 10", "t", t)
		w.say("COMMENT ON COLUMN {t}_y2019.day IS 'of the first year'", "t", t)
	}},
	{"views", func(w *writer) {
		v, p := w.name("summary"), w.parent()
		w.say("CREATE VIEW {v} AS SELECT id, count(*) AS n FROM {p} GROUP BY id", "v", v, "p", p)
		w.say("CREATE VIEW {v}_above AS SELECT n FROM {v} WHERE n > 1", "v", v)
		w.say("CREATE MATERIALIZED VIEW {v}_kept AS SELECT id FROM {p}", "v", v, "p", p)
		w.say("CREATE UNIQUE INDEX ix_{v} ON {v}_kept (id)", "v", v)
	}},
	{"triggers", func(w *writer) {
		f, t := w.name("touch"), w.table()
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, changed timestamptz)", "t", t)
		w.say("CREATE FUNCTION {f}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.changed = now(); RETURN NEW; END $$", "f", f)
		w.say("CREATE TRIGGER {f} BEFORE UPDATE ON {t} FOR EACH ROW EXECUTE FUNCTION {f}()", "f", f, "t", t)
	}},
	{"functions", func(w *writer) {
		w.say("CREATE FUNCTION {f}(n integer, m integer DEFAULT 2) RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT n * m $$", "f", w.name("twice"))
		w.say("CREATE PROCEDURE {f}() LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; END $$", "f", w.name("tidy"))
	}},
	{"aggregate", func(w *writer) {
		a := w.name("joined")
		w.say("CREATE FUNCTION {a}_step(text, text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT coalesce($1 || ', ', '') || $2 $$", "a", a)
		w.say("CREATE AGGREGATE {a}(text) (SFUNC = {a}_step, STYPE = text)", "a", a)
		w.say("CREATE VIEW {a}_list AS SELECT {a}(id::text) AS ids FROM {p}", "a", a, "p", w.parent())
	}},
	{"operator", func(w *writer) {
		o := w.name("matches")
		w.say("CREATE FUNCTION {o}(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT $2 ~ $1 $$", "o", o)
		digits := strings.NewReplacer("0", "~", "1", "#").Replace(strconv.FormatInt(int64(w.number), 2))
		w.say("CREATE OPERATOR {d}<< (FUNCTION = {o}, LEFTARG = text, RIGHTARG = text)", "d", digits, "o", o)
		w.say("COMMENT ON OPERATOR {d}<< (text, text) IS 'the other way round'", "d", digits)
	}},
	{"operator class", func(w *writer) {
		o := w.name("reversed")
		w.say("CREATE FUNCTION {o}_order(integer, integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT $2 - $1 $$", "o", o)
		w.say("CREATE OPERATOR FAMILY {o} USING btree", "o", o)
		w.say("CREATE OPERATOR CLASS {o} FOR TYPE integer USING btree FAMILY {o} AS OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=, OPERATOR 5 <, FUNCTION 1 {o}_order(integer, integer)", "o", o)
		w.say("COMMENT ON OPERATOR CLASS {o} USING btree IS 'downwards'", "o", o)
	}},
	{"cast", func(w *writer) {
		c := w.name("berth")
		w.say("CREATE TYPE {c} AS (quay integer, place integer)", "c", c)
		w.say("CREATE FUNCTION {c}_of(integer) RETURNS {c} LANGUAGE sql IMMUTABLE AS $$ SELECT ROW($1, 1)::{c} $$", "c", c)
		w.say("CREATE CAST (integer AS {c}) WITH FUNCTION {c}_of(integer) AS ASSIGNMENT", "c", c)
		w.say("COMMENT ON CAST (integer AS {c}) IS 'the first place'", "c", c)
	}},
	{"foreign table", func(w *writer) {
		s := w.name("office")
		w.say("CREATE FOREIGN DATA WRAPPER {s}_wrapper", "s", s)
		w.say("CREATE SERVER {s} TYPE 'files' VERSION '2' FOREIGN DATA WRAPPER {s}_wrapper OPTIONS (host 'office', password 'x')", "s", s)
		w.say("CREATE USER MAPPING FOR CURRENT_USER SERVER {s} OPTIONS (password 'x')", "s", s)
		w.say("CREATE FOREIGN TABLE {s}_ships (id integer NOT NULL, name text OPTIONS (col 'n') DEFAULT 'none', CONSTRAINT named CHECK (name <> '')) SERVER {s} OPTIONS (file 'ships')", "s", s)
		w.say("COMMENT ON FOREIGN TABLE {s}_ships IS 'of the office'", "s", s)
		w.say("CREATE VIEW {s}_names AS SELECT name FROM {s}_ships", "s", s)
	}},
	{"publication", func(w *writer) {
		w.say("CREATE PUBLICATION {n} FOR TABLE {p} WITH (publish = 'insert, delete')", "n", w.name("changes"), "p", w.parent())
	}},
	{"event trigger", func(w *writer) {
		f := w.name("noticed")
		w.say("CREATE FUNCTION {f}() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN NULL; END $$", "f", f)
		w.say("CREATE EVENT TRIGGER {f} ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'DROP TABLE') EXECUTE FUNCTION {f}()", "f", f)
		w.say("ALTER EVENT TRIGGER {f} DISABLE", "f", f)
	}},
	{"collation", func(w *writer) {
		c := w.name("names")
		w.say("CREATE COLLATION {c} (provider = icu, locale = 'de-u-co-phonebk')", "c", c)
		w.say("COMMENT ON COLLATION {c} IS 'as in a telephone book'", "c", c)
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, name text COLLATE {c})", "t", w.table(), "c", c)
	}},
	{"rules", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, gone boolean)", "t", t)
		w.say("CREATE RULE kept AS ON DELETE TO {t} DO INSTEAD UPDATE {t} SET gone = true WHERE id = OLD.id", "t", t)
		w.say("COMMENT ON RULE kept ON {t} IS 'nothing goes'", "t", t)
	}},
	{"statistics targets", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, name text, kind text)", "t", t)
		w.say("ALTER TABLE {t} ALTER COLUMN name SET STATISTICS 500, ALTER COLUMN kind SET (n_distinct = 7)", "t", t)
		w.say("CREATE INDEX ix_{t} ON {t} (id, lower(name))", "t", t)
		w.say("ALTER INDEX ix_{t} ALTER COLUMN 2 SET STATISTICS 3000", "t", t)
		w.say("ALTER TABLE {t} CLUSTER ON ix_{t}", "t", t)
		w.say("CREATE STATISTICS st_{t} ON name, kind FROM {t}", "t", t)
		w.say("ALTER STATISTICS st_{t} SET STATISTICS 50", "t", t)
	}},
	{"typed table", func(w *writer) {
		c := w.name("cargo_type")
		w.say("CREATE TYPE {c} AS (weight integer, note text)", "c", c)
		w.say("COMMENT ON COLUMN {c}.weight IS 'in tons'", "c", c)
		w.say("CREATE TABLE {t} OF {c} (weight NOT NULL)", "c", c, "t", w.table())
	}},
	{"text search dictionary", func(w *writer) {
		d := w.name("stems")
		w.say("CREATE TEXT SEARCH DICTIONARY {d} (TEMPLATE = snowball, LANGUAGE = 'german', STOPWORDS = 'german')", "d", d)
		w.say("COMMENT ON TEXT SEARCH DICTIONARY {d} IS 'of words'", "d", d)
		w.say("CREATE TEXT SEARCH CONFIGURATION {d} (PARSER = \"default\")", "d", d)
		w.say("ALTER TEXT SEARCH CONFIGURATION {d} ADD MAPPING FOR word, asciiword WITH {d}, simple", "d", d)
	}},
	{"text search configuration", func(w *writer) {
		c, t := w.name("words"), w.table()
		w.say("CREATE TEXT SEARCH CONFIGURATION {c} (COPY = simple)", "c", c)
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, body text)", "t", t)
		w.say("CREATE INDEX ix_{t} ON {t} USING gin (to_tsvector('{c}', body))", "c", c, "t", t)
	}},
	{"indexes", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, name text, lines text[], seen timestamptz, gone boolean, words tsvector)", "t", t)
		w.say("CREATE INDEX ix_{t}_part ON {t} (name) WHERE (gone IS FALSE)", "t", t)
		w.say("CREATE UNIQUE INDEX ix_{t}_lower ON {t} (lower(name), ((id + 1)))", "t", t)
		w.say("CREATE INDEX ix_{t}_order ON {t} (seen DESC NULLS LAST, id) INCLUDE (gone)", "t", t)
	}},
	{"index methods", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, name text, lines text[], seen timestamptz, words tsvector)", "t", t)
		w.say("CREATE INDEX ix_{t}_lines ON {t} USING gin (lines)", "t", t)
		w.say("CREATE INDEX ix_{t}_words ON {t} USING gist (words)", "t", t)
		w.say("CREATE INDEX ix_{t}_seen ON {t} USING brin (seen)", "t", t)
		w.say("CREATE INDEX ix_{t}_name ON {t} (name text_pattern_ops)", "t", t)
	}},
	{"comments", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, name text)", "t", t)
		w.say("COMMENT ON TABLE {t} IS 'What the harbour''s office knows'", "t", t)
		w.say("COMMENT ON COLUMN {t}.name IS 'as it is written on the bow'", "t", t)
	}},
	{"wide", func(w *writer) {
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY{columns})", "t", w.table(), "columns", w.columns(120))
	}},
	{"composite key", writeCompositeKey},
	{"self-reference", writeSelfReference},
	{"row security", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id integer PRIMARY KEY, owner text)", "t", t)
		w.say("ALTER TABLE {t} ENABLE ROW LEVEL SECURITY", "t", t)
		w.say("CREATE POLICY own_{t} ON {t} USING (owner = current_user)", "t", t)
	}},
	{"schema", func(w *writer) {
		s := w.name("archive")
		w.say("CREATE SCHEMA {s}", "s", s)
		w.say("COMMENT ON SCHEMA {s} IS 'what is old'", "s", s)
		w.say("CREATE TABLE {s}.{t} (id integer PRIMARY KEY, other bigint REFERENCES {p} (id))", "s", s, "t", w.table(), "p", w.parent())
	}},
}

// writeCompositeKey writes a key of two columns and a table that refers to it.
func writeCompositeKey(w *writer) {
	a, b := w.table(), w.table()
	w.say("CREATE TABLE {a} (shop integer NOT NULL, number integer NOT NULL, name varchar(40), PRIMARY KEY (number, shop))", "a", a)
	w.say("CREATE TABLE {b} (id integer PRIMARY KEY, shop integer, number integer, CONSTRAINT fk_{b} FOREIGN KEY (number, shop) REFERENCES {a} (number, shop) ON DELETE SET NULL)", "a", a, "b", b)
}

// writeSelfReference writes a tree.
func writeSelfReference(w *writer) {
	w.say("CREATE TABLE {t} (id integer PRIMARY KEY, above integer, CONSTRAINT fk_{t} FOREIGN KEY (above) REFERENCES {t} (id))", "t", w.table())
}
