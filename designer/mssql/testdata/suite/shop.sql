CREATE SCHEMA archive;

CREATE TABLE customers (
    id int IDENTITY NOT NULL CONSTRAINT customers_pk PRIMARY KEY,
    name nvarchar(60) NOT NULL,
    email nvarchar(120) NULL,
    city nvarchar(40) NULL CONSTRAINT customers_city_df DEFAULT 'Lyon',
    credit decimal(10,2) NOT NULL DEFAULT 0,
    active bit NOT NULL DEFAULT 1,
    visits int NOT NULL DEFAULT 0,
    CONSTRAINT customers_credit_ck CHECK (credit >= 0)
);

CREATE UNIQUE INDEX customers_email_ux ON customers (email) WHERE email IS NOT NULL;

CREATE TABLE categories (
    id int NOT NULL CONSTRAINT categories_pk PRIMARY KEY,
    parent_id int NULL,
    name nvarchar(50) NOT NULL,
    place int NULL,
    CONSTRAINT categories_parent_fk FOREIGN KEY (parent_id) REFERENCES categories (id)
);

CREATE TABLE products (
    id int IDENTITY NOT NULL PRIMARY KEY,
    category_id int NULL,
    sku varchar(20) NOT NULL,
    title nvarchar(80) NOT NULL,
    price decimal(10,2) NOT NULL DEFAULT 0,
    stock int NOT NULL DEFAULT 0,
    weight int NULL,
    note nvarchar(max) NULL,
    CONSTRAINT products_sku_uq UNIQUE (sku),
    CONSTRAINT products_category_fk FOREIGN KEY (category_id) REFERENCES categories (id),
    CONSTRAINT products_stock_ck CHECK (stock >= 0)
);

CREATE INDEX products_title_ix ON products (title, price DESC);

CREATE INDEX products_category_ix ON products (category_id);

CREATE TABLE orders (
    id int IDENTITY NOT NULL PRIMARY KEY,
    customer_id int NOT NULL,
    placed date NULL,
    noted datetime2 NULL,
    status nvarchar(12) NOT NULL DEFAULT 'new',
    total decimal(12,2) NOT NULL DEFAULT 0,
    CONSTRAINT orders_customer_fk FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE
);

CREATE INDEX orders_customer_ix ON orders (customer_id);

CREATE INDEX orders_open_ix ON orders (placed) WHERE total > 0;

CREATE TABLE order_lines (
    order_id int NOT NULL,
    line_no int NOT NULL,
    product_id int NOT NULL,
    quantity int NOT NULL DEFAULT 1,
    unit_price decimal(10,2) NOT NULL DEFAULT 0,
    amount AS (quantity * unit_price) PERSISTED,
    CONSTRAINT order_lines_pk PRIMARY KEY (order_id, line_no),
    CONSTRAINT lines_order_fk FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE,
    CONSTRAINT lines_product_fk FOREIGN KEY (product_id) REFERENCES products (id),
    CONSTRAINT lines_quantity_ck CHECK (quantity > 0)
);

CREATE INDEX lines_product_ix ON order_lines (product_id);

CREATE TABLE stock (
    id int NOT NULL PRIMARY KEY,
    shelf nvarchar(20) NOT NULL,
    pieces int NOT NULL DEFAULT 0,
    price decimal(10,2) NOT NULL DEFAULT 1,
    total AS (pieces * price)
);

CREATE TABLE tickets (
    id int IDENTITY NOT NULL PRIMARY KEY,
    title nvarchar(80) NULL
);

CREATE TABLE notes (
    body nvarchar(200) NULL,
    weight int NULL,
    place int NULL,
    seen int NOT NULL
);

CREATE TABLE audit (
    id int IDENTITY NOT NULL PRIMARY KEY,
    what nvarchar(200) NOT NULL
);

CREATE TRIGGER products_price_audit ON products AFTER UPDATE AS
    INSERT INTO audit (what) SELECT CONCAT('price of ', sku) FROM inserted;

CREATE VIEW customer_totals AS SELECT c.id, c.name, sum(o.total) AS total
    FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name;

CREATE VIEW product_prices AS SELECT sku, price FROM products;
