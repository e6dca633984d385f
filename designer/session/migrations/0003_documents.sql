-- documents is what a page keeps with a design: where its tables lie, what a
-- person has looked at. None of it is part of the design.
CREATE TABLE documents (
    design  INTEGER NOT NULL REFERENCES designs,
    name    TEXT NOT NULL,
    counter INTEGER NOT NULL, -- how often it was written
    body    TEXT NOT NULL,    -- JSON
    UNIQUE (design, name)
) STRICT;
