-- The database that the attempts of postgres.txt are made on.
CREATE EXTENSION dblink; CREATE EXTENSION tablefunc; CREATE EXTENSION xml2; CREATE EXTENSION adminpack;
CREATE EXTENSION file_fdw; CREATE EXTENSION pg_prewarm; CREATE EXTENSION pg_trgm; CREATE EXTENSION pgcrypto;

CREATE TABLE t (a int PRIMARY KEY, b text);
CREATE INDEX t_b ON t (b);
INSERT INTO t VALUES (1, 'x'), (2, 'y');
CREATE TABLE audit (at timestamptz DEFAULT now(), what text);
CREATE SEQUENCE s;
CREATE MATERIALIZED VIEW m AS SELECT count(*) FROM t;

-- honest ones
CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 2 * $1';
CREATE FUNCTION names() RETURNS SETOF text LANGUAGE plpgsql STABLE AS $$BEGIN RETURN QUERY SELECT b FROM t ORDER BY a; END$$;
CREATE FUNCTION label(t) RETURNS text LANGUAGE sql STABLE AS $$SELECT $1.a || ':' || $1.b$$;
CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int, INITCOND = '0');
CREATE DOMAIN short AS text CHECK (length(VALUE) < 10);
CREATE FUNCTION fits(text) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN RETURN length($1) < 10; END$$;
CREATE DOMAIN fitting AS text CHECK (fits(VALUE));
CREATE TABLE described (id int, short short, fitting fitting);
INSERT INTO described VALUES (1, 'a', 'b');
CREATE VIEW v AS SELECT a, twice(a) AS double FROM t;
CREATE TABLE rows (id int, owner text);
INSERT INTO rows VALUES (1, 'me');
ALTER TABLE rows ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON rows USING (owner = 'me');

-- dishonest ones
CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS $$BEGIN INSERT INTO audit (what) VALUES ('writes'); PERFORM pg_notify('c', 'writes'); PERFORM pg_advisory_lock(6); RETURN 1; END$$;
CREATE FUNCTION liar() RETURNS int LANGUAGE sql IMMUTABLE AS $$SELECT pg_advisory_lock(7); SELECT 1$$;
CREATE FUNCTION liar_plpgsql() RETURNS int LANGUAGE plpgsql STABLE AS $$BEGIN PERFORM pg_advisory_lock(8); RETURN 1; END$$;
CREATE FUNCTION liar_execute() RETURNS int LANGUAGE plpgsql STABLE AS $$BEGIN EXECUTE 'SELECT pg_' || 'advisory_lock(9)'; RETURN 1; END$$;
CREATE FUNCTION liar_default(a bigint DEFAULT nextval('s')) RETURNS bigint LANGUAGE sql STABLE AS 'SELECT $1';
CREATE FUNCTION liar_deep() RETURNS int LANGUAGE sql STABLE AS 'SELECT liar_plpgsql()';
CREATE FUNCTION liar_atomic() RETURNS int LANGUAGE sql STABLE BEGIN ATOMIC SELECT pg_advisory_lock(10); SELECT 1; END;
CREATE FUNCTION liar_table() RETURNS TABLE (x int) LANGUAGE sql STABLE AS 'SELECT liar()';
CREATE FUNCTION liar_immutable(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$BEGIN PERFORM pg_notify('c', 'planned'); RETURN $1; END$$;
CREATE FUNCTION definer() RETURNS int LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$BEGIN PERFORM pg_read_file('/etc/passwd'); RETURN 1; END$$;
CREATE FUNCTION of_row(t) RETURNS int LANGUAGE sql VOLATILE AS $$SELECT pg_advisory_lock(11); SELECT 1$$;
CREATE FUNCTION "SELECT"() RETURNS int LANGUAGE sql AS 'SELECT pg_advisory_lock(12); SELECT 1';
CREATE FUNCTION "odd ""name"""() RETURNS int LANGUAGE sql AS 'SELECT pg_advisory_lock(13); SELECT 1';
CREATE FUNCTION add_loudly(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$BEGIN PERFORM pg_notify('c', 'added'); RETURN $1; END$$;
CREATE AGGREGATE liar_agg(int) (SFUNC = add_loudly, STYPE = int, INITCOND = '0');
CREATE SCHEMA other;
CREATE FUNCTION other.writes() RETURNS int LANGUAGE sql AS 'SELECT writes()';
CREATE PROCEDURE p1() LANGUAGE sql AS 'DELETE FROM t';
CREATE VIEW v_nextval AS SELECT nextval('s');
CREATE VIEW v_liar AS SELECT liar();
CREATE VIEW v_on_view AS SELECT * FROM v_liar;
CREATE FUNCTION liar_view() RETURNS int LANGUAGE sql STABLE AS 'SELECT 1 FROM v_liar';
CREATE TABLE guarded (a int);
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON guarded USING (liar() = 1);
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE programs (line text) SERVER files OPTIONS (program 'touch {dir}/berth_pwn_fdw; echo x');
CREATE VIEW v_programs AS SELECT * FROM programs;

-- operators and aggregates that run a function of the server under another name; an ordinary owner may make them
CREATE OPERATOR !!! (RIGHTARG = float8, FUNCTION = pg_sleep);
CREATE OPERATOR !!@ (RIGHTARG = bigint, FUNCTION = pg_advisory_lock);
CREATE OPERATOR @!@ (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_notify);
CREATE OPERATOR !!# (RIGHTARG = int, FUNCTION = pg_cancel_backend);
CREATE OPERATOR @=@ (LEFTARG = oid, RIGHTARG = text, FUNCTION = lo_export);
CREATE OPERATOR !!~@ (RIGHTARG = text, FUNCTION = pg_read_file);
CREATE FUNCTION runs(text, text) RETURNS text LANGUAGE plpgsql AS $$BEGIN EXECUTE $1; RETURN $2; END$$;
CREATE OPERATOR <+!+> (FUNCTION = runs, LEFTARG = text, RIGHTARG = text);
CREATE VIEW v_operator AS SELECT 1 FROM t WHERE (!!@ 14::bigint) IS NULL;
CREATE FUNCTION liar_operator() RETURNS int LANGUAGE sql STABLE AS 'SELECT !!@ 15::bigint; SELECT 1';
CREATE EXTENSION postgres_fdw;
DO $$BEGIN EXECUTE format('CREATE SERVER remote FOREIGN DATA WRAPPER postgres_fdw OPTIONS (dbname %L, host %L)', current_database(), '127.0.0.1');
  EXECUTE format('CREATE USER MAPPING FOR PUBLIC SERVER remote OPTIONS (user %L)', current_user); END$$;
CREATE FOREIGN TABLE ft_next (n bigint) SERVER remote OPTIONS (table_name 'v_nextval');

-- harmless ones that the guard once took for something else
CREATE TYPE float8range AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = float8mi);
CREATE OPERATOR @+@ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4pl);
