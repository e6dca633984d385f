package postgres

import (
	"context"
	"crypto/rand"
	"database/sql"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// people are the roles of a test, gone with it.
type people struct {
	t   *testing.T
	dsn string
	db  *sql.DB // as the superuser that made the database
	// owner owns what is carried, friend may pass rights on, guest got one of
	// friend, stranger has none, newcomer gets rights on whatever is new.
	owner, friend, guest, stranger, newcomer, publisher string
}

func newPeople(t *testing.T) *people {
	t.Helper()
	p := &people{t: t}
	p.db, p.dsn = enginetest.Postgres().New(t)
	suffix := strings.ToLower(rand.Text())
	for _, role := range []*string{&p.owner, &p.friend, &p.guest, &p.stranger, &p.newcomer, &p.publisher} {
		*role = "berth_test_" + suffix + map[*string]string{&p.owner: "_Owner", &p.friend: "_friend", &p.guest: "_guest",
			&p.stranger: "_stranger", &p.newcomer: "_newcomer", &p.publisher: "_publisher"}[role]
		run(t, p.db, "CREATE ROLE "+ident(*role)+" LOGIN PASSWORD 'x'")
	}
	t.Cleanup(func() {
		const all = "{owner}, {friend}, {guest}, {stranger}, {newcomer}, {publisher}"
		p.script("DROP OWNED BY " + all + " CASCADE; DROP ROLE " + all)
	})
	return p
}

// script runs statements in which {owner} and the like are the roles.
func (p *people) script(text string) {
	p.t.Helper()
	run(p.t, p.db, strings.NewReplacer("{owner}", ident(p.owner), "{friend}", ident(p.friend), "{guest}", ident(p.guest),
		"{stranger}", ident(p.stranger), "{newcomer}", ident(p.newcomer), "{publisher}", ident(p.publisher)).Replace(text))
}

// as opens the database as one of them.
func (p *people) as(role string) *sql.DB {
	p.t.Helper()
	u, err := url.Parse(p.dsn)
	require.NoError(p.t, err)
	u.User = url.UserPassword(role, "x")
	db, err := sql.Open("pgx", u.String())
	require.NoError(p.t, err)
	p.t.Cleanup(func() { require.NoError(p.t, db.Close()) })
	return db
}

// rowsQuery lists all that the catalogues have of routines, views and what
// belongs to them, but for numbers that the server gives. A list of rights
// that is empty in the catalogue is the usual one.
const rowsQuery = `SELECT row_to_json(x)::text FROM (
SELECT p.oid::regprocedure::text AS name, pg_get_userbyid(p.proowner) AS owner, p.prosecdef AS definer, p.proleakproof, p.proparallel, p.procost,
  p.prorows, p.provolatile, p.proisstrict, p.proconfig, pg_get_functiondef(p.oid) AS text, obj_description(p.oid, 'pg_proc') AS comment,
  ARRAY(SELECT concat_ws(' ', a.grantor::regrole, a.grantee::regrole, a.privilege_type, a.is_grantable)
    FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a ORDER BY 1) AS rights, '{}'::text[] AS columns,
  ARRAY(SELECT e.extname::text FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
    WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'x') AS extensions
FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind <> 'a'
UNION ALL SELECT c.relname, pg_get_userbyid(c.relowner), c.relrowsecurity, c.relispopulated, c.relkind, NULL, NULL, c.relreplident, NULL, c.reloptions,
  CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END, obj_description(c.oid, 'pg_class'),
  ARRAY(SELECT concat_ws(' ', a.grantor::regrole, a.grantee::regrole, a.privilege_type, a.is_grantable)
    FROM aclexplode(coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner))) a ORDER BY 1),
  ARRAY(SELECT concat_ws(' ', t.attname, a.grantor::regrole, a.grantee::regrole, a.privilege_type, a.is_grantable)
    FROM pg_attribute t CROSS JOIN LATERAL aclexplode(t.attacl) a WHERE t.attrelid = c.oid AND NOT t.attisdropped ORDER BY 1), NULL
FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'm')) x ORDER BY 1`

func (p *people) rows() []string {
	p.t.Helper()
	rows, err := p.db.Query(rowsQuery)
	require.NoError(p.t, err)
	defer func() { require.NoError(p.t, rows.Close()) }()
	var list []string
	for rows.Next() {
		var row string
		require.NoError(p.t, rows.Scan(&row))
		list = append(list, row)
	}
	require.NoError(p.t, rows.Err())
	return list
}

// guarded is a database in which nobody is who a plan would make everybody.
const guarded = `GRANT CREATE, USAGE ON SCHEMA public TO {owner}, {friend}, {publisher}; GRANT {owner}, {friend} TO {publisher};
CREATE TABLE orders (id integer PRIMARY KEY, total smallint, twice integer GENERATED ALWAYS AS (id * 2) STORED);
CREATE TABLE log (n integer); INSERT INTO orders VALUES (1, 7); ALTER TABLE orders OWNER TO {publisher};
GRANT SELECT, INSERT ON orders TO {owner};
CREATE FUNCTION top(above integer DEFAULT 0) RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER PARALLEL SAFE COST 7
  SET search_path = public, pg_temp BEGIN ATOMIC SELECT max(total) FROM public.orders WHERE total > above; END;
CREATE PROCEDURE fill(n integer) LANGUAGE sql SECURITY DEFINER BEGIN ATOMIC INSERT INTO orders (id, total) VALUES (n, n); END;
CREATE FUNCTION "Open to all"() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT sum(total) FROM orders; END;
CREATE FUNCTION nobody_s() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT sum(total) FROM orders; END;
CREATE VIEW paid AS SELECT o.id, o.total FROM orders o;
CREATE FUNCTION first_paid() RETURNS SETOF paid LANGUAGE sql ROWS 3 AS 'SELECT * FROM paid LIMIT 1';
CREATE VIEW by_top AS SELECT public.top() AS top;
CREATE MATERIALIZED VIEW kept AS SELECT o.total, public.top() FROM orders o; CREATE INDEX kept_total ON kept (total);
COMMENT ON FUNCTION top(integer) IS 'the top'; COMMENT ON VIEW paid IS 'paid';
ALTER FUNCTION top(integer) OWNER TO {owner}; ALTER PROCEDURE fill(integer) OWNER TO {owner}; ALTER FUNCTION "Open to all"() OWNER TO {owner};
ALTER FUNCTION nobody_s() OWNER TO {owner}; ALTER FUNCTION first_paid() OWNER TO {owner}; ALTER VIEW by_top OWNER TO {owner};
ALTER VIEW paid OWNER TO {owner}; ALTER MATERIALIZED VIEW kept OWNER TO {owner}; ALTER FUNCTION top(integer) DEPENDS ON EXTENSION plpgsql;
REVOKE ALL ON ROUTINE top(integer), fill(integer), first_paid() FROM PUBLIC; REVOKE ALL ON FUNCTION nobody_s() FROM PUBLIC, {owner};
SET ROLE {owner}; GRANT EXECUTE ON FUNCTION top(integer) TO {friend} WITH GRANT OPTION; GRANT EXECUTE ON PROCEDURE fill(integer) TO {friend}, {publisher};
GRANT SELECT ON paid TO {friend} WITH GRANT OPTION; GRANT SELECT ON paid, kept TO {publisher}; GRANT UPDATE (total) ON paid TO {friend};
REVOKE DELETE ON paid FROM {owner};
SET ROLE {friend}; GRANT EXECUTE ON FUNCTION top(integer) TO {guest}; GRANT SELECT ON paid TO {guest}; RESET ROLE;
ALTER DEFAULT PRIVILEGES GRANT ALL ON ROUTINES TO {newcomer}; ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC, {newcomer};
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON ROUTINES TO PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE {publisher} GRANT ALL ON ROUTINES TO {newcomer};
ALTER DEFAULT PRIVILEGES FOR ROLE {publisher} REVOKE ALL ON ROUTINES FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE {publisher} GRANT ALL ON TABLES TO PUBLIC, {newcomer}`

const widerTotal = `[{"op":"set_column","table":{"name":"orders"},"column":{"name":"total"},"set":{"dataType":"integer"}}]`

// guard makes the guarded database.
func guard(t *testing.T) *people {
	p := newPeople(t)
	p.script(guarded)
	return p
}

func TestWhatIsMadeAnewHasItsOwnerAndRightsAsBefore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, before string }{
		{"by a superuser", "ALTER ROLE {publisher} SUPERUSER"},
		{"by an ordinary role", ""},
		{"by one who must take the owner's role", "ALTER ROLE {publisher} NOINHERIT; ALTER SCHEMA public OWNER TO {publisher}; DROP MATERIALIZED VIEW kept"},
		{"by the owner of it all", "REASSIGN OWNED BY {owner} TO {publisher}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := guard(t)
			p.script(tt.before)
			before := p.rows()
			require.GreaterOrEqual(t, len(before), 9)
			db := p.as(p.publisher)
			plan := change(t, db, widerTotal)
			assert.Equal(t, "integer", one[string](t, p.db, "SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = 'orders'::regclass AND attname = 'total'"))
			assert.Equal(t, before, p.rows(), plan.Script())
			_, err := p.as(p.stranger).Exec("SELECT public.top()")
			assert.ErrorContains(t, err, "permission denied for function top")
			_, err = p.as(p.newcomer).Exec("CALL public.fill(8)")
			assert.ErrorContains(t, err, "permission denied for procedure fill")
			assert.Equal(t, 7, one[int](t, p.as(p.guest), "SELECT public.top()"))
			assert.NotContains(t, strings.Join(plan.Notes, " "), "not kept")
			for _, s := range plan.Steps {
				assert.NotContains(t, s.Reverse, "FUNCTION public.top", "the text alone would not bring the rights back")
			}
		})
	}
}

