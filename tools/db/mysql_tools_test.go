package db

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/driver"
)

func TestExecutingOnMySQL(t *testing.T) {
	t.Parallel()
	s := mysqlServed(t, "CREATE TABLE t (a int AUTO_INCREMENT PRIMARY KEY, b blob, c decimal(20,10), d varchar(20) UNIQUE) ENGINE=InnoDB")
	s.config.AllowWrites = true
	c := s.connect(t, settings{Timeout: 2 * time.Second})
	for _, tt := range []struct{ statement, want string }{
		{"INSERT INTO t (b, c, d) VALUES (x'00ff', 1.5, 'x'), ('y', 2, 'it''s')", `{"rowsAffected":2,`},
		{"INSERT INTO t (b, c) VALUES ('z', 3) RETURNING a, b, c", `"rows":[[3,{"$base64":"eg=="},"3.0000000000"]],"rowCount":1,"truncated":false`},
		{"UPDATE t SET c = 9 WHERE a = 1", `{"rowsAffected":1,`},
		{"WITH x AS (SELECT 1 AS a) SELECT a FROM x", `"rows":[[1]]`},
		{"INSERT INTO t (d) VALUES ('x')", "Duplicate entry 'x' for key 'd'"},
		{"DELETE FROM t WHERE nope = 1", "Unknown column 'nope'"},
		{"CREATE PROCEDURE p() BEGIN DELETE FROM t; SELECT 1 AS one; END", `{"rowsAffected":0,`},
		{"CALL p()", `"rows":[[1]]`},
		{"ALTER TABLE t ADD e int", `{"rowsAffected":0,`},
		{"CREATE PROCEDURE q() SELECT 1; DROP TABLE t", "You have an error in your SQL syntax"},
		{"INSERT INTO t (a) SELECT sleep(20)", "time limit of 2s; ask for less, or raise timeout in the project's settings; nothing was changed"},
	} {
		t.Run(tt.statement, func(t *testing.T) {
			r := c.executeCall(t.Context(), tt.statement)
			assert.Contains(t, r.Content[0], tt.want)
			assert.Equal(t, !strings.HasPrefix(r.Content[0], "{"), r.IsError)
		})
	}
	assert.Contains(t, c.call(t.Context(), "run-query", `{"query":"SELECT count(*) AS n FROM t"}`).Content[0], `"rows":[[0]]`)
	assert.Eventually(t, func() bool {
		var n int
		err := s.Owner.QueryRow("SELECT count(*) FROM information_schema.processlist WHERE db = database() AND info LIKE 'INSERT INTO t (a) SELECT sleep%'").Scan(&n)
		return err == nil && n == 0
	}, 10*time.Second, 50*time.Millisecond, "the statement that was ended has ended on the server")
}

func TestExploringMySQL(t *testing.T) {
	s := mysqlServed(t, "CREATE TABLE customers (id int PRIMARY KEY, email varchar(50) NOT NULL COMMENT 'unique', UNIQUE KEY u (email));;\n"+
		"CREATE TABLE orders (id int PRIMARY KEY, customer_id int, FOREIGN KEY (customer_id) REFERENCES customers (id));;\nINSERT INTO customers VALUES (1, 'a')")
	c := s.connect(t, settings{})
	r := c.call(t.Context(), "explain-query", `{"query":"SELECT * FROM customers WHERE email = 'x'"}`)
	require.False(t, r.IsError, r.Content)
	assert.Contains(t, r.Content[0], "select_type")
	r = c.call(t.Context(), "explain-query", `{"query":"SELECT * FROM orders","format":"json"}`)
	require.False(t, r.IsError, r.Content)
	assert.True(t, json.Valid([]byte(r.Content[0])), r.Content[0])
	r = c.call(t.Context(), "sample-table", `{"table":"Customers"}`)
	assert.Contains(t, r.Content[0], `"rows":[[1,"a"]]`)
	r = c.call(t.Context(), "search-schema", `{"pattern":"customer","detail":"full"}`)
	require.False(t, r.IsError, r.Content)
	assert.Contains(t, r.Content[0], `{"table":"customers","columns":["id int not null","email varchar(50) not null -- unique"],"primaryKey":["id"]`)
	assert.Contains(t, r.Content[0], `"foreignKeys":["(customer_id) references customers (id)"]`)
}

func TestPrivilegesOfMySQLAreThoseOfTheLogin(t *testing.T) {
	s := mysqlServed(t, "CREATE TABLE a (x int)")
	ask := func(c testProject) driver.Privileges {
		info := c.List(t.Context())[0]
		require.NoError(t, info.Err)
		return info.Privileges
	}
	root := ask(s.connect(t, settings{}))
	assert.True(t, root.Write)
	assert.Contains(t, root.String(), "on *.*")
	l := s.Ordinary(t)
	ordinary := ask(s.connect(t, settings{}, l))
	assert.Equal(t, []string{"EXECUTE on " + s.config.Address.Database + ".*"}, ordinary.Why, "a routine may do what its maker can")
	s.Exec(t, "GRANT DELETE ON "+s.config.Address.Database+".a TO "+l.User)
	assert.Contains(t, ask(s.connect(t, settings{}, l)).String(), "DELETE on "+s.config.Address.Database+".a")
}
