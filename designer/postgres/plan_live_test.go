package postgres

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// one returns the only value of a query.
func one[T any](t testing.TB, db *sql.DB, query string) T {
	t.Helper()
	var v T
	require.NoError(t, db.QueryRow(query).Scan(&v), query)
	return v
}

// statements lists those of a plan.
func statements(p designer.Plan) []string {
	var out []string
	for _, s := range p.Steps {
		out = append(out, s.Statement)
	}
	return out
}

func TestUniqueConstraintsAreNoDifference(t *testing.T) {
	t.Parallel()
	const script = `CREATE TABLE t (a integer UNIQUE, b text, c text, CONSTRAINT u UNIQUE (b, c), UNIQUE NULLS NOT DISTINCT (c));
CREATE UNIQUE INDEX i ON t (b); CREATE UNIQUE INDEX partial ON t (c) WHERE b IS NULL`
	db := open(t, script)
	base := read(t, db)
	def, err := Inspect(context.Background(), db)
	require.NoError(t, err)
	again, err := base.Adopt(def)
	require.NoError(t, err)
	assert.True(t, designer.DiffOf(base, again).Empty())
	assert.Empty(t, planned(t, base, again).Steps)

	// nor do they become one by an edit of something else
	p := change(t, db, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"b"},"set":{"name":"bb","isNullable":false}}]`)
	assert.Equal(t, []string{"ALTER TABLE public.t ALTER COLUMN b SET NOT NULL", "ALTER TABLE public.t RENAME COLUMN b TO bb"}, statements(p))
}

func TestAPartialIndexIsKeptHoweverItsConditionWasWritten(t *testing.T) {
	t.Parallel()
	db := open(t, `create table t (a integer, "where" text); create index lower_case on t (a) where a > 1 and "where" = 'where x';
CREATE INDEX upper_case ON t (a) WHERE (a > 1)`)
	want := read(t, db)
	_, again := remake(t, want)
	assert.Equal(t, want.Definition(), again.Definition())
	p := change(t, db, `[{"op":"set_index","table":{"name":"t"},"index":{"name":"lower_case"},"set":{"name":"other"}},
		{"op":"set_index","table":{"name":"t"},"index":{"name":"upper_case"},"set":{"where":"a>2 or \"where\" is null"}}]`)
	assert.Len(t, p.Steps, 3, "%s", p.Script())
	x := tableOf(t, read(t, db), "t").Indexes
	require.Len(t, x, 2)
	assert.Equal(t, `(a > 1) AND ("where" = 'where x'::text)`, x[0].Where)
}

func TestARenameAndAChangeInOneStepComeInTheRightOrder(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE t (id integer PRIMARY KEY, a varchar(10) DEFAULT 'x' CHECK (a <> ''), b integer, c integer GENERATED ALWAYS AS (b + 1) STORED);
CREATE INDEX ix ON t (a) WHERE b > 0; INSERT INTO t (id, a, b) VALUES (1, 'one', 1), (2, 'two', 2)`)
	change(t, db, `[
		{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"name":"spare","dataType":"text","isNullable":false}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"b"},"set":{"name":"a","dataType":"bigint","defaultValue":"7"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"spare"},"set":{"name":"b"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{"name":"d","computedFormula":"a * 2","dataType":"bigint"}},
		{"op":"set_table","table":{"name":"t"},"set":{"name":"u"}},
		{"op":"add_table","table":{"name":"t"},"initialColumns":[{"name":"a","dataType":"text"}]}]`)
	assert.Equal(t, "(1,one,1,2) (2,two,2,4)", one[string](t, db, "SELECT string_agg((id, b, a, d)::text, ' ' ORDER BY id) FROM u"))
}

const views = `CREATE TABLE t (id integer PRIMARY KEY, a integer, b text, c integer GENERATED ALWAYS AS (a * 2) STORED);
CREATE TABLE other (id integer);
CREATE VIEW first AS SELECT t.id, t.a FROM t;
CREATE VIEW second WITH (security_barrier) AS SELECT f.a + 1 AS next FROM first f;
CREATE MATERIALIZED VIEW third AS SELECT s.next FROM second s;
CREATE INDEX third_next ON third (next);
CREATE VIEW of_c AS SELECT t.c, t.b FROM t;
CREATE VIEW grouped AS SELECT t.*, count(*) FROM t GROUP BY t.id;
CREATE VIEW apart AS SELECT id FROM other;
COMMENT ON VIEW first IS 'the first'; COMMENT ON COLUMN first.a IS 'an a'; COMMENT ON MATERIALIZED VIEW third IS 'kept';
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$;
CREATE TRIGGER instead INSTEAD OF INSERT ON first FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER on_a BEFORE UPDATE OF a ON t FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE POLICY by_a ON t USING (a > 0);
GRANT SELECT ON first TO PUBLIC; GRANT UPDATE (a) ON first TO PUBLIC;
INSERT INTO t VALUES (1, 41, 'x'); REFRESH MATERIALIZED VIEW third`

