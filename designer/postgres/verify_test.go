package postgres

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// firing are triggers of every kind that leave a trace that no rollback takes
// back.
const firing = `CREATE SEQUENCE fired;
CREATE TABLE parent (id integer PRIMARY KEY);
CREATE TABLE t (id integer PRIMARY KEY, a integer DEFAULT 1, b text, p integer REFERENCES parent, c integer GENERATED ALWAYS AS (a * 2) STORED);
CREATE VIEW v AS SELECT a FROM t;
INSERT INTO parent VALUES (1); INSERT INTO t (id, a, b, p) VALUES (1, 1, 'x', 1), (2, 2, 'y', 1);
CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('fired'); RETURN NULL; END $$;
CREATE TRIGGER rows AFTER INSERT OR UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION fire();
CREATE TRIGGER statements AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON t FOR EACH STATEMENT EXECUTE FUNCTION fire();
CREATE TRIGGER parents AFTER INSERT OR UPDATE OR DELETE ON parent FOR EACH ROW EXECUTE FUNCTION fire();
ALTER TABLE t ENABLE ALWAYS TRIGGER rows;
CREATE FUNCTION fire_event() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('fired'); END $$;
CREATE EVENT TRIGGER "on end" ON ddl_command_end EXECUTE FUNCTION fire_event();
CREATE EVENT TRIGGER on_rewrite ON table_rewrite EXECUTE FUNCTION fire_event();
CREATE EVENT TRIGGER on_drop ON sql_drop EXECUTE FUNCTION fire_event();
ALTER EVENT TRIGGER on_drop ENABLE ALWAYS;
SELECT setval('fired', 1, false)`

const muchChanges = `[
	{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"name":"aa","dataType":"bigint","isNullable":false}},
	{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{"computedFormula":"aa * 3","dataType":"bigint"}},
	{"op":"add_column","table":{"name":"t"},"column":{"name":"d","dataType":"timestamptz","defaultValue":"clock_timestamp()"}},
	{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}},
	{"op":"drop_foreign_key","table":{"name":"t"},"foreignKey":{"name":"t_p_fkey"}},
	{"op":"set_column","table":{"name":"parent"},"column":{"name":"id"},"set":{"isIdentity":true}},
	{"op":"add_table","table":{"name":"u"},"initialColumns":[{"name":"id","dataType":"integer","isPrimaryKey":true}]},
	{"op":"set_table","table":{"name":"t"},"set":{"name":"tt"}}]`

// What a trigger does may reach outside, and a sequence does not roll back.
func TestVerifyFiresNoTrigger(t *testing.T) {
	t.Parallel()
	db := open(t, firing)
	base := read(t, db)
	p := planned(t, base, edited(t, base, muchChanges))
	require.NoError(t, Engine{}.Verify(t.Context(), db, p, nil), "%s", p.Script())
	assert.False(t, one[bool](t, db, "SELECT is_called FROM fired"), "a trigger ran")
	assert.Equal(t, "O,A,O", one[string](t, db, "SELECT string_agg(evtenabled::text, ',' ORDER BY evtname) FROM pg_event_trigger"), "they are on for all others")
	publish(t, db, p)
	assert.True(t, one[bool](t, db, "SELECT is_called FROM fired"), "a publish is no trial")
}

func TestAnEventTriggerThatCannotBeSwitchedOffKeepsATrialFromBeingMade(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	p.script(firing + "; ALTER TABLE t OWNER TO {owner}; ALTER TABLE parent OWNER TO {owner}; GRANT ALL ON SCHEMA public TO {owner}; SELECT setval('fired', 1, false)")
	db := p.as(p.owner)
	base := read(t, db)
	plan := planned(t, base, edited(t, base, `[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`))
	var rest *designer.NotTriedError
	require.ErrorAs(t, Engine{}.Verify(t.Context(), db, plan, nil), &rest)
	assert.Contains(t, rest.Reason, "the event trigger on end would run at each step of a trial")
	assert.False(t, one[bool](t, p.db, "SELECT is_called FROM fired"))
}
