-- What the corpus of MySQL and MariaDB has beside ../mysql.sql. The owner runs
-- it with every right. Statements end with two semicolons at the end of a
-- line.
CREATE SEQUENCE s;;
CREATE TABLE defaulted (a BIGINT DEFAULT (NEXT VALUE FOR s), b INT);;
INSERT INTO defaulted VALUES (1, 1);;
CREATE FUNCTION liar_next() RETURNS INT DETERMINISTIC NO SQL RETURN NEXT VALUE FOR s;;
CREATE VIEW v_next AS SELECT NEXT VALUE FOR s AS n;;

-- functions that the server reads in another mode than the session's
SET SESSION sql_mode = 'ANSI_QUOTES';;
CREATE FUNCTION liar_quoted() RETURNS INT DETERMINISTIC NO SQL RETURN "get_lock"('{lock}', 0);;
CREATE FUNCTION liar_quoted_own() RETURNS INT DETERMINISTIC NO SQL RETURN "liar_lock"();;
CREATE FUNCTION honest_quoted() RETURNS INT DETERMINISTIC READS SQL DATA RETURN (SELECT MAX("a") FROM "t");;
SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES';;
CREATE FUNCTION liar_slash() RETURNS INT DETERMINISTIC NO SQL RETURN LENGTH('\') + GET_LOCK('{lock}', 0) + LENGTH('\');;
CREATE FUNCTION honest_slash() RETURNS INT DETERMINISTIC NO SQL RETURN LENGTH('\');;
SET SESSION sql_mode = '';;

-- In the catalogue's text of these, what escapes a quote or a backslash is lost.
CREATE FUNCTION liar_escape() RETURNS INT DETERMINISTIC NO SQL RETURN LENGTH('\\') + GET_LOCK('+', 0) + 0 -- '
;;
CREATE FUNCTION liar_escape_double() RETURNS INT DETERMINISTIC NO SQL RETURN LENGTH("\\") + GET_LOCK("+", 0) + 0 -- "
;;
CREATE FUNCTION honest_escape() RETURNS VARCHAR(50) CHARSET utf8mb4 DETERMINISTIC NO SQL COMMENT 'it''s "\\" BEGIN' RETURN CONCAT('\\', 'a\'b', "c\"d", 'x''y', 'GET_LOCK(1)');;
CREATE VIEW v_escape AS SELECT LENGTH('\\') + GET_LOCK('+', 0) + 0 AS n, '\'' AS q;;
CREATE VIEW v_escaped AS SELECT CONCAT('\\', 'a\'b', "c\"d", 'x''y', 'GET_LOCK(1)') AS n;;

-- what somebody put among the server's own
CREATE FUNCTION sys.pwn_{db}() RETURNS INT DETERMINISTIC NO SQL RETURN GET_LOCK('{lock}', 0);;
CREATE VIEW sys.pwn_v_{db} AS SELECT GET_LOCK('{lock}', 0) AS got;;
CREATE VIEW mysql.pwn_v_{db} AS SELECT GET_LOCK('{lock}', 0) AS got;;

-- honest ones
CREATE FUNCTION honest_flow(n INT) RETURNS INT READS SQL DATA
BEGIN
  DECLARE i, total INT DEFAULT 0;
  DECLARE done BOOLEAN DEFAULT FALSE;
  DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE;
  WHILE (i < n) DO SET i := i + 1; END WHILE;
  REPEAT SET i = i - 1; UNTIL (i <= 0) END REPEAT;
  IF (n > 5) THEN SET total = 1; ELSEIF (n > 3) THEN SET total = 2; ELSE SET total = 3; END IF;
  OPEN c;
  l: LOOP FETCH c INTO i; IF (done) THEN LEAVE l; END IF; SET total = total + i, @seen := i; END LOOP;
  CLOSE c;
  RETURN (SELECT COUNT(*) FROM t) + total;
END;;
CREATE FUNCTION nested1(n INT) RETURNS INT DETERMINISTIC NO SQL RETURN nested2(n);;
CREATE FUNCTION nested2(n INT) RETURNS INT DETERMINISTIC NO SQL RETURN nested3(n);;
CREATE FUNCTION nested3(n INT) RETURNS INT DETERMINISTIC NO SQL RETURN n + 1;;
CREATE VIEW v_plain AS SELECT a, UPPER(b) AS big FROM t WHERE a IN (SELECT a FROM t);;
CREATE VIEW v_over AS SELECT v.a, COUNT(*) AS n FROM v_plain v JOIN t ON t.a = v.a GROUP BY v.a;;
CREATE TABLE versioned (a INT) WITH SYSTEM VERSIONING;;
INSERT INTO versioned VALUES (1);;
CREATE TABLE parted (a INT, b VARCHAR(9)) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (2), PARTITION p1 VALUES LESS THAN MAXVALUE);;
INSERT INTO parted VALUES (1, 'one'), (2, 'two');;
CREATE TABLE kinds (id INT PRIMARY KEY AUTO_INCREMENT, e ENUM('x','y'), st SET('p','q'), j JSON, d DECIMAL(10,2), dt DATETIME, bi VARBINARY(5), g INT AS (id * 2) VIRTUAL, FULLTEXT KEY ft (words), words VARCHAR(50)) ENGINE=InnoDB;;
INSERT INTO kinds (e, st, j, d, dt, bi, words) VALUES ('y', 'p,q', '{"a": [1, 2]}', 1.50, '2024-02-29 12:34:56', x'00ff', 'red fox');;
