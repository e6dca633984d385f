package mssql

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What sweeps a scratch database on SQL Server, as text: most machines that
// run this have no such server.
func TestAScratchDatabaseIsDroppedWithWhoIsInIt(t *testing.T) {
	const name = "berth_scratch_0123456789abcdef_6b02c81b_0123456789abcdef"
	assert.Equal(t, []string{
		"ALTER DATABASE [" + name + "] SET SINGLE_USER WITH ROLLBACK IMMEDIATE",
		"DROP DATABASE [" + name + "]",
	}, dropStatements(name))
	assert.Equal(t, "SELECT name FROM sys.databases WHERE name LIKE 'berth[_]scratch[_]%'", scratchList)
}
