package mssql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"testing"

	mssql "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/e2e/needs"
)

func TestTheQueryOfStatisticsIsUnderstood(t *testing.T) {
	golden(t, "statistics.sql", tableCounts+"\n")
	understoodStatement(t, tableCounts)
}

// countingServer answers the query of statistics.
type countingServer struct {
	crankyServer
	refuses error
}

func (s *countingServer) Connect(context.Context) (driver.Conn, error) { return s, nil }

func (s *countingServer) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	if query != tableCounts || s.refuses != nil {
		return nil, s.refuses
	}
	return &answered{rows: [][]driver.Value{{"dbo", "left", int64(10), int64(0)}, {"sales", "used", int64(20), int64(300)}}}, nil
}

func TestStatisticsAreWhatTheServerAnswers(t *testing.T) {
	server := &countingServer{}
	db := sql.OpenDB(server)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	found, err := Engine{}.Statistics(t.Context(), db)
	require.NoError(t, err)
	assert.Equal(t, map[designer.TableName]designer.TableStatistics{{Schema: "dbo", Name: "left"}: {Rows: 10}, {Schema: "sales", Name: "used"}: {Rows: 20, Reads: 300}}, found.Tables)
	for number, unsupported := range map[int32]bool{300: true, 262: true, 297: true, 208: true, 1205: false} {
		server.refuses = mssql.Error{Number: number, Message: "VIEW SERVER STATE permission was denied"}
		_, err := Engine{}.Statistics(t.Context(), db)
		require.Error(t, err)
		assert.Equal(t, unsupported, errors.Is(err, errors.ErrUnsupported), number)
	}
}

func TestStatisticsAreWhatTheServerCounted(t *testing.T) {
	needs.SQLServer(t)
	db := enginetest.MSSQLDB(t)
	run(t, db, "CREATE TABLE used (id int NOT NULL PRIMARY KEY)", "CREATE TABLE unread (id int NOT NULL PRIMARY KEY)", "INSERT INTO used VALUES (1)", "INSERT INTO unread VALUES (1)", "SELECT id FROM used")
	found, err := Engine{}.Statistics(t.Context(), db)
	if errors.Is(err, errors.ErrUnsupported) {
		return // a server that counts nothing
	}
	require.NoError(t, err)
	assert.EqualValues(t, 1, found.Tables[designer.TableName{Schema: "dbo", Name: "unread"}].Rows)
	assert.Zero(t, found.Tables[designer.TableName{Schema: "dbo", Name: "unread"}].Reads)
}
