-- The state of one project's designs. Everything an acknowledged edit changes
-- is written in one transaction: tables, steps, the design's row, state.

-- state has one row: what holds across designs.
CREATE TABLE state (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    event_seq INTEGER NOT NULL,          -- high-water mark of event numbers
    active    INTEGER REFERENCES designs -- the design shown last
) STRICT;

-- designs has one row for each connection ever shown. It stays small, for it
-- is rewritten by every commit: what is large lies in the tables below.
CREATE TABLE designs (
    id             INTEGER PRIMARY KEY,
    connection_id  TEXT NOT NULL UNIQUE,
    name           TEXT NOT NULL,
    server         TEXT NOT NULL,
    database       TEXT NOT NULL,
    default_schema TEXT NOT NULL,
    dialect        TEXT NOT NULL,
    version        TEXT NOT NULL,
    base_version   TEXT NOT NULL,    -- of the database as last adopted
    seen_version   TEXT NOT NULL,    -- of the database as last read; differs from base_version when drifted
    first_step     INTEGER NOT NULL, -- the oldest step kept
    top_step       INTEGER NOT NULL, -- the last step done; those above it are undone
    last_step      INTEGER NOT NULL  -- the newest step kept
) STRICT;

-- tables is the design as it stands.
CREATE TABLE tables (
    design INTEGER NOT NULL REFERENCES designs,
    id     TEXT NOT NULL,
    body   TEXT NOT NULL, -- JSON
    UNIQUE (design, id)
) STRICT;

-- base_tables is the database as last adopted, under the design's ids, so
-- that a rename is told from a drop and an add.
CREATE TABLE base_tables (
    design INTEGER NOT NULL REFERENCES designs,
    id     TEXT NOT NULL,
    body   TEXT NOT NULL, -- JSON
    UNIQUE (design, id)
) STRICT;

-- catalogs is what the database had, when last adopted, beside tables.
CREATE TABLE catalogs (
    design INTEGER PRIMARY KEY REFERENCES designs,
    body   TEXT NOT NULL -- JSON: schemas, views
) STRICT;

-- steps is the undo and redo stack, one row for each edit; seq has no gaps.
CREATE TABLE steps (
    design      INTEGER NOT NULL REFERENCES designs,
    seq         INTEGER NOT NULL,
    batch       TEXT NOT NULL,    -- edits of one call share it
    origin      TEXT NOT NULL,
    at          INTEGER NOT NULL, -- Unix time, milliseconds
    description TEXT NOT NULL,
    change      TEXT NOT NULL,    -- JSON: the tables touched, before and after
    UNIQUE (design, seq)
) STRICT;

-- page_keys holds what signed-in pages prove themselves with. The secret is
-- kept itself, not a digest: the instance proves that it knows it.
CREATE TABLE page_keys (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT, -- order of creation, whatever the clock did
    id      TEXT NOT NULL UNIQUE,
    secret  BLOB NOT NULL,
    created INTEGER NOT NULL -- Unix time, milliseconds
) STRICT;

INSERT INTO state (id, event_seq) VALUES (1, 0);