// catalogOf is what a database has beside its tables. Numbers are of these: a
// column that is new has one of its own.
func catalogOf(t testing.TB, db *sql.DB) designer.Catalog {
	c := read(t, db).Catalog()
	c.Numbers = nil
	return c
}

func TestAViewOverAChangedTableComesBackWithAllThatBelongsToIt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, edits string }{
		{"another type", `[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"dataType":"bigint"}}]`},
		{"another formula", `[{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{"computedFormula":"a * 3"}}]`},
		{"a column that nobody reads", `[{"op":"add_column","table":{"name":"t"},"column":{"name":"d","dataType":"text"}},
			{"op":"set_column","table":{"name":"other"},"column":{"name":"id"},"set":{"isPrimaryKey":true}}]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := open(t, views)
			before := catalogOf(t, db)
			change(t, db, tt.edits)
			assert.Equal(t, before, catalogOf(t, db))
			assert.Equal(t, 42, one[int](t, db, "SELECT next FROM third"), "a materialized view has its rows")
		})
	}
}

func TestAViewFollowsNamesThatChangeBesideTypes(t *testing.T) {
	t.Parallel()
	db := open(t, views)
	change(t, db, `[
		{"op":"set_column","table":{"name":"other"},"column":{"name":"id"},"set":{"name":"number","dataType":"bigint"}},
		{"op":"set_table","createSchema":true,"table":{"name":"other"},"set":{"name":"moved","schema":"app"}}]`)
	for _, v := range catalogOf(t, db).Views {
		if v.Name == "apart" {
			assert.Equal(t, "CREATE VIEW public.apart AS\n SELECT moved.number AS id\n   FROM app.moved", v.Definition)
		}
	}
}

func TestWhatAViewReadsIsNotDropped(t *testing.T) {
	t.Parallel()
	db := open(t, views)
	base := read(t, db)
	for edits, want := range map[string]string{
		`[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`: "table public.t: the view public.grouped, view public.of_c use column b: drop or change that first",
		`[{"op":"drop_table","table":{"name":"other"}}]`:                    "table public.other: the view public.apart uses it: drop that first",
		`[{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{"computedFormula":"a * 3"}},
			{"op":"set_table","table":{"name":"t"},"set":{"name":"u"}}]`: "publish the new names first",
	} {
		_, err := Engine{}.Plan(designer.DiffOf(base, edited(t, base, edits)))
		var refused *designer.PlanError
		require.ErrorAs(t, err, &refused)
		assert.ErrorContains(t, err, want)
	}
}

func TestAPrimaryKeyThatAViewGroupsByCanChange(t *testing.T) {
	t.Parallel()
	db := open(t, views)
	before := catalogOf(t, db)
	base := read(t, db)
	design := edited(t, base, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"id"},"set":{"dataType":"bigint"}}]`)
	become(t, db, base, design)
	assert.Equal(t, before, catalogOf(t, db))
}

func TestSerialColumnsComeAndGo(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE t (id serial PRIMARY KEY, plain integer NOT NULL); CREATE TABLE u (id bigint NOT NULL DEFAULT 3);
INSERT INTO t (plain) SELECT generate_series(1, 9); INSERT INTO u VALUES (41)`)
	change(t, db, `[
		{"op":"set_column","table":{"name":"t"},"column":{"name":"id"},"set":{"dataType":"bigint"}},
		{"op":"set_column","table":{"name":"u"},"column":{"name":"id"},"set":{"isIdentity":true,"defaultValue":""}}]`)
	assert.Equal(t, 10, one[int](t, db, "INSERT INTO t (plain) VALUES (0) RETURNING id"))
	assert.Equal(t, 42, one[int](t, db, "INSERT INTO u DEFAULT VALUES RETURNING id"))
	assert.Equal(t, "bigint", one[string](t, db, "SELECT data_type::text FROM pg_sequences WHERE sequencename = 't_id_seq'"))
	change(t, db, `[
		{"op":"set_column","table":{"name":"t"},"column":{"name":"id"},"set":{"isIdentity":false}},
		{"op":"set_column","table":{"name":"u"},"column":{"name":"id"},"set":{"identitySeed":100,"identityIncrement":5}}]`)
	assert.Equal(t, 0, one[int](t, db, "SELECT count(*) FROM pg_sequences WHERE sequencename = 't_id_seq'"))
	change(t, db, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"id"},"set":{"isIdentity":true,"name":"number"}},
		{"op":"set_table","createSchema":true,"table":{"name":"t"},"set":{"schema":"app"}}]`)
	assert.Equal(t, 11, one[int](t, db, "INSERT INTO app.t (plain) VALUES (0) RETURNING number"))
}

