-- A small port authority: who calls, where they lie, what they carry and what they owe.
-- Sample data of the berth project, made for its demo and tests.

CREATE TABLE country (
  code TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  CHECK (length(code) = 2)
) WITHOUT ROWID;

CREATE TABLE company (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  country_code TEXT NOT NULL REFERENCES country (code),
  vat_number VARCHAR(20),
  kind TEXT NOT NULL DEFAULT 'shipping' CHECK (kind IN ('shipping', 'agency', 'chandler')),
  UNIQUE (name, country_code)
);

CREATE TABLE vessel (
  imo INTEGER PRIMARY KEY,
  name TEXT NOT NULL COLLATE NOCASE,
  flag TEXT NOT NULL REFERENCES country (code),
  owner_id INTEGER NOT NULL REFERENCES company (id),
  length_m DECIMAL(6,2) NOT NULL,
  beam_m DECIMAL(5,2) NOT NULL,
  gross_tonnage INTEGER NOT NULL,
  footprint_m2 DECIMAL(10,2) GENERATED ALWAYS AS (length_m * beam_m) VIRTUAL
);
CREATE INDEX ix_vessel_owner ON vessel (owner_id);
CREATE INDEX ix_vessel_name ON vessel (lower(name));

CREATE TABLE quay (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  depth_m DECIMAL(4,1) NOT NULL
);

