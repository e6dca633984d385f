-- publishes has a row for each design whose plan is being made in its
-- database, or was when the process ended.
CREATE TABLE publishes (
    design  INTEGER PRIMARY KEY REFERENCES designs,
    plan    TEXT NOT NULL,    -- JSON: the plan, the tables it leads to
    started INTEGER NOT NULL, -- Unix time, milliseconds
    step    INTEGER NOT NULL, -- the step that was about to run, or len(plan) when all have
    before  TEXT NOT NULL     -- version of the database before that step; '' where it is one transaction
) STRICT;
