package driver

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestACursorTakesTheValuesBesideItsQuery(t *testing.T) {
	text, args := cursorOpening("SELECT 1", nil)
	assert.Contains(t, text, "@scroll INT = 16, ")
	assert.Contains(t, text, "@rows OUTPUT;")
	assert.Equal(t, []any{"SELECT 1"}, args)

	values := []any{"' OR 1=1", int64(5), 1.5, []byte{0}}
	text, args = cursorOpening("SELECT a FROM t WHERE b = @p1 AND c IN (@p2, @p3, @p4)", values)
	assert.Contains(t, text, "@scroll INT = 4112, ")
	assert.Contains(t, text, "@rows OUTPUT, @p2, @p3, @p4, @p5, @p6;")
	assert.Equal(t, "@p1 nvarchar(max), @p2 bigint, @p3 float, @p4 varbinary(max)", args[1])
	assert.Equal(t, values, args[2:])
}
