-- Which program asked for a step, as it calls itself; '': not known, or the page.
ALTER TABLE steps ADD COLUMN client TEXT NOT NULL DEFAULT '';
