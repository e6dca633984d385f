-- What the corpus of PostgreSQL has beside ../postgres.sql. The owner runs it
-- while it is a superuser.

-- Functions that the planner runs, since they say that they are immutable and
-- have no column for an argument: in what an index, a statistics object, a
-- partition key and a table's checks hold. They become dishonest afterwards.
CREATE FUNCTION quiet(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
CREATE TABLE by_predicate (a int); CREATE INDEX ON by_predicate (a) WHERE quiet(1) = 1; INSERT INTO by_predicate VALUES (1);
CREATE TABLE by_expression (a int); CREATE INDEX ON by_expression ((a + quiet(1))); INSERT INTO by_expression VALUES (1);
CREATE TABLE by_statistics (a int, b int); CREATE STATISTICS by_statistics_st ON (a + quiet(5)), b FROM by_statistics;
CREATE TABLE by_key (a int) PARTITION BY RANGE ((a + quiet(4))); CREATE TABLE by_key1 PARTITION OF by_key FOR VALUES FROM (0) TO (100);
CREATE TABLE by_check (a int); CREATE TABLE by_check1 (CHECK (quiet(3) = 3 OR a > 1)) INHERITS (by_check);
CREATE VIEW v_by_predicate AS SELECT a FROM by_predicate;
CREATE OR REPLACE FUNCTION quiet(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM pg_advisory_lock_shared(4711); RETURN $1; END';

-- and honest ones
CREATE TABLE indexed (a int, b text, CHECK (twice(1) = 2)); CREATE INDEX ON indexed ((twice(a))); CREATE INDEX ON indexed (lower(b)) WHERE twice(1) = 2;
INSERT INTO indexed VALUES (1, 'X');
CREATE TABLE parted (a int, b text) PARTITION BY LIST (a);
CREATE TABLE parted1 PARTITION OF parted FOR VALUES IN (1); CREATE TABLE parted2 PARTITION OF parted DEFAULT;
INSERT INTO parted VALUES (1, 'one'), (2, 'two');
CREATE TABLE computed (a int, b int GENERATED ALWAYS AS (a * 2) STORED, c bigint DEFAULT nextval('s')); INSERT INTO computed (a) VALUES (1);

-- a partition on another server
CREATE TABLE far (n bigint) PARTITION BY LIST (n); CREATE FOREIGN TABLE far1 PARTITION OF far FOR VALUES IN (1) SERVER remote OPTIONS (table_name 'v_nextval');

-- The owner of an extension may put a function of its own into it.
CREATE FUNCTION liar_member() RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM pg_advisory_lock(20); RETURN 1; END';
CREATE FUNCTION liar_member_sql() RETURNS int LANGUAGE sql STABLE AS 'SELECT pg_advisory_lock(21); SELECT 1';
CREATE FUNCTION honest_member(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 1';
CREATE OPERATOR !@! (RIGHTARG = int, FUNCTION = honest_member);
ALTER EXTENSION pg_trgm ADD FUNCTION liar_member();
ALTER EXTENSION pg_trgm ADD FUNCTION liar_member_sql();
ALTER EXTENSION pg_trgm ADD FUNCTION honest_member(int);
CREATE EXTENSION earthdistance CASCADE; -- some of its functions are written in SQL

-- names that mean something else elsewhere
CREATE TABLE "odd ""table""" ("select" int, "into" text, "for" int); INSERT INTO "odd ""table""" VALUES (1, 'x', 2);
CREATE TYPE pair AS (x int, y text);
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE kinds (p pair, m mood, d short, r int4range, arr int[], j jsonb, u uuid);
INSERT INTO kinds VALUES (ROW(1, 'a'), 'ok', 'short', '[1,5)', '{1,2}', '{"a":{"b":[1,2]}}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11');
CREATE FUNCTION first_of(pair) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1.x';
CREATE FUNCTION nested4(int) RETURNS int LANGUAGE sql STABLE AS 'SELECT $1 + (SELECT count(*) FROM t)::int';
CREATE FUNCTION nested3(int) RETURNS int LANGUAGE sql STABLE AS 'SELECT nested4($1)';
CREATE FUNCTION nested2(int) RETURNS int LANGUAGE sql STABLE AS 'SELECT nested3($1)';
CREATE FUNCTION nested1(int) RETURNS int LANGUAGE sql STABLE AS 'SELECT nested2($1)';
CREATE FUNCTION defaults(a int, b int DEFAULT 2) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
CREATE FUNCTION looped(n int) RETURNS int LANGUAGE plpgsql STABLE AS $$DECLARE i int; s int := 0; r record;
BEGIN FOR i IN 1..n LOOP s := s + i; END LOOP; FOR r IN SELECT a FROM t LOOP s := s + r.a; END LOOP; RETURN s; END$$;
CREATE RECURSIVE VIEW counted (n) AS SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 3;
CREATE VIEW v_deep AS SELECT v.a, n FROM v JOIN counted ON n = a;
