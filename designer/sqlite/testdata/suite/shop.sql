CREATE TABLE customers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name VARCHAR(60) NOT NULL,
    email VARCHAR(120),
    city VARCHAR(40) DEFAULT 'Lyon',
    credit DECIMAL(10,2) NOT NULL DEFAULT 0,
    active BOOLEAN NOT NULL DEFAULT 1,
    visits INT NOT NULL DEFAULT 0,
    CONSTRAINT customers_credit_ck CHECK (credit >= 0)
);

CREATE UNIQUE INDEX customers_email_ux ON customers (email);

CREATE TABLE categories (
    id INT NOT NULL PRIMARY KEY,
    parent_id INT,
    name VARCHAR(50) NOT NULL,
    place INT,
    CONSTRAINT categories_parent_fk FOREIGN KEY (parent_id) REFERENCES categories (id)
);

CREATE TABLE products (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    category_id INT,
    sku VARCHAR(20) NOT NULL,
    title VARCHAR(80) NOT NULL,
    price DECIMAL(10,2) NOT NULL DEFAULT 0,
    stock INT NOT NULL DEFAULT 0,
    weight INT,
    note TEXT,
    CONSTRAINT products_sku_uq UNIQUE (sku),
    CONSTRAINT products_category_fk FOREIGN KEY (category_id) REFERENCES categories (id),
    CONSTRAINT products_stock_ck CHECK (stock >= 0)
);

CREATE INDEX products_title_ix ON products (title, price DESC);

CREATE INDEX products_category_ix ON products (category_id);

CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INT NOT NULL,
    placed DATE,
    noted TIMESTAMP,
    status VARCHAR(12) NOT NULL DEFAULT 'new',
    total DECIMAL(12,2) NOT NULL DEFAULT 0,
    CONSTRAINT orders_customer_fk FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE
);

CREATE INDEX orders_customer_ix ON orders (customer_id);

CREATE INDEX orders_open_ix ON orders (placed) WHERE total > 0;

CREATE TABLE order_lines (
    order_id INT NOT NULL,
    line_no INT NOT NULL,
    product_id INT NOT NULL,
    quantity INT NOT NULL DEFAULT 1,
    unit_price DECIMAL(10,2) NOT NULL DEFAULT 0,
    amount DECIMAL(20,2) GENERATED ALWAYS AS (quantity * unit_price) STORED,
    PRIMARY KEY (order_id, line_no),
    CONSTRAINT lines_order_fk FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE,
    CONSTRAINT lines_product_fk FOREIGN KEY (product_id) REFERENCES products (id),
    CONSTRAINT lines_quantity_ck CHECK (quantity > 0)
);

CREATE INDEX lines_product_ix ON order_lines (product_id);

CREATE TABLE stock (
    id INTEGER NOT NULL,
    shelf VARCHAR(20) NOT NULL,
    pieces INT NOT NULL DEFAULT 0,
    price DECIMAL(10,2) NOT NULL DEFAULT 1,
    total DECIMAL(20,2) GENERATED ALWAYS AS (pieces * price) VIRTUAL,
    PRIMARY KEY (id DESC)
);

CREATE TABLE tickets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title VARCHAR(80)
);

CREATE TABLE notes (
    body VARCHAR(200),
    weight INT,
    place INT,
    seen INT NOT NULL
);

CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    what VARCHAR(200) NOT NULL
);

CREATE TRIGGER products_price_audit AFTER UPDATE OF price ON products BEGIN
    INSERT INTO audit (what) VALUES ('price of ' || NEW.sku);
END;

CREATE VIEW customer_totals AS SELECT c.id, c.name, sum(o.total) AS total
    FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name;

CREATE VIEW product_prices AS SELECT sku, price FROM products;
