package db

import (
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
