package db

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/pool"
)

func mssqlAsk(t *testing.T, opts settings, arguments string) (tools.Reply, envelope) {
	t.Helper()
	opts.NoDiscovery = true
	c := connections(t, t.TempDir(), opts)
	r := c.mssqlQuery(t.Context(), tools.Call{Arguments: json.RawMessage(arguments)})
	var e envelope
	if !r.IsError {
		require.NoError(t, json.Unmarshal([]byte(r.Content[0]), &e))
	}
	return r, e
}

func TestWithoutASQLServerTheStubAnswers(t *testing.T) {
	r, e := mssqlAsk(t, settings{}, `{"database":"Shop","query":"SELECT * FROM Orders"}`)
	require.False(t, r.IsError, r.Content)
	assert.JSONEq(t, r.Content[0], string(r.Structured), "the text repeats the structured output")
	assert.Contains(t, e.Note, "made up by the adapter stub", "in both forms, since a client may show a model one of them")
	assert.Len(t, r.Content, 1)
	assert.NoError(t, uuid.Validate(e.CorrelationID))
	assert.Equal(t, "Shop", e.Database)
	require.Len(t, e.Recordset, 1)
	assert.NotEmpty(t, e.Recordset[0].Columns)
	assert.Len(t, e.Recordset[0].Rows, 3)
	started, err := time.Parse(time.RFC3339Nano, e.StartedAt)
	require.NoError(t, err)
	completed, err := time.Parse(time.RFC3339Nano, e.CompletedAt)
	require.NoError(t, err)
	assert.False(t, completed.Before(started))
}

func TestTheStubIsDeterministicAndBounded(t *testing.T) {
	ask := func(arguments string) envelope {
		r, e := mssqlAsk(t, settings{}, arguments)
		require.False(t, r.IsError, r.Content)
		return e
	}
	one, two := ask(`{"database":"a","query":"SELECT 1","maxRows":7}`), ask(`{"database":"a","query":"SELECT 1","maxRows":7}`)
	assert.Equal(t, one.Recordset, two.Recordset)
	assert.NotEqual(t, one.CorrelationID, two.CorrelationID)
	assert.Len(t, one.Recordset[0].Rows, 7)
	assert.Len(t, ask(`{"database":"a","query":"SELECT 1","maxRows":1}`).Recordset[0].Rows, 1)
	assert.NotEqual(t, one.Recordset, ask(`{"database":"b","query":"SELECT 1","maxRows":7}`).Recordset)
}

func TestTheStubRefusesWhatALiveServerWould(t *testing.T) {
	var log bytes.Buffer
	for _, query := range []string{"DELETE FROM Orders", "SELECT 1 SELECT 2", "SELECT 1 DELETE FROM Orders", "SELECT * FROM Orders WITH (TABLOCKX)", "EXEC sp_who", "SELECT * INTO x FROM y"} {
		log.Reset()
		r, _ := mssqlAsk(t, settings{Logger: slog.New(slog.NewTextHandler(&log, nil))}, `{"database":"Shop","query":"`+query+`"}`)
		assert.True(t, r.IsError, query)
		assert.Empty(t, r.Structured)
		assert.NotContains(t, r.Content[0], "run-query", "it speaks of itself")
		assert.Equal(t, "not_a_read", r.Reason)
		assert.Contains(t, log.String(), "correlationId=", query)
		assert.NotContains(t, log.String(), "Orders", "a log has no query")
	}
}

func TestADatabaseThatNoServerHasIsNamed(t *testing.T) {
	server := pool.Config{Name: "crm", Dialect: dial.SQLServer, Address: dial.Address{Database: "Customers"}}
	r, _ := mssqlAsk(t, settings{Connections: []pool.Config{server}}, `{"database":"Shop","query":"SELECT 1"}`)
	assert.True(t, r.IsError)
	assert.Contains(t, r.Content[0], "no SQL Server connection is of database")
	assert.Contains(t, r.Content[0], "crm")
}

// The reply repeats its rows, and stays within the bound of any reply.
func TestTheStubsReplyIsBounded(t *testing.T) {
	const bound = 16 << 10
	r, e := mssqlAsk(t, settings{MaxBytes: bound}, `{"database":"shop","query":"SELECT 1","maxRows":5000}`)
	require.False(t, r.IsError, r.Content)
	assert.LessOrEqual(t, len(r.Content[0])+len(r.Structured), bound+1024, "beside the rows there are an id and two times")
	assert.Greater(t, len(e.Recordset[0].Rows), 20)
	assert.Contains(t, e.Note, fmt.Sprintf("It makes no more than %d here: the project's settings limit a reply to 200 rows and %d bytes.", len(e.Recordset[0].Rows), bound))
	message, err := json.Marshal(map[string]any{"text": r.Content[0], "structured": r.Structured})
	require.NoError(t, err)
	assert.LessOrEqual(t, len(message), bound+1024, "as it is sent, with the quotes of the text escaped")
	_, e = mssqlAsk(t, settings{MaxRows: 5}, `{"database":"shop","query":"SELECT 1","maxRows":1000000}`)
	assert.Len(t, e.Recordset[0].Rows, 5)
	assert.Contains(t, e.Note, "It makes no more than 5 here")
}

func TestMaxRowsOfNoneIsNoDefault(t *testing.T) {
	for _, n := range []string{"0", "-1"} {
		r, _ := mssqlAsk(t, settings{}, `{"database":"shop","query":"SELECT 1","maxRows":`+n+`}`)
		assert.True(t, r.IsError, n)
		assert.Contains(t, r.Content[0], "maxRows must be at least 1")
	}
}