// altered changes a definition where edits cannot.
func altered(t testing.TB, base *designer.Schema, with func(*designer.Definition)) *designer.Schema {
	t.Helper()
	def := base.Definition()
	with(&def)
	design, err := base.Adopt(def)
	require.NoError(t, err)
	return design
}

func TestOptionsAndCommentsAreChanged(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE t (id serial, a integer GENERATED ALWAYS AS IDENTITY, c text DEFAULT 'x', PRIMARY KEY (id), UNIQUE (c), CHECK (c <> ''));
CREATE TABLE u (t integer, s text); ALTER TABLE u ADD CONSTRAINT fk FOREIGN KEY (t) REFERENCES t NOT VALID, ADD CONSTRAINT ck CHECK (t > 0) NOT VALID;
CREATE INDEX ix ON u (s)`)
	base := read(t, db)
	design := altered(t, base, func(d *designer.Definition) {
		tt, u := &d.Tables[0], &d.Tables[1]
		tt.Comment, tt.Columns[2].Comment, tt.PrimaryKey.Options = "a 'table'", "a column", map[string]string{OptionComment: "a key"}
		tt.Indexes[0].Options = map[string]string{OptionComment: "a constraint", OptionNullsNotDistinct: "true", OptionDeferrable: "deferred"}
		tt.Checks[0].Options = map[string]string{OptionComment: "a check"}
		tt.Columns[0].Options = map[string]string{OptionIdentity: IdentityAlways, OptionCache: "9"}
		tt.Columns[1].Options = map[string]string{OptionMaxValue: "99", OptionCycle: "true"}
		tt.Columns[2].Options = map[string]string{OptionStorage: "external", OptionStatistics: "7", OptionCompression: "pglz"}
		tt.Columns[2].Collation = "C"
		tt.Options = map[string]string{OptionWith: "fillfactor=50, autovacuum_enabled=false", OptionRowSecurity: "forced", OptionReplicaIdentity: "full"}
		u.ForeignKeys[0].Options, u.Checks[0].Options = nil, nil
		u.ForeignKeys[0].Deferrable = designer.DeferrableInitEnd
		u.Indexes[0].Options = map[string]string{OptionComment: "an index"}
		u.Options = map[string]string{OptionUnlogged: "true"}
	})
	become(t, db, base, design)
	now := read(t, db)
	become(t, db, now, altered(t, now, func(d *designer.Definition) { // and back
		was := base.Definition()
		d.Tables = was.Tables
	}))
	assert.Equal(t, base.Version(), read(t, db).Version())
}

func TestForeignKeysAreMadeAnewWhereTheirTypesChange(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE a (id integer PRIMARY KEY, b integer); CREATE TABLE b (id integer PRIMARY KEY, a integer REFERENCES a);
ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES b ON DELETE SET NULL; COMMENT ON CONSTRAINT a_b_fkey ON a IS 'kept';
INSERT INTO a VALUES (1, NULL); INSERT INTO b VALUES (1, 1); UPDATE a SET b = 1`)
	base := read(t, db)
	become(t, db, base, altered(t, base, func(d *designer.Definition) {
		for i := range d.Tables {
			for j := range d.Tables[i].Columns {
				d.Tables[i].Columns[j].DataType = "text"
			}
		}
	}))
	assert.Equal(t, "kept", one[string](t, db, "SELECT obj_description(oid, 'pg_constraint') FROM pg_constraint WHERE conname = 'a_b_fkey'"))
}

