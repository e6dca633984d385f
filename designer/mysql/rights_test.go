package mysql_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"strings"
	"testing"

	driver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mysql"
)

// users makes users of the server, gone with the test. A name may hold @.
func users(t *testing.T, db *sql.DB) (definer, publisher string) {
	t.Helper()
	suffix := strings.ToLower(rand.Text()[:8])
	definer, publisher = "b_"+suffix+"@'d", "b_"+suffix+"_p"
	for _, name := range []string{definer, publisher} {
		quoted := "`" + name + "`@`%`"
		exec(t, db, "CREATE USER "+quoted+" IDENTIFIED BY 'x'", "GRANT ALL ON `"+values(t, db, "SELECT DATABASE()")[0]+"`.* TO "+quoted,
			"GRANT ALL ON `berth\\_scratch\\_%`.* TO "+quoted)
		t.Cleanup(func() { exec(t, db, "DROP USER "+quoted) })
	}
	return definer, publisher
}

// defined makes views and triggers of a definer of their own.
func defined(t *testing.T, db *sql.DB, definer string) {
	t.Helper()
	by := "DEFINER=`" + definer + "`@`%` "
	exec(t, db, "CREATE TABLE a (id int PRIMARY KEY, n int, total int)", "INSERT INTO a VALUES (1, 2, 3)",
		"CREATE "+by+"VIEW v AS SELECT n FROM a", "CREATE "+by+"SQL SECURITY INVOKER VIEW w AS SELECT a.n, v.n AS m FROM a JOIN v",
		"CREATE VIEW mine AS SELECT n FROM a", "CREATE "+by+"VIEW apart AS SELECT total FROM a",
		"CREATE "+by+"TRIGGER t1 BEFORE UPDATE ON a FOR EACH ROW SET NEW.n = OLD.n + 1", "CREATE TRIGGER t2 AFTER UPDATE ON a FOR EACH ROW SET @n = NEW.n",
		"CREATE "+by+"TRIGGER t3 AFTER INSERT ON a FOR EACH ROW SET @n = NEW.total")
}

// definers is whose every view and trigger is, and with whose rights it acts.
func definers(t *testing.T, db *sql.DB) []string {
	t.Helper()
	return values(t, db, "SELECT CONCAT_WS(' ', TABLE_NAME, DEFINER, SECURITY_TYPE) FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE()"+
		" UNION ALL SELECT CONCAT_WS(' ', TRIGGER_NAME, DEFINER) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() ORDER BY 1")
}

const otherNames = `[{"op":"set_column","table":{"name":"a"},"column":{"name":"n"},"set":{"name":"number"}}]`

func TestAViewAndATriggerThatFollowNewNamesKeepTheirDefiner(t *testing.T) {
	db := newDatabase(t)
	definer, _ := users(t, db)
	defined(t, db, definer)
	before := definers(t, db)
	require.Len(t, before, 7)
	plan := publish(t, db, otherNames)
	assert.Equal(t, before, definers(t, db), plan.Script())
	assert.Equal(t, []string{"2"}, values(t, db, "SELECT n FROM w"))
	exec(t, db, "UPDATE a SET id = 5")
	assert.Equal(t, []string{"3"}, values(t, db, "SELECT n FROM mine"))
	for _, s := range plan.Steps {
		if strings.HasPrefix(s.Reverse, "CREATE ") && strings.Contains(s.Reverse, "`v`") {
			assert.Contains(t, s.Reverse, "DEFINER=")
		}
	}
}

