package postgres

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is left out because there is nothing of it has no rows, and every part is
// read where there is something.
func TestNoPartThatHasRowsIsLeftOut(t *testing.T) {
	seen, v := map[string]bool{subscriptionQuery: true}, version(0) // a database with one cannot be dropped
	for name, script := range map[string]string{"nothing": "", "everything": file(t, "everything.sql"), "more": `
		CREATE FUNCTION order_of(int, int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $2 - $1'; CREATE AGGREGATE biggest(int) (SFUNC = int4larger, STYPE = int);
		CREATE OPERATOR <<< (FUNCTION = int4lt, LEFTARG = int, RIGHTARG = int); CREATE OPERATOR FAMILY f USING hash;
		CREATE OPERATOR CLASS down FOR TYPE int USING btree AS OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=, OPERATOR 5 <, FUNCTION 1 order_of(int, int);
		CREATE TYPE pair AS (a int, b int); CREATE CAST (pair AS text) WITH INOUT; CREATE CONVERSION c FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
		CREATE LANGUAGE mine HANDLER plpgsql_call_handler; CREATE TRANSFORM FOR int LANGUAGE mine (FROM SQL WITH FUNCTION prsd_lextype(internal));
		CREATE ACCESS METHOD heap2 TYPE TABLE HANDLER heap_tableam_handler; CREATE TEXT SEARCH PARSER p (START = prsd_start, GETTOKEN = prsd_nexttoken, END = prsd_end, LEXTYPES = prsd_lextype);
		CREATE TEXT SEARCH TEMPLATE t (LEXIZE = dsimple_lexize); CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = simple); CREATE TEXT SEARCH CONFIGURATION g (COPY = simple);
		CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w; CREATE USER MAPPING FOR CURRENT_USER SERVER s; CREATE PUBLICATION pub;
		CREATE FUNCTION heard() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION heard();
		ALTER EVENT TRIGGER e DISABLE; COMMENT ON SCHEMA public IS 'ours'`} {
		tx, err := open(t, script).Begin()
		require.NoError(t, err)
		v, err = readSettings(t.Context(), tx)
		require.NoError(t, err)
		some, err := readParts(t.Context(), tx, v)
		require.NoError(t, err)
		for _, p := range everyPart(v) {
			rows := 0
			require.NoError(t, tx.QueryRow("SELECT count(*) FROM ("+p.query+") x").Scan(&rows), p.query)
			if rows > 0 {
				assert.Contains(t, some, p, name)
				seen[p.query] = true
			}
		}
		if name == "nothing" {
			assert.Len(t, some, 1, "the comments of schemas")
		}
		require.NoError(t, tx.Rollback())
	}
	for _, p := range everyPart(v) {
		assert.True(t, seen[p.query], p.query)
	}
}