func TestWhatCannotGetItsOwnerBackStaysAsItIs(t *testing.T) {
	t.Parallel()
	p := guard(t)
	p.script("REVOKE {owner}, {friend} FROM {publisher}; ALTER SCHEMA public OWNER TO {publisher}") // who may drop all that is in it
	before, db := p.rows(), p.as(p.publisher)
	base := read(t, db)
	plan := planned(t, base, edited(t, base, widerTotal))
	for _, try := range []func() error{
		func() error { return Engine{}.Verify(context.Background(), db, plan, nil) },
		func() error { return Engine{}.Publish(context.Background(), db, plan, 0, nil) },
	} {
		err := try()
		var refused *designer.StepError
		require.ErrorAs(t, err, &refused)
		assert.ErrorContains(t, err, "must be member of role")
		assert.Contains(t, refused.Step.Statement, " OWNER TO ")
		assert.Equal(t, before, p.rows())
	}
}

func TestTheRowsOfAMaterializedViewAreComputedAsItsOwner(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	p.script(`GRANT CREATE, USAGE ON SCHEMA public TO {owner}; CREATE TABLE orders (total smallint); INSERT INTO orders VALUES (1);
GRANT SELECT ON orders TO {owner}; SET ROLE {owner}; CREATE FUNCTION who() RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN current_user; END';
CREATE FUNCTION same(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN current_user; END';
CREATE MATERIALIZED VIEW mine AS SELECT o.total, who() AS by FROM orders o; CREATE INDEX by_same ON mine ((same(by)));
CREATE MATERIALIZED VIEW empty AS SELECT o.total FROM orders o WITH NO DATA; RESET ROLE`)
	before := p.rows()
	change(t, p.db, widerTotal)
	assert.Equal(t, before, p.rows())
	assert.Equal(t, p.owner, one[string](t, p.db, "SELECT by FROM mine WHERE total = 1"))
}

