package driver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/rowset"
)

// A query is answered alike whether its names are judged, asked for or known.
func TestAnswersAreTheSameWhateverIsKnown(t *testing.T) {
	s := postgresServed(t, `CREATE TYPE mood AS ENUM ('good', 'bad'); CREATE DOMAIN email AS varchar(50); CREATE DOMAIN scan AS bytea;
		CREATE TABLE plain (id int PRIMARY KEY, name varchar(40), price numeric(10,2), at timestamptz, m mood, e email, tags text[], ok boolean);
		INSERT INTO plain VALUES (1, 'Ann', 1.50, '2026-01-02 03:04:05+00', 'bad', 'a@b', '{x,y}', true), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
		CREATE TABLE files (id int, content bytea, scanned scan); INSERT INTO files VALUES (1, '\x00ff5c78', '\x01'), (2, '', NULL)`)
	for _, query := range []string{
		"SELECT * FROM plain ORDER BY id", "SELECT count(*), sum(price), avg(price)::numeric(5,1), max(m) FROM plain", "SELECT * FROM plain WHERE false",
		"SELECT * FROM files ORDER BY id", "SELECT decode('00ff5c', 'hex') AS b, convert_to('x', 'UTF8')", `SELECT '\x'::bytea AS empty, '\x61'::scan AS a`,
		"SELECT 1 / id - 1 / (id - 1) FROM plain", "SELECT nothing FROM plain", "SELECT generate_series(1, 5000) AS n", "SELECT 1 / 0 AS zero",
	} {
		t.Run(query, func(t *testing.T) {
			d := s.connect(t).(*postgresDatabase)
			first := ask(t, d, query)
			if !first.IsError {
				remembered(t, d, query)
			}
			for range 4 {
				assert.Equal(t, first, ask(t, d, query))
			}
		})
	}
}

// One round trip has no place for what a sink without a limit reads.
func TestAllRowsComeWhateverIsKnown(t *testing.T) {
	s := postgresServed(t, "")
	d := s.connect(t).(*postgresDatabase)
	const query = "SELECT generate_series(1, 5000) AS n"
	remembered(t, d, query)
	for range 3 {
		var all counter
		require.NoError(t, d.Query(t.Context(), query, &all))
		assert.Equal(t, counter{types: []string{"integer"}, rows: 5000}, all)
	}
}

// counter is a sink without a limit.
type counter struct {
	types []string
	rows  int
}

func (c *counter) Columns(_, types []string) error {
	c.types = types
	return nil
}

func (c *counter) Row([]any) (bool, error) {
	c.rows++
	return true, nil
}

// A session that cannot be made as new is not used again.
func TestAConnectionWhoseSessionDoesNotEndIsClosed(t *testing.T) {
	s := postgresServed(t, "REVOKE EXECUTE ON FUNCTION pg_advisory_unlock_all() FROM PUBLIC")
	d := s.connect(t, s.Ordinary(t)).(*postgresDatabase)
	for range 5 {
		rows := rowset.NewReply(10, 1<<16)
		require.NoError(t, d.Query(t.Context(), "SELECT 1 AS one", rows))
		assert.Len(t, rows.Rows(), 1)
		assert.Zero(t, d.pool.Stats().OpenConnections)
	}
}
