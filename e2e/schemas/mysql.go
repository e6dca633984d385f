package schemas

var mysqlShapes = []shape{
	{"enum", func(w *writer) {
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, state enum('new','paid','it''s late') NOT NULL DEFAULT 'new', flags set('a','b','c'))", "t", w.table())
	}},
	{"auto increment", func(w *writer) {
		w.say("CREATE TABLE {t} (id int unsigned NOT NULL AUTO_INCREMENT{columns}, PRIMARY KEY (id)) AUTO_INCREMENT=1000", "t", w.table(), "columns", w.columns(3))
	}},
	{"on update", func(w *writer) {
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, seen timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp())", "t", w.table())
	}},
	{"prefix lengths", func(w *writer) {
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, title varchar(300), body text, UNIQUE KEY by_title (title(50)), KEY by_both (id, body(20)))", "t", w.table())
	}},
	{"fulltext", func(w *writer) {
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, title varchar(200), body text, FULLTEXT KEY words (title, body))", "t", w.table())
	}},
	{"collation", func(w *writer) {
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, name varchar(40), code varchar(10) CHARACTER SET ascii COLLATE ascii_bin) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci", "t", w.table())
	}},
	{"binary collation", func(w *writer) {
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, page varbinary(255) NOT NULL) CHARACTER SET binary", "t", w.table())
	}},
	{"partitions", func(w *writer) {
		w.say("CREATE TABLE {t} (id int NOT NULL, day date NOT NULL, PRIMARY KEY (id, day)) PARTITION BY RANGE (year(day)) (PARTITION p19 VALUES LESS THAN (2020), PARTITION rest VALUES LESS THAN MAXVALUE)", "t", w.table())
	}},
	{"generated columns", func(w *writer) {
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, price decimal(10,2), pieces int, total decimal(12,2) AS (price * pieces) STORED, KEY by_total (total))", "t", w.table())
	}},
	{"views", func(w *writer) {
		v := w.name("summary")
		w.say("CREATE VIEW {v} AS SELECT id, count(*) AS n FROM {p} GROUP BY id", "v", v, "p", w.parent())
		w.say("CREATE VIEW {v}_above AS SELECT n FROM {v} WHERE n > 1", "v", v)
	}},
	{"triggers", func(w *writer) {
		t := w.table()
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, changed datetime)", "t", t)
		w.say("CREATE TRIGGER touch_{t} BEFORE UPDATE ON {t} FOR EACH ROW SET NEW.changed = now()", "t", t)
	}},
	{"routines", func(w *writer) {
		w.say("CREATE FUNCTION {f}(n int) RETURNS int DETERMINISTIC RETURN n * 2", "f", w.name("twice"))
		w.say("CREATE PROCEDURE {f}() BEGIN SELECT 1; END", "f", w.name("tidy"))
	}},
	{"comments", func(w *writer) {
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, name varchar(40) COMMENT 'as it is written on the bow') COMMENT 'What the harbour''s office knows'", "t", w.table())
	}},
	{"wide", func(w *writer) {
		w.say("CREATE TABLE {t} (id int PRIMARY KEY{columns})", "t", w.table(), "columns", w.columns(120))
	}},
	{"checks", func(w *writer) {
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, low int, high int, CONSTRAINT ck_{t} CHECK (low < high))", "t", w.table())
	}},
	{"checks of all kinds", func(w *writer) { // without a boolean, everything is a number
		w.say("CREATE TABLE {t} (id int PRIMARY KEY, a int, b int, name varchar(20), code varchar(9), day date, f double, bits bit(3), {checks}, "+
			"positive int AS (a > 0) STORED, words varchar(20) AS (a) STORED, total int AS (a + b) STORED, long_name int AS (char_length(name)) STORED)",
			"t", w.table(), "checks", checks(
				"a", "NOT a", "a AND b", "a > 0 + (b > 0)", "code > 5", "lower(a) <> 'x'", "day > 20000101", "coalesce(name, 0) <> 0", "abs(code) > 1",
				"char_length(a) > 0", "name = a", "a > '5'", "a > 'x'", "day > '2000-01-01'", "day > ''", "replace(name, 'a', a) <> ''", "nullif(name, a) > 0",
				"(a > 0) = (b > 0)", "a IN (1, 'x')", "CASE a WHEN 1 THEN b ELSE 'x' END > 0", "CASE WHEN a THEN b ELSE 1 END", "a BETWEEN '1' AND 2",
				"name LIKE a", "-name < 0", "name % 2 = 0", "f % 2 > 0", "day + 1 > 0", "a IS NULL = 0", "substr(name, 2) <> ''", "mid(name, a, b) <> ''", "bits > 1", "1"))
	}},
	{"composite key", writeCompositeKey},
	{"self-reference", writeSelfReference},
}