func TestARuleThatIsSwitchedOffStaysOff(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE orders (total smallint); CREATE TABLE log (n integer);
CREATE RULE off AS ON INSERT TO orders DO ALSO INSERT INTO log VALUES (new.total); ALTER TABLE orders DISABLE RULE off`)
	before := catalogOf(t, db)
	change(t, db, widerTotal)
	assert.Equal(t, before, catalogOf(t, db))
	assert.Equal(t, "D", one[string](t, db, "SELECT ev_enabled::text FROM pg_rewrite WHERE rulename = 'off'"))
}

func TestRightsOnAColumnThatIsMadeAnewComeBack(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	p.script(`CREATE TABLE orders (id integer PRIMARY KEY, n integer, "Twice" integer GENERATED ALWAYS AS (id * 2) STORED);
GRANT CREATE, USAGE ON SCHEMA public TO {publisher}, {friend}; GRANT {friend} TO {publisher}; ALTER TABLE orders OWNER TO {publisher};
GRANT SELECT (id) ON orders TO {guest}; GRANT SELECT ("Twice") ON orders TO {friend} WITH GRANT OPTION; GRANT REFERENCES ("Twice") ON orders TO PUBLIC;
GRANT UPDATE ON orders TO {friend} WITH GRANT OPTION;
SET ROLE {friend}; GRANT SELECT ("Twice"), UPDATE ("Twice") ON orders TO {guest}; RESET ROLE`)
	before := p.rows()
	const thrice = `{"op":"set_column","table":{"name":"orders"},"column":{"name":"Twice"},"set":{"computedFormula":"id * 3"}}`
	for _, db := range []*sql.DB{p.as(p.publisher), p.db} {
		change(t, db, "["+thrice+"]")
		assert.Equal(t, before, p.rows())
		change(t, db, `[{"op":"set_column","table":{"name":"orders"},"column":{"name":"Twice"},"set":{"computedFormula":"id * 2"}}]`)
	}
	base := read(t, p.db)
	_, err := Engine{}.Plan(designer.DiffOf(base, edited(t, base, "["+thrice+`,{"op":"set_table","table":{"name":"orders"},"set":{"name":"sales"}}]`)))
	assert.ErrorContains(t, err, "column Twice has to be re-created and has rights of its own")
	remake(t, base)
}

// ownershipQuery lists owners and rights of all that the people have or use.
const ownershipQuery = `SELECT concat_ws(' | ', kind, name, owner::regrole, ARRAY(SELECT unnest(acl) ORDER BY 1)) FROM (
SELECT 'schema', nspname::text, nspowner, nspacl::text[] FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
UNION ALL SELECT relkind::text, oid::regclass::text, relowner, relacl::text[] FROM pg_class WHERE oid >= 16384 AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
UNION ALL SELECT 'column', attrelid::regclass || '.' || attname, 0, attacl::text[] FROM pg_attribute WHERE attacl IS NOT NULL AND attrelid >= 16384
UNION ALL SELECT 'routine', oid::regprocedure::text, proowner, proacl::text[] FROM pg_proc WHERE oid >= 16384
UNION ALL SELECT 'type', oid::regtype::text, typowner, typacl::text[] FROM pg_type WHERE oid >= 16384
UNION ALL SELECT 'operator', oid::regoperator::text, oprowner, NULL::text[] FROM pg_operator WHERE oid >= 16384
UNION ALL SELECT 'configuration', cfgname::text, cfgowner, NULL::text[] FROM pg_ts_config WHERE oid >= 16384
UNION ALL SELECT 'statistics', stxname::text, stxowner, NULL::text[] FROM pg_statistic_ext
UNION ALL SELECT 'server', srvname::text, srvowner, srvacl::text[] FROM pg_foreign_server) x(kind, name, owner, acl) ORDER BY 1`

func ownerships(t *testing.T, db *sql.DB) []string {
	t.Helper()
	rows, err := db.Query(ownershipQuery)
	require.NoError(t, err)
	defer rows.Close()
	var all []string
	for rows.Next() {
		var one string
		require.NoError(t, rows.Scan(&one))
		all = append(all, one)
	}
	require.NoError(t, rows.Err())
	return all
}

const ownedByMany = `CREATE SCHEMA app AUTHORIZATION {owner}; GRANT USAGE ON SCHEMA app TO {friend}; REVOKE ALL ON SCHEMA public FROM PUBLIC;
CREATE TYPE app.mood AS ENUM ('sad'); ALTER TYPE app.mood OWNER TO {owner}; REVOKE USAGE ON TYPE app.mood FROM PUBLIC;
CREATE TABLE app.boats (id serial PRIMARY KEY, number integer GENERATED ALWAYS AS IDENTITY, name text, secret text); ALTER TABLE app.boats OWNER TO {owner};
GRANT SELECT ON app.boats TO {friend} WITH GRANT OPTION; GRANT SELECT (name), UPDATE (name) ON app.boats TO {guest};
GRANT USAGE ON SEQUENCE app.boats_id_seq TO {friend}; SET ROLE {friend}; GRANT SELECT ON app.boats TO {stranger}; RESET ROLE;
REVOKE DELETE ON app.boats FROM {owner};
CREATE VIEW app.names AS SELECT name FROM app.boats; ALTER VIEW app.names OWNER TO {owner}; GRANT SELECT ON app.names TO PUBLIC;
CREATE MATERIALIZED VIEW app.kept AS SELECT 1 AS one; CREATE SEQUENCE app.free; ALTER SEQUENCE app.free OWNER TO {friend};
CREATE FUNCTION app.shut() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT secret FROM app.boats'; REVOKE ALL ON FUNCTION app.shut() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.shut() TO {guest}; CREATE FUNCTION app.open(integer) RETURNS integer LANGUAGE sql AS 'SELECT 1';
CREATE AGGREGATE app.sum(integer) (SFUNC = int4pl, STYPE = integer); ALTER AGGREGATE app.sum(integer) OWNER TO {owner};
CREATE OPERATOR app.@+@ (FUNCTION = int4pl, LEFTARG = integer, RIGHTARG = integer); ALTER OPERATOR app.@+@ (integer, integer) OWNER TO {owner};
CREATE TEXT SEARCH CONFIGURATION app.words (COPY = simple); ALTER TEXT SEARCH CONFIGURATION app.words OWNER TO {friend};
CREATE STATISTICS app.both ON id, name FROM app.boats; CREATE FOREIGN DATA WRAPPER away; CREATE SERVER far FOREIGN DATA WRAPPER away;
GRANT USAGE ON FOREIGN SERVER far TO {guest}; ALTER DEFAULT PRIVILEGES IN SCHEMA app GRANT SELECT ON TABLES TO {guest};`

// An export with owners gives a copy the owners and rights of the original,
// whoever loads it, and one without hands out nothing and says what it leaves
// out.
func TestAnExportHasOwnersAndRightsOrCountsThem(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	p.script(ownedByMany)
	s := read(t, p.db)
	plan, err := Engine{}.Script(s)
	require.NoError(t, err)
	held, err := Engine{}.Rights(context.Background(), p.db)
	require.NoError(t, err)

	script := func(more []string) *sql.DB {
		db := open(t, "")
		for _, step := range plan.Steps { // each by itself, as psql does
			run(t, db, step.Statement)
		}
		conn, err := db.Conn(context.Background()) // one session, as psql's: roles are set
		require.NoError(t, err)
		defer conn.Close()
		for _, statement := range more {
			_, err := conn.ExecContext(context.Background(), statement)
			require.NoError(t, err, statement)
		}
		return db
	}
	full := script(held.Statements())
	assert.Equal(t, ownerships(t, p.db), ownerships(t, full))
	run(t, full, "DROP SCHEMA app CASCADE; DROP SCHEMA public CASCADE; DROP FOREIGN DATA WRAPPER away CASCADE") // the roles go before the database

	plain := script(held.Closing())
	assert.Equal(t, "f", one[string](t, plain, "SELECT has_function_privilege('"+p.stranger+"', 'app.shut()', 'EXECUTE')::text::char(1)"))
	assert.Equal(t, "f", one[string](t, plain, "SELECT has_type_privilege('"+p.stranger+"', 'app.mood', 'USAGE')::text::char(1)"))
	assert.Equal(t, "t", one[string](t, plain, "SELECT has_function_privilege('"+p.stranger+"', 'app.open(integer)', 'EXECUTE')::text::char(1)"))
	notes := strings.Join(held.LeftOut(), "\n")
	assert.Regexp(t, `Owners and GRANTs are left out, .*6 of `+p.owner, notes)
	assert.Regexp(t, `Rights were granted or revoked on \d+: `, notes)
	assert.Contains(t, notes, "closed in the script too, 2: ROUTINE app.shut(), TYPE app.mood")
	assert.Contains(t, notes, "Default privileges are left out: 1.")
}