func TestTablesThatReferToEachOtherAreDropped(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE a (id integer PRIMARY KEY, b integer); CREATE TABLE b (id integer PRIMARY KEY, a integer REFERENCES a, self integer REFERENCES b);
ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES b`)
	change(t, db, `[{"op":"drop_table","table":{"name":"a"}},{"op":"drop_table","table":{"name":"b"}}]`)
	db = open(t, `CREATE TABLE a (id integer PRIMARY KEY, b integer); CREATE TABLE b (id integer PRIMARY KEY, a integer REFERENCES a, self integer REFERENCES b);
ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES b`)
	base := read(t, db)
	p := planned(t, base, altered(t, base, func(d *designer.Definition) { d.Tables = nil }))
	publish(t, db, p)
	assert.Zero(t, read(t, db).Len())
	assert.Len(t, p.Steps, 3)
}

func TestTablesSwapTheirSchemas(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE SCHEMA app; CREATE TABLE t (id serial PRIMARY KEY, a integer); CREATE INDEX ix ON t (a);
CREATE TABLE app.t (id serial PRIMARY KEY, b integer REFERENCES public.t); CREATE INDEX ix ON app.t (b)`)
	base := read(t, db)
	first, err := base.Table(designer.TableRef{Schema: "public", Name: "t"})
	require.Nil(t, err)
	second, err := base.Table(designer.TableRef{Schema: "app", Name: "t"})
	require.Nil(t, err)
	one, two := *first, *second
	one.Schema, two.Schema = "app", "public"
	design, failed := designer.Restore(base.Dialect(), []*designer.Table{&one, &two}, &designer.Options{Catalog: base.Catalog()})
	require.NoError(t, failed)
	become(t, db, base, design)
}

func TestWhatIsSharedByInheritanceIsNotChanged(t *testing.T) {
	t.Parallel()
	base := read(t, open(t, `CREATE TABLE p (a integer, CHECK (a > 0)); CREATE TABLE c (b integer) INHERITS (p);
CREATE TABLE r (a integer, b integer) PARTITION BY RANGE (a); CREATE TABLE r1 PARTITION OF r FOR VALUES FROM (1) TO (2)`))
	for edits, want := range map[string]string{
		`[{"op":"set_column","table":{"name":"p"},"column":{"name":"a"},"set":{"name":"b2"}}]`:  "table public.c inherits from it",
		`[{"op":"set_column","table":{"name":"c"},"column":{"name":"a"},"set":{"name":"b2"}}]`:  "column a is inherited",
		`[{"op":"drop_check","table":{"name":"c"},"check":{"name":"p_a_check"}}]`:               "check p_a_check is inherited",
		`[{"op":"set_column","table":{"name":"r"},"column":{"name":"a"},"set":{"name":"key"}}]`: "column a is part of its partition key",
	} {
		_, err := Engine{}.Plan(designer.DiffOf(base, edited(t, base, edits)))
		assert.ErrorContains(t, err, want)
	}
}

