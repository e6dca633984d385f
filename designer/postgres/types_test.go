package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// attempt runs statements in a transaction that is rolled back.
func attempt(t *testing.T, db *sql.DB, statements ...string) error {
	t.Helper()
	tx, err := db.BeginTx(context.Background(), nil)
	require.NoError(t, err)
	defer func() { assert.NoError(t, tx.Rollback()) }()
	for _, s := range statements {
		if _, err := tx.Exec(s); err != nil {
			return err
		}
	}
	return nil
}

// tryPairs makes a key of every pair of the types, and keeps none.
const tryPairs = `DO $$
DECLARE a text; b text;
BEGIN
	FOR b IN SELECT name FROM kind LOOP
		BEGIN
			EXECUTE format('CREATE TABLE %I (x %s PRIMARY KEY)', 'b ' || b, b);
		EXCEPTION WHEN undefined_object THEN
			CONTINUE; -- nothing can refer to it
		END;
		FOR a IN SELECT name FROM kind LOOP
			BEGIN
				EXECUTE format('ALTER TABLE %I ADD FOREIGN KEY (x) REFERENCES %I', 'a ' || a, 'b ' || b);
				RAISE 'it does' USING ERRCODE = 'ZZ001';
			EXCEPTION
				WHEN SQLSTATE 'ZZ001' THEN INSERT INTO pair VALUES (a, b, true);
				WHEN datatype_mismatch THEN INSERT INTO pair VALUES (a, b, false);
			END;
		END LOOP;
	END LOOP;
END $$`

func TestForeignKeysPairTheTypesThatTheServerPairs(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE kind (name text); CREATE TABLE pair (a text, b text, yes boolean)")
	names := map[string]string{}
	for _, info := range types() {
		names[sample(info)] = info.Name
		run(t, db, fmt.Sprintf(`INSERT INTO kind VALUES ('%[1]s'); CREATE TABLE "a %[1]s" (x %[1]s)`, sample(info)))
	}
	run(t, db, tryPairs)
	rows, err := db.Query("SELECT a, b, yes FROM pair")
	require.NoError(t, err)
	n := 0
	for ; rows.Next(); n++ {
		var a, b string
		var yes bool
		require.NoError(t, rows.Scan(&a, &b, &yes))
		assert.Equal(t, yes, sameFamily(designer.Column{DataType: names[a]}, designer.Column{DataType: names[b]}), "%s to %s", a, b)
	}
	require.NoError(t, rows.Err())
	assert.Greater(t, n, 1000)
}

// sample spells a type with a length where it needs one.
func sample(t designer.TypeInfo) string {
	if t.Length == designer.Required {
		return t.Name + "(3)"
	}
	return t.Name
}

func TestTheServerKnowsEveryTypeByAllItsNames(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	for _, info := range types() {
		var want string
		require.NoError(t, db.QueryRow("SELECT $1::regtype::oid::text", info.Name).Scan(&want), info.Name)
		for _, alias := range info.Aliases {
			var got string
			require.NoError(t, db.QueryRow("SELECT $1::regtype::oid::text", alias).Scan(&got), alias)
			assert.Equal(t, want, got, "%s is %s", alias, info.Name)
		}
		err := attempt(t, db, fmt.Sprintf("CREATE TABLE t (x %s GENERATED ALWAYS AS IDENTITY)", sample(info)))
		assert.Equal(t, info.Identity, err == nil, "%s as identity: %v", info.Name, err)
	}
}

func TestEveryWordTheServerReservesIsKnown(t *testing.T) {
	t.Parallel()
	rows, err := open(t, "").Query("SELECT word, catcode IN ('R', 'T') FROM pg_get_keywords() WHERE catcode <> 'U'")
	require.NoError(t, err)
	reserved, n := Dialect().Reserved, 0
	for rows.Next() {
		var word string
		var strict bool
		require.NoError(t, rows.Scan(&word, &strict))
		assert.Equal(t, strict, reserved[word], word)
		assert.True(t, quoted[word], word)
		n++
	}
	require.NoError(t, rows.Err())
	assert.Greater(t, n, 100)
}
