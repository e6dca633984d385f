package db

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/lane"
)

// fill takes every place of a project's query lane.
func fill(t *testing.T, c testProject) (places []*lane.Place) {
	t.Helper()
	_, d, err := c.Open(t.Context(), "")
	require.NoError(t, err)
	for range driver.QueryPlaces {
		p, err := d.Queries.Enter(t.Context(), "SELECT slowly()")
		require.NoError(t, err)
		t.Cleanup(p.Leave)
		places = append(places, p)
	}
	return places
}

func TestAQueryThatFindsNoPlaceIsOverloadedAndNothingElseIs(t *testing.T) {
	c := project(t, shop, settings{})
	fill(t, c)
	start := time.Now()
	r := ask(t, c, "SELECT 1")
	assert.True(t, r.IsError)
	require.Len(t, r.Content, 1)
	assert.Regexp(t, `^overloaded: connection "app.db" is busy, 24 run at once and no place came free in 2(\.\d)?s \(1 more wait\); the longest: SELECT slowly\(\) \(2(\.\d)?s\)`, r.Content[0])
	assert.Contains(t, r.Content[0], "Nothing was done")
	assert.GreaterOrEqual(t, time.Since(start), pool.Patience)

	for tool, arguments := range map[string]string{
		"get-tables": `{}`, "get-schema": `{"tableName":"orders"}`, "get-database-type": `{}`, "list-connections": `{}`,
		"search-schema": `{"pattern":"orders"}`, "execute-sql": `{"statement":"INSERT INTO customers VALUES (9, 'Joan')"}`,
	} {
		assert.NotContains(t, c.call(t.Context(), tool, arguments).Content[0], "overloaded", tool)
	}
	source, err := c.Source(t.Context(), "")
	require.NoError(t, err)
	_, err = source.Read(t.Context())
	assert.NoError(t, err, "the designer reads the schema")
}

func TestAQueryThatWaitedSaysSoAndDoesNotCountIt(t *testing.T) {
	c := project(t, shop, settings{})
	places := fill(t, c)
	time.AfterFunc(600*time.Millisecond, places[3].Leave)
	r := ask(t, c, "SELECT 1 AS one")
	require.False(t, r.IsError, r.Content)
	require.Len(t, r.Content, 2)
	assert.Regexp(t, `The call waited \S+s for its turn behind other queries of this connection`, r.Content[1])
	assert.Regexp(t, `"elapsedMs":[0-4]?\d?\d}`, r.Content[0])
}

// Files that are rows have a lane of their own: queries that take every place
// take none of theirs, and the other way round.
func TestFilesThatAreRowsWaitForNoQuery(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]testProject{"sqlite": project(t, shop, settings{}), "postgres": postgresServed(t, "").connect(t, settings{})} {
		t.Run(name, func(t *testing.T) {
			cfg, _, err := c.Open(t.Context(), "")
			require.NoError(t, err)
			one := func(ctx context.Context, db *sql.DB) error {
				var n int
				return db.QueryRowContext(ctx, "SELECT 1").Scan(&n)
			}
			places := fill(t, c)
			require.NoError(t, c.ReadFiles(t.Context(), cfg, one))
			require.NoError(t, c.WriteFile(t.Context(), cfg, one))
			for _, p := range places {
				p.Leave()
			}

			release := make(chan struct{})
			reading := make(chan struct{}, driver.FilePlaces)
			var wg sync.WaitGroup
			for range driver.FilePlaces {
				wg.Go(func() {
					assert.NoError(t, c.ReadFiles(t.Context(), cfg, func(ctx context.Context, db *sql.DB) error {
						return twoSessions(ctx, db, func() { reading <- struct{}{}; <-release })
					}))
				})
			}
			for range driver.FilePlaces {
				<-reading
			}
			assert.False(t, ask(t, c, "SELECT 1").IsError, "a query")
			var full *pool.OverloadedError
			assert.ErrorAs(t, c.ReadFiles(t.Context(), cfg, one), &full, "one more file")
			close(release)
			wg.Wait()
		})
	}
}

// twoSessions calls during while it has the two sessions that reading files may
// have.
func twoSessions(ctx context.Context, db *sql.DB, during func()) (err error) {
	for range 2 {
		conn, open := db.Conn(ctx)
		if open != nil {
			return open
		}
		defer func() { err = errors.Join(err, conn.Close()) }()
	}
	during()
	return err
}

func TestClosingEndsTheWaitForAPlace(t *testing.T) {
	c := project(t, shop, settings{})
	fill(t, c)
	replied := make(chan tools.Reply, 1)
	go func() { replied <- ask(t, c, "SELECT 1") }()
	require.NoError(t, c.Close())
	assert.Equal(t, []string{driver.ErrClosed.Error()}, (<-replied).Content)
}

func TestAYesIsNotUsedUpOnAStatementThatFindsNoPlace(t *testing.T) {
	t.Parallel()
	c := project(t, shop, settings{})
	_, d, err := c.Open(t.Context(), "")
	require.NoError(t, err)
	var places []*lane.Place
	for range driver.WritePlaces {
		p, err := d.Writes.Enter(t.Context(), "UPDATE slowly")
		require.NoError(t, err)
		places = append(places, p)
	}
	const insert = `{"statement":"INSERT INTO customers VALUES (9, 'Joan')"}`
	assert.Contains(t, c.call(t.Context(), "execute-sql", insert).Content[0], "overloaded: ", "nobody is asked yet")
	for _, p := range places {
		p.Leave()
	}
	assert.NotContains(t, c.call(t.Context(), "execute-sql", insert).Content[0], "overloaded: ")
	for range driver.WritePlaces { // the one that waits for a person holds none
		_, err := d.Writes.Enter(t.Context(), "UPDATE")
		require.NoError(t, err)
	}
}