func TestAPartitionedTableChangesWithItsPartitions(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE r (a integer, b integer) PARTITION BY RANGE (a); CREATE TABLE r1 PARTITION OF r FOR VALUES FROM (1) TO (2);
CREATE INDEX r_b ON r (b); INSERT INTO r VALUES (1, 5)`)
	change(t, db, `[
		{"op":"set_column","table":{"name":"r"},"column":{"name":"b"},"set":{"name":"c","dataType":"text"}},
		{"op":"set_column","table":{"name":"r"},"column":{"name":"a"},"set":{"isPrimaryKey":true}},
		{"op":"add_column","table":{"name":"r"},"column":{"name":"d","dataType":"integer","defaultValue":"4"}},
		{"op":"set_table","table":{"name":"r"},"set":{"name":"range"}}]`)
	assert.Equal(t, "(1,5,4)", one[string](t, db, "SELECT r1::text FROM r1"))
}

func TestANewColumnThatMustNotBeNullIsSaidPlainly(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (a integer); INSERT INTO t VALUES (1)")
	base := read(t, db)
	p := planned(t, base, edited(t, base, `[{"op":"add_column","table":{"name":"t"},"column":{"name":"b","dataType":"integer","isNullable":false}}]`))
	require.Len(t, p.Steps, 1)
	assert.Equal(t, "ALTER TABLE public.t ADD COLUMN b integer NOT NULL", p.Steps[0].Statement)
	assert.Equal(t, []designer.Risk{designer.RiskMayFail}, p.Steps[0].Risks)
	err := Engine{}.Verify(context.Background(), db, p, nil)
	var refused *designer.StepError
	require.ErrorAs(t, err, &refused)
	assert.Zero(t, refused.Index)
	assert.ErrorContains(t, errors.Unwrap(err), "contains null values")
}

// tableOf returns a table that has to be there.
func tableOf(t testing.TB, s *designer.Schema, name string) *designer.Table {
	t.Helper()
	table, err := s.Table(designer.TableRef{Name: name})
	require.Nil(t, err)
	return table
}

func TestTextsOfADesignReachNoFurtherThanTheirPlace(t *testing.T) {
	base := edited(t, designer.New(Dialect(), nil), shop)
	const evil = `1); DROP TABLE customers; --`
	design := altered(t, base, func(d *designer.Definition) {
		o := &d.Tables[1]
		o.Options = map[string]string{OptionWith: evil, OptionTablespace: evil}
		o.Columns[0].DataType, o.Columns[1].TypeText, o.Columns[2].MaxLength = "integer, DROP COLUMN note", evil, evil
		o.Indexes[0].Parts[0].OpClass, o.Indexes[0].Method, o.Indexes[0].Options = evil, evil, map[string]string{OptionWith: evil}
		o.Columns[5].Options = map[string]string{OptionStatistics: evil, OptionStorage: evil, OptionCompression: evil}
		o.Columns[5].Collation, o.Columns[5].Comment = evil, evil
	})
	for _, s := range statements(planned(t, base, design)) {
		var words []string
		for _, w := range significant(s) {
			if w.Kind != sqltext.String && w.Kind != sqltext.Quoted {
				words = append(words, lower(w.Text))
			}
		}
		text := strings.Join(words, " ")
		assert.NotContains(t, words, ";", "%s", s)
		assert.NotContains(t, text, "drop table", "%s", s)
		assert.NotContains(t, text, "drop column note", "%s", s)
	}
}

func TestAKeyThatIsMadeAnewTakesItsForeignKeysAlong(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE a (id integer PRIMARY KEY, b text, UNIQUE (b)); CREATE TABLE c (a integer REFERENCES a, b text REFERENCES a (b) ON DELETE CASCADE DEFERRABLE);
CREATE TABLE apart (id integer PRIMARY KEY, self integer REFERENCES apart); INSERT INTO a VALUES (1, 'x'); INSERT INTO c VALUES (1, 'x')`)
	base := read(t, db)
	p := become(t, db, base, altered(t, base, func(d *designer.Definition) {
		d.Tables[0].PrimaryKey.Options = map[string]string{OptionWith: "fillfactor=80", OptionInclude: "b"}
		d.Tables[0].Indexes[0].Options = map[string]string{OptionNullsNotDistinct: "true"}
		d.Tables[0].Columns[1].DataType = "varchar"
	}))
	assert.Equal(t, []string{
		"ALTER TABLE public.c DROP CONSTRAINT c_a_fkey", "ALTER TABLE public.c DROP CONSTRAINT c_b_fkey",
		"ALTER TABLE public.a DROP CONSTRAINT a_b_key", "ALTER TABLE public.a DROP CONSTRAINT a_pkey",
		"ALTER TABLE public.a ALTER COLUMN b TYPE varchar",
		"ALTER TABLE public.a ADD CONSTRAINT a_pkey PRIMARY KEY (id) INCLUDE (b) WITH (fillfactor=80)",
		"ALTER TABLE public.a ADD CONSTRAINT a_b_key UNIQUE NULLS NOT DISTINCT (b)",
		"ALTER TABLE public.c ADD CONSTRAINT c_a_fkey FOREIGN KEY (a) REFERENCES public.a (id)",
		"ALTER TABLE public.c ADD CONSTRAINT c_b_fkey FOREIGN KEY (b) REFERENCES public.a (b) ON DELETE CASCADE DEFERRABLE",
	}, statements(p))
}

