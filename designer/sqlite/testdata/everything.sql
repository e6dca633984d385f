-- Everything SQLite lets a schema say, oddly written. The definition expected
-- of it is everything.json.

CREATE TABLE plain (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL DEFAULT 'it''s; -- not a comment');

/* composite key in another order than the columns, no rowid, strict */
CREATE TABLE grid (
    x INT NOT NULL, -- a comment, with a comma and a ) in it
    y INTEGER NOT NULL,
    "the value" ANY,
    CONSTRAINT grid_key PRIMARY KEY (y DESC, x)
) WITHOUT ROWID, STRICT;

CREATE TABLE types (
    a VARCHAR(20), b decimal(10, 2), c DECIMAL(10), d, e double   precision,
    f UNSIGNED BIG INT, g FLOAT(5,0), h "odd type"(3), i NVARCHAR ( 160 ), j integer(11), k char varying(9),
    l NUMERIC(-3, +4), m int GENERATED ALWAYS AS (a || ')') STORED, n text always, o INT(5) AS (1)
);

CREATE TABLE defaults (
    a INTEGER DEFAULT 1, b DEFAULT -1.5e3, c DEFAULT (1 + (2)), d DEFAULT word, e DEFAULT "quo""ted",
    f DEFAULT TRUE, g DEFAULT NULL, h DEFAULT CURRENT_TIMESTAMP, i DEFAULT x'00ff', j DEFAULT ( /* inside */ 'x' ),
    k TEXT NULL DEFAULT '' COLLATE nocase CONSTRAINT dangling, l DEFAULT + 3
);

CREATE TABLE generated (
    net INTEGER NOT NULL,
    vat INTEGER AS (net * 19 / 100),
    gross INTEGER GENERATED ALWAYS AS (net + (vat)) STORED NOT NULL,
    bare GENERATED ALWAYS AS (net) VIRTUAL
);

CREATE TABLE checks (
    a INTEGER CHECK (a > 0) CONSTRAINT even CHECK (a % 2 = 0),
    b TEXT CONSTRAINT one UNIQUE ON CONFLICT IGNORE CHECK (b <> ')' AND length(b) < 10),
    c TEXT COLLATE NOCASE UNIQUE,
    CHECK (a <> 7), CONSTRAINT "both ""of"" them" CHECK (a > 0 OR b IS NOT NULL)
    UNIQUE (a, b) CONSTRAINT named UNIQUE (b, c COLLATE BINARY)
);

CREATE TABLE parent (p INTEGER, q TEXT, r TEXT UNIQUE, PRIMARY KEY (q, p));

CREATE TABLE child (
    id INTEGER PRIMARY KEY DESC NOT NULL,
    p INT, q TEXT,
    r TEXT REFERENCES parent(r) MATCH FULL ON DELETE SET NULL ON UPDATE CASCADE NOT NULL DEFERRABLE INITIALLY DEFERRED,
    self CONSTRAINT to_self REFERENCES child ON DELETE RESTRICT,
    gone INT CONSTRAINT to_nowhere REFERENCES nowhere(missing),
    gone2 INT REFERENCES nowhere,
    s TEXT REFERENCES "PARENT"("R") NOT DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (q, p) REFERENCES parent ON DELETE SET DEFAULT ON UPDATE NO ACTION DEFERRABLE,
    CONSTRAINT named_pair FOREIGN KEY ("q", [p]) REFERENCES parent (q, p) DEFERRABLE INITIALLY IMMEDIATE
);

CREATE TABLE [odd; name] ([a "b] INT, `back``tick` INT, "dou""ble" INT, 'str''ing' INT, "new
line" INT, κόσμος TEXT, "😀" TEXT, "select" INT, "--" INT, key INT, desc TEXT, "/*" INT, left INT, 'CHECK' INT,
    UNIQUE ([a "b], 'str''ing'), PRIMARY KEY ("😀", `back``tick`));

CREATE TABLE conflicts (
    code TEXT COLLATE NOCASE NOT NULL ON CONFLICT IGNORE NULL,
    part TEXT NOT NULL ON CONFLICT ABORT DEFAULT '-- no comment',
    a INT, b INT, UNIQUE (a, b), UNIQUE (a DESC, b) ON CONFLICT FAIL, UNIQUE (a, b COLLATE NOCASE),
    UNIQUE (code COLLATE BINARY, part) ON CONFLICT ROLLBACK,
    CONSTRAINT [the key] PRIMARY KEY (code COLLATE BINARY DESC, part COLLATE BINARY),
    CHECK (a > 0 -- or none
    ) ON CONFLICT REPLACE
);
CREATE TABLE numbered (id INTEGER, n INT, PRIMARY KEY (id DESC) ON CONFLICT REPLACE, UNIQUE (id));
CREATE TABLE not_rowid (id INTEGER PRIMARY KEY DESC ON CONFLICT FAIL, n INT DEFAULT (1 -- one
), m ANY DEFAULT (upper('a') /* A */), CHECK (n IN (1, 2)) CHECK (n <> 3)) STRICT;
CREATE TABLE strings (a INTEGER PRIMARY KEY NOT NULL, b TEXT CONSTRAINT 'quoted name' CHECK (b <> "not a column"));

CREATE UNIQUE INDEX plain_name ON plain (name COLLATE NOCASE DESC, id);
CREATE INDEX "partial ""index""" ON checks (a) WHERE b IS NOT NULL /* kept */ AND a > 1;
CREATE INDEX expressions ON plain (lower(name), length(name) + id DESC, name || ',' COLLATE RTRIM ASC, (id)) ;
CREATE INDEX [odd; index] ON [odd; name] ("κόσμος" , "--" DESC);
CREATE INDEX on_collated ON checks (c, c COLLATE BINARY);
create  unique
 index lower_case on generated (gross) where gross>0;

CREATE VIEW "the view" AS SELECT a AS "x y" FROM checks WHERE b = ';';
CREATE TRIGGER b_trigger AFTER INSERT ON plain BEGIN UPDATE plain SET name = 'x;' WHERE id = new.id; SELECT 1; END;
CREATE TRIGGER a_trigger BEFORE DELETE ON PLAIN BEGIN SELECT RAISE(ABORT, 'no'); END;
CREATE TRIGGER on_view INSTEAD OF INSERT ON "the view" BEGIN SELECT 1; END;
CREATE VIRTUAL TABLE search USING fts5(title, body);
CREATE VIRTUAL TABLE boxes USING rtree(id, minx, maxx);

CREATE TABLE altered (a INT);
ALTER TABLE altered RENAME TO "al tered";
ALTER TABLE "al tered" ADD COLUMN b TEXT DEFAULT 'x' CHECK (b <> '') REFERENCES plain(id);
ALTER TABLE "al tered" RENAME COLUMN a TO "A a";
CREATE TABLE copied AS SELECT id, name FROM plain;
CREATE TABLE without_everything (only);
CREATE VIEW broken AS SELECT missing FROM nowhere;
ANALYZE;
