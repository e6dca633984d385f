-- The chandler's shop next door: a second project, so that a demo can show that
-- each question is answered by its own database.
-- Sample data of the berth project, made for its demo and tests.

CREATE TABLE product (
  sku TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  stock INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT UNIQUE
);

CREATE TABLE sale (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customer (id),
  sold_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE sale_line (
  sale_id INTEGER NOT NULL REFERENCES sale (id) ON DELETE CASCADE,
  line INTEGER NOT NULL,
  sku TEXT NOT NULL REFERENCES product (sku),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (sale_id, line)
) WITHOUT ROWID;

INSERT INTO product (sku, title, price_cents, stock) VALUES
  ('ROPE-12', 'Mooring rope 12 mm, per metre', 240, 900), ('FEND-L', 'Fender, large', 8900, 14),
  ('LAMP-A', 'Anchor light', 3450, 22), ('TEA-1', 'Tea, 1 kg', 1290, 40);
INSERT INTO customer (id, name, email) VALUES
  (1, 'Fjordline Bulk', 'stores@fjordline.example'), (2, 'Ingrid Dahl', 'ingrid@pilots.example');
INSERT INTO sale (id, customer_id, sold_at) VALUES (1, 1, '2026-04-02 09:12:00'), (2, 2, '2026-04-03 17:40:00');
INSERT INTO sale_line (sale_id, line, sku, quantity) VALUES (1, 1, 'ROPE-12', 220), (1, 2, 'FEND-L', 4), (2, 1, 'TEA-1', 1);