CREATE TABLE mooring (
  quay_id INTEGER NOT NULL REFERENCES quay (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  length_m DECIMAL(6,2) NOT NULL,
  shore_power BOOLEAN NOT NULL DEFAULT 0,
  PRIMARY KEY (quay_id, position)
);

CREATE TABLE pilot (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  licence TEXT NOT NULL UNIQUE,
  active BOOLEAN NOT NULL DEFAULT 1
);

CREATE TABLE port_call (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  vessel_imo INTEGER NOT NULL REFERENCES vessel (imo),
  agent_id INTEGER REFERENCES company (id) ON DELETE SET NULL,
  quay_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  pilot_id INTEGER REFERENCES pilot (id),
  arrived_at DATETIME NOT NULL,
  left_at DATETIME,
  CHECK (left_at IS NULL OR left_at > arrived_at),
  CONSTRAINT fk_port_call_mooring FOREIGN KEY (quay_id, position)
    REFERENCES mooring (quay_id, position) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX ix_port_call_vessel ON port_call (vessel_imo, arrived_at DESC);
CREATE INDEX ix_port_call_open ON port_call (quay_id, position) WHERE left_at IS NULL;

CREATE TABLE cargo_kind (
  code TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  hazardous BOOLEAN NOT NULL DEFAULT 0
);

CREATE TABLE consignment (
  id INTEGER PRIMARY KEY,
  port_call_id INTEGER NOT NULL REFERENCES port_call (id) ON DELETE CASCADE,
  cargo_code TEXT NOT NULL REFERENCES cargo_kind (code),
  direction TEXT NOT NULL CHECK (direction IN ('in', 'out')),
  tonnes DECIMAL(9,3) NOT NULL,
  consignee_id INTEGER REFERENCES company (id)
);
CREATE INDEX ix_consignment_call ON consignment (port_call_id);

CREATE TABLE tariff (
  cargo_code TEXT NOT NULL REFERENCES cargo_kind (code),
  valid_from DATE NOT NULL,
  cents_per_tonne INTEGER NOT NULL,
  PRIMARY KEY (cargo_code, valid_from)
) WITHOUT ROWID;

CREATE TABLE invoice (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  port_call_id INTEGER NOT NULL UNIQUE REFERENCES port_call (id),
  debtor_id INTEGER NOT NULL REFERENCES company (id),
  issued_on DATE NOT NULL,
  total_cents BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE payment (
  id INTEGER PRIMARY KEY,
  invoice_id INTEGER NOT NULL REFERENCES invoice (id),
  received_on DATE NOT NULL,
  cents BIGINT NOT NULL CHECK (cents > 0)
);

CREATE VIEW occupied_mooring AS
  SELECT c.quay_id, c.position, v.name AS vessel, c.arrived_at
  FROM port_call c JOIN vessel v ON v.imo = c.vessel_imo
  WHERE c.left_at IS NULL;

CREATE TRIGGER invoice_total AFTER INSERT ON consignment
BEGIN
  UPDATE invoice SET total_cents = total_cents + CAST(NEW.tonnes * 100 AS INTEGER)
  WHERE port_call_id = NEW.port_call_id;
END;

INSERT INTO country (code, name) VALUES
  ('DK', 'Denmark'), ('NO', 'Norway'), ('PT', 'Portugal'), ('PA', 'Panama'), ('MT', 'Malta'), ('NL', 'Netherlands');
INSERT INTO company (name, country_code, vat_number, kind) VALUES
  ('Fjordline Bulk', 'NO', 'NO912345678', 'shipping'), ('Tejo Navegação', 'PT', 'PT501234567', 'shipping'),
  ('Kattegat Agency', 'DK', 'DK12345674', 'agency'), ('Zuider Agenturen', 'NL', NULL, 'agency'),
  ('Harbour Chandlers', 'DK', 'DK87654321', 'chandler');
INSERT INTO quay (id, name, depth_m) VALUES (1, 'North quay', 9.5), (2, 'Grain quay', 11), (3, 'Old basin', 5.2);
INSERT INTO mooring (quay_id, position, length_m, shore_power)
  WITH RECURSIVE p (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM p WHERE n < 4)
  SELECT quay.id, p.n, 90 + 25 * p.n, p.n % 2 FROM quay, p;
INSERT INTO pilot (id, name, licence) VALUES
  (1, 'Ingrid Dahl', 'P-104'), (2, 'Rui Matos', 'P-221'), (3, 'Søren Holm', 'P-230');
INSERT INTO cargo_kind (code, title, hazardous) VALUES
  ('GRN', 'Grain', 0), ('TIM', 'Timber', 0), ('FUE', 'Fuel oil', 1), ('CTR', 'Containers', 0);
INSERT INTO tariff (cargo_code, valid_from, cents_per_tonne) VALUES
  ('GRN', '2026-01-01', 95), ('TIM', '2026-01-01', 120), ('FUE', '2026-01-01', 310), ('CTR', '2026-01-01', 180), ('GRN', '2026-07-01', 99);
INSERT INTO vessel (imo, name, flag, owner_id, length_m, beam_m, gross_tonnage)
  WITH RECURSIVE v (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM v WHERE n < 24)
  SELECT 9100000 + 137 * n,
         CASE n % 4 WHEN 0 THEN 'Nordlys ' WHEN 1 THEN 'Alma ' WHEN 2 THEN 'Estrela ' ELSE 'Havfrue ' END || n,
         CASE n % 3 WHEN 0 THEN 'PA' WHEN 1 THEN 'NO' ELSE 'MT' END,
         1 + n % 2, 80 + 3.5 * n, 12 + 0.4 * n, 1500 + 410 * n
  FROM v;
INSERT INTO port_call (vessel_imo, agent_id, quay_id, position, pilot_id, arrived_at, left_at)
  WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 180)
  SELECT 9100000 + 137 * (1 + n % 24), 3 + n % 2, 1 + n % 3, 1 + n % 4, 1 + n % 3,
         datetime('2026-03-01 04:00', (n * 19) || ' hours'),
         CASE WHEN n > 172 THEN NULL ELSE datetime('2026-03-01 04:00', (n * 19 + 31) || ' hours') END
  FROM c;
INSERT INTO invoice (port_call_id, debtor_id, issued_on)
  SELECT id, agent_id, date(left_at, '+2 days') FROM port_call WHERE left_at IS NOT NULL;
INSERT INTO consignment (port_call_id, cargo_code, direction, tonnes, consignee_id)
  SELECT c.id, k.code, CASE (c.id + length(k.title)) % 2 WHEN 0 THEN 'in' ELSE 'out' END,
         120 + (c.id * 37 + length(k.title) * 11) % 900 + 0.125, 1 + c.id % 5
  FROM port_call c JOIN cargo_kind k ON (c.id + length(k.title)) % 3 = 0;
INSERT INTO payment (invoice_id, received_on, cents)
  SELECT id, date(issued_on, '+21 days'), total_cents FROM invoice WHERE total_cents > 0 AND id % 5 <> 0;