func TestWhatMayNotKeepItsDefinerIsNotMadeAnew(t *testing.T) {
	admin, dsn := enginetest.MySQL().New(t)
	definer, publisher := users(t, admin)
	db := openAs(t, dsn, func(c *driver.Config) { c.User, c.Passwd = publisher, "x" })
	for _, tt := range []struct{ drop, message string }{
		{"", "trigger t1 would have to be re-created with the new names"},
		{"DROP TRIGGER t1", "view v would have to be re-created with the new names"},
	} {
		exec(t, admin, "DROP VIEW IF EXISTS v, w, mine, apart", "DROP TABLE IF EXISTS a")
		defined(t, admin, definer)
		exec(t, admin, "DROP VIEW mine", "DROP TRIGGER t2") // of a third
		if tt.drop != "" {
			exec(t, admin, tt.drop)
		}
		before, base := definers(t, admin), build(t, read(t, db))
		design, err := designer.Restore(base.Dialect(), base.Tables(), &designer.Options{DefaultSchema: "app", Catalog: base.Catalog()})
		require.NoError(t, err)
		apply(t, design, otherNames)
		_, err = mysql.Engine{}.Plan(designer.DiffOf(base, design))
		var refused *designer.PlanError
		require.ErrorAs(t, err, &refused)
		assert.Contains(t, refused.Message, tt.message)
		assert.Contains(t, refused.Message, "definer `"+definer+"`@`%`")
		assert.Equal(t, before, definers(t, admin))
	}
	exec(t, admin, "DROP VIEW v, w")
	base, design, plan := change(t, db, otherNames) // which what is left needs no new text for
	require.NoError(t, mysql.Engine{}.Publish(context.Background(), db, plan, 0, nil))
	isDesign(t, db, base, design, plan)

	exec(t, admin, "GRANT SET USER ON *.* TO `"+publisher+"`@`%`", "CREATE DEFINER=`"+definer+"`@`%` VIEW v AS SELECT number FROM a")
	before := definers(t, admin)
	publish(t, db, `[{"op":"set_column","table":{"name":"a"},"column":{"name":"number"},"set":{"name":"again"}}]`)
	assert.Equal(t, before, definers(t, admin), "a right to set it is enough")
}

// The server keeps rights by the names of tables and columns: the plan says
// which stay behind, and what it says moves them.
func TestRightsThatDoNotFollowNewNamesAreNamed(t *testing.T) {
	db := newDatabase(t)
	_, user := users(t, db)
	odd, _ := users(t, db)
	load(t, db, "CREATE TABLE customer (id int PRIMARY KEY, email varchar(9), n int); CREATE TABLE other (id int PRIMARY KEY);")
	for _, name := range []string{user, odd} {
		exec(t, db, "REVOKE ALL, GRANT OPTION FROM `"+name+"`@`%`")
	}
	exec(t, db, "GRANT SELECT, DELETE, UPDATE (email, n) ON customer TO `"+user+"`@`%`", "GRANT INSERT (email) ON customer TO `"+odd+"`@`%` WITH GRANT OPTION",
		"GRANT SELECT ON other TO `"+user+"`@`%`")
	held := func() []string {
		return values(t, db, "SELECT CONCAT_WS(' ', SUBSTR(GRANTEE, 2, 10), TABLE_NAME, '', PRIVILEGE_TYPE) FROM information_schema.TABLE_PRIVILEGES "+
			"WHERE TABLE_SCHEMA = DATABASE() AND PRIVILEGE_TYPE <> 'USAGE' UNION SELECT CONCAT_WS(' ', SUBSTR(GRANTEE, 2, 10), TABLE_NAME, COLUMN_NAME, PRIVILEGE_TYPE) "+
			"FROM information_schema.COLUMN_PRIVILEGES WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1")
	}
	before := held()
	require.Len(t, before, 6)
	_, _, plan := change(t, db, `[{"op":"add_column","table":{"name":"customer"},"column":{"name":"x","dataType":"int"}},
		{"op":"add_column","table":{"name":"other"},"column":{"name":"x","dataType":"int"}}]`)
	assert.Empty(t, plan.Notes, "no name changes")
	plan = publish(t, db, `[{"op":"set_table","table":{"name":"customer"},"set":{"name":"client"}},
		{"op":"set_column","table":{"name":"client"},"column":{"name":"email"},"set":{"name":"e mail"}}]`)
	require.Len(t, plan.Notes, 2)
	assert.Contains(t, plan.Notes, "Rights that `"+user+"`@`%` was granted on customer do not follow the new names. To move them: "+
		"GRANT DELETE, SELECT, UPDATE (`e mail`, `n`) ON `client` TO `"+user+"`@`%`; REVOKE DELETE, SELECT, UPDATE (`email`, `n`) ON `customer` FROM `"+user+"`@`%`.")
	assert.Equal(t, before, held(), "nothing has followed")
	for _, note := range plan.Notes {
		_, does, found := strings.Cut(strings.TrimSuffix(note, "."), "To move them: ")
		require.True(t, found, note)
		exec(t, db, strings.Split(does, "; ")...)
	}
	want := make([]string, len(before))
	for i, one := range before {
		want[i] = strings.NewReplacer("customer", "client", "email", "e mail").Replace(one)
	}
	assert.ElementsMatch(t, want, held())
}