func TestEnumsAndDomainsAreTypesOfAnEdit(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE SCHEMA app; CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN app."Email" AS text CHECK (VALUE ~ '@'); CREATE EXTENSION citext;
CREATE TABLE t (a text, b mood, c citext); INSERT INTO t VALUES ('ok', 'sad', 'X')`)
	change(t, db, `[
		{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"dataType":"mood","defaultValue":"'sad'"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"b"},"set":{"dataType":"public.mood[]"}},
		{"op":"add_column","table":{"name":"t"},"column":{"name":"mail","dataType":"app.Email"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{"dataType":"text"}},
		{"op":"add_column","table":{"name":"t"},"column":{"name":"d","dataType":"citext","isNullable":false,"defaultValue":"'Y'"}}]`)
	assert.Equal(t, "(ok,{sad},X,,Y)", one[string](t, db, "SELECT t::text FROM t"))
}

const films = `CREATE TABLE film (id serial PRIMARY KEY, title text NOT NULL, "Sub title" text, note text, fulltext tsvector, at timestamptz);
CREATE TRIGGER fulltext BEFORE INSERT OR UPDATE OF title ON film FOR EACH ROW
  EXECUTE FUNCTION tsvector_update_trigger('fulltext', 'pg_catalog.english', 'title', 'Sub title');
COMMENT ON TRIGGER fulltext ON film IS 'kept';
CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.title <> OLD."title" THEN NEW.note := upper(NEW . title); END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION shout() FROM PUBLIC;
CREATE TRIGGER shout BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION shout();
ALTER TABLE film ENABLE ALWAYS TRIGGER shout;
INSERT INTO film (title) VALUES ('one'), ('two')`

// Every write of a table failed after a column was renamed that its triggers
// name in arguments, or behind NEW and OLD.
func TestTriggersFollowNewNamesOfColumns(t *testing.T) {
	t.Parallel()
	db := open(t, films)
	before := one[string](t, db, "SELECT proacl::text FROM pg_proc WHERE proname = 'shout'")
	p := change(t, db, `[{"op":"set_column","table":{"name":"film"},"column":{"name":"title"},"set":{"name":"it's Title"}},
		{"op":"set_column","table":{"name":"film"},"column":{"name":"Sub title"},"set":{"name":"title"}},
		{"op":"set_table","table":{"name":"film"},"set":{"name":"movie"}}]`)
	assert.Empty(t, p.Notes)
	assert.NotContains(t, p.Risks(), designer.RiskBreaks)
	run(t, db, `UPDATE movie SET "it's Title" = 'three', title = 'sub' WHERE id = 1`)
	assert.Equal(t, "THREE|'sub':2 'three':1", one[string](t, db, "SELECT note || '|' || fulltext FROM movie WHERE id = 1"))
	assert.Equal(t, before, one[string](t, db, "SELECT proacl::text FROM pg_proc WHERE proname = 'shout'"))
	assert.Equal(t, "A", one[string](t, db, "SELECT tgenabled::text FROM pg_trigger WHERE tgname = 'shout'"))
	assert.Equal(t, "kept", one[string](t, db, "SELECT obj_description(oid, 'pg_trigger') FROM pg_trigger WHERE tgname = 'fulltext'"))
}

// A column whose type changes takes its triggers away for a moment: they come
// back with the new names.
func TestTriggersFollowNewNamesBesideNewTypes(t *testing.T) {
	t.Parallel()
	db := open(t, films)
	change(t, db, `[{"op":"set_column","table":{"name":"film"},"column":{"name":"title"},"set":{"name":"name","dataType":"varchar","maxLength":"90"}}]`)
	run(t, db, "UPDATE film SET name = 'four' WHERE id = 1")
	assert.Equal(t, "'four':1", one[string](t, db, "SELECT fulltext::text FROM film WHERE id = 1"))
}

func TestAColumnThatATriggerNamesInItsArgumentsIsNotDropped(t *testing.T) {
	t.Parallel()
	db := open(t, films)
	base := read(t, db)
	_, err := Engine{}.Plan(designer.DiffOf(base, edited(t, base, `[{"op":"drop_column","table":{"name":"film"},"column":{"name":"Sub title"}}]`)))
	assert.ErrorContains(t, err, "table public.film: the trigger fulltext of public.film uses column Sub title: drop or change that first")
}

const bodies = `CREATE TABLE film (id integer PRIMARY KEY, title text, note text);
CREATE TABLE other (id integer PRIMARY KEY, title text);
CREATE FUNCTION plain(x integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r text;
BEGIN
  -- title is not read here
  SELECT f.title INTO r FROM film f WHERE f.id = x;
  RETURN r;
END $$;
CREATE FUNCTION dynamic() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'UPDATE film SET title = ''x'''; END $$;
CREATE PROCEDURE sqltext() LANGUAGE sql AS 'UPDATE film SET title = NULL';
CREATE FUNCTION apart() RETURNS text LANGUAGE sql AS 'SELECT title FROM other';
CREATE FUNCTION bound() RETURNS text LANGUAGE sql BEGIN ATOMIC SELECT title FROM film; END;
CREATE FUNCTION shared() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.title := 'x'; RETURN NEW; END $$;
CREATE TRIGGER a BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION shared();
CREATE TRIGGER b BEFORE UPDATE ON other FOR EACH ROW EXECUTE FUNCTION shared();
CREATE FUNCTION args() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER c BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION args('x', 'title')`

func TestTextsThatNameWhatIsRenamedOrDroppedAreARisk(t *testing.T) {
	t.Parallel()
	const reads = ": the server keeps its text, change it."
	named := []string{
		"The routine public.dynamic() names public.film.title, which is renamed to name, on line 1 of its body" + reads,
		"The routine public.plain(integer) names public.film.title, which is renamed to name, on line 4 of its body" + reads,
		"The routine public.shared() names public.film.title, which is renamed to name, on line 1 of its body" + reads,
		"The routine public.sqltext() names public.film.title, which is renamed to name, on line 1 of its body" + reads,
		"The trigger c of public.film passes public.film.title, which is renamed to name, to its function as argument 2" + reads,
	}
	for _, tt := range []struct {
		edits string
		notes []string
		steps []string // with the risk
	}{
		{`[{"op":"set_column","table":{"name":"film"},"column":{"name":"title"},"set":{"name":"name"}}]`, named,
			[]string{"rename column public.film.title to name"}},
		{`[{"op":"set_column","table":{"name":"film"},"column":{"name":"note"},"set":{"name":"remark"}}]`, nil, nil},
		{`[{"op":"drop_column","table":{"name":"other"},"column":{"name":"title"}}]`, []string{
			"The routine public.apart() names public.other.title, which is dropped, on line 1 of its body" + reads,
			"The routine public.shared() names public.other.title, which is dropped, on line 1 of its body" + reads,
		}, []string{"drop column public.other.title"}},
		{`[{"op":"set_table","table":{"name":"other"},"set":{"name":"others"}}]`,
			[]string{"The routine public.apart() names public.other, which is renamed to others, on line 1 of its body" + reads},
			[]string{"rename table public.other to others"}},
		{`[{"op":"drop_table","table":{"name":"other"}}]`,
			[]string{"The routine public.apart() names public.other, which is dropped, on line 1 of its body" + reads},
			[]string{"drop table public.other"}},
	} {
		p := change(t, open(t, bodies), tt.edits)
		assert.Equal(t, tt.notes, p.Notes, tt.edits)
		var steps []string
		for _, s := range p.Steps {
			if slices.Contains(s.Risks, designer.RiskBreaks) {
				steps = append(steps, s.Comment)
			}
		}
		assert.Equal(t, tt.steps, steps, tt.edits)
	}
}

// A function that somebody else owns, or whose NEW may be another table's, is
// left alone.
func TestAFunctionIsRewrittenOnlyWhereItIsCertain(t *testing.T) {
	t.Parallel()
	db := open(t, bodies)
	before := one[string](t, db, "SELECT prosrc FROM pg_proc WHERE proname = 'shared'")
	change(t, db, `[{"op":"set_column","table":{"name":"film"},"column":{"name":"title"},"set":{"name":"name"}}]`)
	assert.Equal(t, before, one[string](t, db, "SELECT prosrc FROM pg_proc WHERE proname = 'shared'"))
}

func TestATableIsNotDroppedWithoutItsHeirs(t *testing.T) {
	t.Parallel()
	const script = `CREATE TABLE a (id integer, body text); CREATE TABLE b (extra text) INHERITS (a); CREATE TABLE c () INHERITS (b)`
	db := open(t, script)
	base := read(t, db)
	_, err := Engine{}.Plan(designer.DiffOf(base, edited(t, base, `[{"op":"drop_table","table":{"name":"a"}}]`)))
	assert.ErrorContains(t, err, "table public.a: table public.b inherits from it: drop that first")
	change(t, db, `[{"op":"drop_table","table":{"name":"a"}},{"op":"drop_table","table":{"name":"b"}},{"op":"drop_table","table":{"name":"c"}}]`)
}
