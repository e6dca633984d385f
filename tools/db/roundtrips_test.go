package db

import (
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tripCounter stands between berth and a server, and counts round trips: how
// often the server answers.
type tripCounter struct {
	mu    sync.Mutex
	trips []int  // of each connection
	asked []bool // the client spoke last
	bytes int    // that the server sent
}

// counted puts a tripCounter before the server of s.
func counted(t testing.TB, s served) (served, *tripCounter) {
	t.Helper()
	server := net.JoinHostPort(s.config.Address.Host, strconv.Itoa(s.config.Address.Port))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	c := &tripCounter{}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go c.forward(client, server)
		}
	}()
	s.config.Address.Host, s.config.Address.Port = "127.0.0.1", l.Addr().(*net.TCPAddr).Port
	return s, c
}

func (c *tripCounter) forward(client net.Conn, address string) {
	defer client.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	c.mu.Lock()
	n := len(c.trips)
	c.trips, c.asked = append(c.trips, 0), append(c.asked, true)
	c.mu.Unlock()
	spoke := func(byServer bool, bytes int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if byServer && c.asked[n] {
			c.trips[n]++
		}
		if byServer {
			c.bytes += bytes
		}
		c.asked[n] = !byServer
	}
	go func() {
		pass(server, client, func(n int) { spoke(false, n) })
		_ = server.Close()
	}()
	pass(client, server, func(n int) { spoke(true, n) })
}

// pass copies, and notes each read before it is passed on.
func pass(to, from net.Conn, note func(n int)) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			note(n)
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// during counts the round trips of f on connections that are there already.
func (c *tripCounter) during(f func()) int {
	c.mu.Lock()
	known := len(c.trips)
	before := sum(c.trips[:known])
	c.mu.Unlock()
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	return sum(c.trips[:known]) - before
}

// bytesOf counts what the server sends during f.
func (c *tripCounter) bytesOf(f func()) int {
	read := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.bytes
	}
	before := read()
	f()
	return read() - before
}

func sum(all []int) (n int) {
	for _, v := range all {
		n += v
	}
	return n
}

// settled waits until every connection has been quiet for a while: berth may
// be opening one ahead.
func (c *tripCounter) settled(t testing.TB) {
	t.Helper()
	read := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return sum(c.trips) + len(c.trips)
	}
	for last, same := read(), 0; same < 4; {
		time.Sleep(25 * time.Millisecond)
		if now := read(); now == last {
			same++
		} else {
			last, same = now, 0
		}
	}
}

const mostTrips = 5

// TestAQueryTakesFewRoundTrips: each of them waits for a server that may be
// far away or busy.
func TestAQueryTakesFewRoundTrips(t *testing.T) {
	t.Parallel()
	tables := []string{`CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR(20), since DATE)`,
		`CREATE TABLE orders (id INT PRIMARY KEY, customer INT REFERENCES customers (id), total DECIMAL(10,2), note VARCHAR(50))`,
		`INSERT INTO customers VALUES (1, 'Ann', '2020-01-01'), (2, 'Ben', '2021-01-01')`, `INSERT INTO orders VALUES (1, 1, 9.5, 'x'), (2, 1, 3, 'y'), (3, 2, 4, 'z')`,
		`CREATE VIEW spent AS SELECT c.name, sum(o.total) AS total FROM customers c JOIN orders o ON o.customer = c.id GROUP BY c.name`,
		`CREATE VIEW best AS SELECT s.name, upper(s.name) AS big FROM spent s WHERE s.total > 3`}
	queries := []string{
		"SELECT 1 AS one", "SELECT * FROM customers", "SELECT o.*, c.* FROM orders o JOIN customers c ON c.id = o.customer WHERE o.total > 1 ORDER BY o.id",
		"SELECT c.name, count(*) AS n, max(o.total) AS most FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY c.name HAVING count(*) > 0",
		"SELECT name, total FROM spent", "SELECT * FROM best",
		"WITH big AS (SELECT * FROM orders WHERE total > 3) SELECT upper(c.name), coalesce(b.note, '-') FROM customers c LEFT JOIN big b ON b.customer = c.id",
	}
	for name, s := range map[string]served{"PostgreSQL": postgresServed(t, ""), "MySQL": mysqlServed(t)} {
		for _, table := range tables {
			s.Exec(t, table)
		}
		t.Run(name, func(t *testing.T) {
			s, trips := counted(t, s)
			c := s.connect(t, settings{})
			require.False(t, ask(t, c, "SELECT 1").IsError)
			for _, query := range queries {
				s.Exec(t, "INSERT INTO orders VALUES ((SELECT n FROM (SELECT max(id) + 1 AS n FROM orders) x), 1, 0, '')") // nothing is known from before
				trips.settled(t)
				n := trips.during(func() {
					r := ask(t, c, query)
					assert.False(t, r.IsError, "%s: %v", query, r.Content)
				})
				t.Logf("%d round trips: %s", n, query)
				assert.LessOrEqual(t, n, mostTrips, query)
				assert.Positive(t, n, query)
			}
		})
	}
}

// TestACertainQueryTakesOneRoundTrip: where nothing was written since its names
// were asked for, and they are those of plain tables only.
func TestACertainQueryTakesOneRoundTrip(t *testing.T) {
	s := postgresServed(t, "CREATE TABLE customers (id int PRIMARY KEY, name text); INSERT INTO customers VALUES (1, 'Ann')")
	s, trips := counted(t, s)
	c := s.connect(t, settings{})
	require.False(t, ask(t, c, "SELECT 1").IsError) // which connects
	for _, query := range []string{"SELECT 1 AS one", "SELECT id, upper(name) FROM customers WHERE id = 1"} {
		fewest := mostTrips
		for n := 0; fewest > 1 && n < 500; n++ { // others may write to the server
			fewest = min(fewest, trips.during(func() { require.False(t, ask(t, c, query).IsError) }))
		}
		assert.Equal(t, 1, fewest, query)
	}
}

// TestAQueryOfMySQLTakesTwoRoundTrips: one for what its names are, and one more
// for each view that views are made of.
func TestAQueryOfMySQLTakesTwoRoundTrips(t *testing.T) {
	s := mysqlServed(t, "CREATE TABLE customers (id int PRIMARY KEY, name varchar(20))", "INSERT INTO customers VALUES (1, 'Ann')",
		"CREATE VIEW named AS SELECT id, upper(name) AS big FROM customers", "CREATE VIEW counted AS SELECT count(*) AS n FROM named")
	s, trips := counted(t, s)
	c := s.connect(t, settings{})
	require.False(t, ask(t, c, "SELECT 1").IsError) // which connects
	for query, want := range map[string]int{
		"SELECT 1 AS one": 1,
		"SELECT id, upper(name), greatest(id, 2) FROM customers WHERE id IN (1, 2)":                                             2,
		"SELECT a.id, year(now()), count(*) FROM customers a JOIN (SELECT id, name FROM customers) b ON a.id = b.id GROUP BY 1": 2,
		"SELECT id, big FROM named": 3,
		"SELECT n FROM counted":     4,
	} {
		fewest := mostTrips
		for n := 0; fewest > want && n < 20; n++ { // the session's end may come before the reply
			trips.settled(t)
			fewest = min(fewest, trips.during(func() { require.False(t, ask(t, c, query).IsError) }))
		}
		assert.Equal(t, want, fewest, query)
	}
}
