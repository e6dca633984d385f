CREATE TABLE authors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL COLLATE NOCASE,
    "e mail" VARCHAR(120) UNIQUE,
    born DATE DEFAULT '1970-01-01',
    rating REAL NOT NULL DEFAULT 1.5,
    debt DECIMAL(12,4) DEFAULT -1,
    photo BLOB DEFAULT x'00ff',
    seen TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    token TEXT DEFAULT (lower(hex(randomblob(4)))),
    "order" INT DEFAULT 0,
    CONSTRAINT authors_name_ck CHECK (length(name) > 0),
    CHECK (rating BETWEEN 0 AND 10),
    CONSTRAINT authors_name_born_uq UNIQUE (name, born)
);

CREATE TABLE kinds (
    code CHAR(3) NOT NULL PRIMARY KEY,
    title NVARCHAR(60) NOT NULL
) WITHOUT ROWID;

CREATE TABLE strictly (
    id INTEGER PRIMARY KEY,
    n INT NOT NULL,
    t TEXT,
    a ANY,
    r REAL
) STRICT;

CREATE TABLE both (
    a INTEGER NOT NULL,
    b TEXT NOT NULL,
    PRIMARY KEY (b, a)
) STRICT, WITHOUT ROWID;

CREATE TABLE books (
    id INTEGER PRIMARY KEY,
    author_id INT NOT NULL CONSTRAINT books_author_fk REFERENCES authors (id) ON DELETE CASCADE ON UPDATE SET NULL,
    kind CHAR(3) DEFAULT 'nov' REFERENCES kinds ON DELETE SET DEFAULT,
    sequel_to INT REFERENCES books (id) DEFERRABLE INITIALLY DEFERRED,
    both_a INT,
    both_b TEXT,
    title VARCHAR(200) NOT NULL,
    price NUMERIC(10,2) NOT NULL DEFAULT 0,
    copies INT NOT NULL DEFAULT (1 + 1),
    worth NUMERIC(20,2) GENERATED ALWAYS AS (price * copies) STORED,
    label TEXT AS (title || ' #' || id) VIRTUAL,
    "the [odd] ""name""" TEXT,
    untyped,
    CONSTRAINT books_both_fk FOREIGN KEY (both_b, both_a) REFERENCES both (b, a) ON UPDATE RESTRICT DEFERRABLE INITIALLY IMMEDIATE
);

CREATE INDEX books_author_ix ON books (author_id, title COLLATE NOCASE DESC);

CREATE UNIQUE INDEX books_title_ux ON books (title) WHERE price > 0 AND title <> 'a where b';

CREATE INDEX books_lower_ix ON books (lower(title), price);

CREATE TABLE "select" (
    "from" INTEGER PRIMARY KEY,
    "Group By" TEXT
);

CREATE TABLE log (line TEXT, at DATETIME DEFAULT (datetime('now')));

CREATE VIEW expensive AS SELECT b.id, b.title, a.name AS author FROM books b JOIN authors a ON a.id = b.author_id WHERE b.price > 50;

CREATE VIEW expensive_titles (t) AS SELECT title FROM expensive;

CREATE TRIGGER books_ai AFTER INSERT ON books BEGIN
    INSERT INTO log (line) VALUES ('new; ' || NEW.title);
    UPDATE authors SET rating = rating + 1 WHERE id = NEW.author_id;
END;

CREATE TRIGGER books_bd BEFORE DELETE ON books WHEN OLD.price > 100 BEGIN
    SELECT RAISE(ABORT, 'too dear');
END;

CREATE TRIGGER expensive_ii INSTEAD OF INSERT ON expensive BEGIN
    INSERT INTO books (author_id, title, price) VALUES (1, NEW.title, 51);
END;
