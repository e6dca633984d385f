CREATE TABLE authors (
    id int NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name varchar(80) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'as on the cover; it''s a name',
    `e mail` varchar(120) UNIQUE,
    born date DEFAULT '1970-01-01',
    rating double NOT NULL DEFAULT 1.5,
    small_rating float,
    debt decimal(12,4) DEFAULT -1,
    photo longblob,
    seen timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
    at datetime(3) DEFAULT CURRENT_TIMESTAMP(3),
    token char(36) DEFAULT (uuid()),
    `order` smallint DEFAULT 0,
    tiny tinyint,
    flag tinyint(1) NOT NULL DEFAULT 0,
    counter int unsigned DEFAULT 7,
    big bigint unsigned,
    medium mediumint,
    mood enum('sad', 'ok', 'it''s fine') NOT NULL DEFAULT 'ok',
    powers set('read', 'write') DEFAULT 'read,write',
    bits bit(8),
    bin varbinary(20),
    fixed binary(4),
    y year,
    t time(2),
    story mediumtext,
    latin varchar(30) CHARACTER SET latin1 COLLATE latin1_swedish_ci DEFAULT 'x',
    extra json,
    CONSTRAINT authors_name_ck CHECK (char_length(name) > 0),
    CONSTRAINT authors_rating_ck CHECK (rating BETWEEN 0 AND 10),
    UNIQUE KEY authors_name_born_uq (name, born)
) COMMENT 'people who write; it''s a table' AUTO_INCREMENT = 10;

CREATE TABLE kinds (
    code char(3) NOT NULL PRIMARY KEY,
    title varchar(60) NOT NULL
) DEFAULT CHARACTER SET latin1;

CREATE TABLE pairs (
    a int NOT NULL,
    b varchar(20) NOT NULL,
    PRIMARY KEY (b, a)
);

CREATE TABLE books (
    id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    author_id int NOT NULL,
    kind char(3) CHARACTER SET latin1 DEFAULT 'nov',
    sequel_to bigint,
    pair_a int,
    pair_b varchar(20),
    title varchar(200) NOT NULL,
    price decimal(10,2) NOT NULL DEFAULT 0,
    copies int NOT NULL DEFAULT (1 + 1),
    worth decimal(20,2) GENERATED ALWAYS AS (price * copies) STORED,
    label varchar(250) AS (concat(title, ' #', copies)) VIRTUAL,
    `the [odd] ``name``` text,
    body text,
    KEY books_pair_ix (pair_b, pair_a),
    KEY books_prefix_ix (body(20), title DESC),
    FULLTEXT KEY books_text_ix (title, body),
    CONSTRAINT books_author_fk FOREIGN KEY (author_id) REFERENCES authors (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT books_kind_fk FOREIGN KEY (kind) REFERENCES kinds (code) ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT books_sequel_fk FOREIGN KEY (sequel_to) REFERENCES books (id) ON DELETE SET NULL,
    CONSTRAINT books_pair_fk FOREIGN KEY (pair_b, pair_a) REFERENCES pairs (b, a)
);

CREATE UNIQUE INDEX books_title_ux ON books (title);

CREATE TABLE `select` (
    `from` int NOT NULL PRIMARY KEY,
    `Group By` text,
    place point NOT NULL,
    SPATIAL KEY select_place_ix (place)
);

CREATE TABLE log (line text, at datetime DEFAULT now());

CREATE VIEW expensive AS SELECT b.id, b.title, a.name AS author FROM books b JOIN authors a ON a.id = b.author_id WHERE b.price > 50;

CREATE VIEW all_expensive AS SELECT title FROM expensive;

CREATE FUNCTION label(title varchar(200), n int) RETURNS varchar(250) DETERMINISTIC RETURN concat(title, ' #', n);

CREATE PROCEDURE forget(older int) BEGIN
    DELETE FROM log WHERE at < now() - INTERVAL older DAY;
    SELECT count(*) FROM log;
END;

CREATE TRIGGER books_ai AFTER INSERT ON books FOR EACH ROW BEGIN
    INSERT INTO log (line) VALUES (concat('new; ', NEW.title));
    UPDATE authors SET rating = rating + 1 WHERE id = NEW.author_id;
END;

CREATE TRIGGER books_bd BEFORE DELETE ON books FOR EACH ROW SET @forgotten = OLD.title;
