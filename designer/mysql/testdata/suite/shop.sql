CREATE TABLE customers (
    id int NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name varchar(60) NOT NULL,
    email varchar(120),
    city varchar(40) DEFAULT 'Lyon',
    credit decimal(10,2) NOT NULL DEFAULT 0,
    active tinyint(1) NOT NULL DEFAULT 1,
    visits int NOT NULL DEFAULT 0,
    CONSTRAINT customers_credit_ck CHECK (credit >= 0)
);

CREATE UNIQUE INDEX customers_email_ux ON customers (email);

CREATE TABLE categories (
    id int NOT NULL PRIMARY KEY,
    parent_id int,
    name varchar(50) NOT NULL,
    place int,
    CONSTRAINT categories_parent_fk FOREIGN KEY (parent_id) REFERENCES categories (id)
);

CREATE TABLE products (
    id int NOT NULL AUTO_INCREMENT PRIMARY KEY,
    category_id int,
    sku varchar(20) NOT NULL,
    title varchar(80) NOT NULL,
    price decimal(10,2) NOT NULL DEFAULT 0,
    stock int NOT NULL DEFAULT 0,
    weight int,
    note text,
    CONSTRAINT products_sku_uq UNIQUE (sku),
    KEY products_category_ix (category_id),
    CONSTRAINT products_category_fk FOREIGN KEY (category_id) REFERENCES categories (id),
    CONSTRAINT products_stock_ck CHECK (stock >= 0)
);

CREATE INDEX products_title_ix ON products (title, price DESC);

CREATE TABLE orders (
    id int NOT NULL AUTO_INCREMENT PRIMARY KEY,
    customer_id int NOT NULL,
    placed date,
    noted datetime,
    status varchar(12) NOT NULL DEFAULT 'new',
    total decimal(12,2) NOT NULL DEFAULT 0,
    KEY orders_customer_ix (customer_id),
    CONSTRAINT orders_customer_fk FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE
);

CREATE INDEX orders_open_ix ON orders (placed);

CREATE TABLE order_lines (
    order_id int NOT NULL,
    line_no int NOT NULL,
    product_id int NOT NULL,
    quantity int NOT NULL DEFAULT 1,
    unit_price decimal(10,2) NOT NULL DEFAULT 0,
    amount decimal(20,2) GENERATED ALWAYS AS (quantity * unit_price) STORED,
    PRIMARY KEY (order_id, line_no),
    KEY lines_product_ix (product_id),
    CONSTRAINT lines_order_fk FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE,
    CONSTRAINT lines_product_fk FOREIGN KEY (product_id) REFERENCES products (id),
    CONSTRAINT lines_quantity_ck CHECK (quantity > 0)
);

CREATE TABLE stock (
    id int NOT NULL PRIMARY KEY,
    shelf varchar(20) NOT NULL,
    pieces int NOT NULL DEFAULT 0,
    price decimal(10,2) NOT NULL DEFAULT 1,
    total decimal(20,2) GENERATED ALWAYS AS (pieces * price) VIRTUAL
);

CREATE TABLE tickets (
    id int NOT NULL AUTO_INCREMENT PRIMARY KEY,
    title varchar(80)
);

CREATE TABLE notes (
    body varchar(200),
    weight int,
    place int,
    seen int NOT NULL
);

CREATE TABLE audit (
    id int NOT NULL AUTO_INCREMENT PRIMARY KEY,
    what varchar(200) NOT NULL
);

CREATE TRIGGER products_price_audit AFTER UPDATE ON products FOR EACH ROW BEGIN
    IF NEW.price <> OLD.price THEN
        INSERT INTO audit (what) VALUES (CONCAT('price of ', NEW.sku));
    END IF;
END;

CREATE VIEW customer_totals AS SELECT c.id, c.name, sum(o.total) AS total
    FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name;

CREATE VIEW product_prices AS SELECT sku, price FROM products;
