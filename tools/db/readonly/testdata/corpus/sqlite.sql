-- The database that the corpus of SQLite is made on.
CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y');
CREATE INDEX i ON t (b); CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT);
CREATE TABLE kinds (n REAL, d DATE DEFAULT CURRENT_DATE, j TEXT, bl BLOB, g INT AS (n * 2), "odd ""col""" INT, [select] TEXT) ; INSERT INTO kinds (n, d, j, bl, "odd ""col""", [select]) VALUES (1.5, '2024-02-29', '{"a":[1,2]}', x'00ff', 3, 'into');
CREATE TABLE strict (a INT, b ANY) STRICT; CREATE TABLE rowless (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO rowless VALUES ('k', 1);
CREATE VIEW v AS SELECT a, upper(b) AS big FROM t; CREATE VIEW v_over AS SELECT v.a, count(*) AS n FROM v JOIN t USING (a) GROUP BY 1;
CREATE VIEW v_loads AS SELECT load_extension('x') AS n; CREATE VIEW v_pragma AS SELECT name FROM pragma_table_info('t');
CREATE TRIGGER tr INSTEAD OF INSERT ON v BEGIN DELETE FROM t; END;
CREATE VIRTUAL TABLE f USING fts5(body); INSERT INTO f VALUES ('red fox'), ('blue cat');
CREATE VIRTUAL TABLE vocab USING fts5vocab(f, row);
CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); INSERT INTO r VALUES (1, 0, 1);
CREATE TABLE x_node (a); PRAGMA user_version = 7;
