-- The database of 18-sqlite.md.
CREATE TABLE owners (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email VARCHAR(200) NOT NULL UNIQUE
);
CREATE TABLE boats (
  id INTEGER PRIMARY KEY,
  owner_id INTEGER NOT NULL REFERENCES owners (id) ON DELETE RESTRICT,
  name TEXT NOT NULL CHECK (name <> ''),
  length_m DECIMAL(5, 2)
);
CREATE INDEX boats_owner ON boats (owner_id);
CREATE TABLE moorings (boat_id INTEGER REFERENCES berths (id));
