-- Who made a step, and which steps it took back: of designs that a team
-- shares, else both are ''. Such a design has a document "team".
ALTER TABLE steps ADD COLUMN author TEXT NOT NULL DEFAULT '';
ALTER TABLE steps ADD COLUMN undoes TEXT NOT NULL DEFAULT ''; -- numbers of steps, divided by commas
