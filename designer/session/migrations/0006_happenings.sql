-- happenings is what was done to a design that no step says: that steps were
-- undone or redone, that it was published, that its database was read again.
CREATE TABLE happenings (
    design INTEGER NOT NULL REFERENCES designs,
    seq    INTEGER NOT NULL, -- number of its event
    body   TEXT NOT NULL,    -- JSON
    UNIQUE (design, seq)
) STRICT;
