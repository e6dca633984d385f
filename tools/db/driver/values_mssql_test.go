package driver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestValuesOfSQLServerAreShownExactly(t *testing.T) {
	at := time.Date(2024, 2, 29, 12, 34, 56, 789_000_000, time.FixedZone("", 5*3600+1800))
	for _, tt := range []struct {
		kind string
		in   any
		want any
	}{
		{"BIGINT", int64(9007199254740993), int64(9007199254740993)},
		{"DECIMAL", []byte("1.10"), "1.10"},
		{"MONEY", []byte("1.1000"), "1.1000"},
		{"REAL", float64(float32(0.1)), 0.1},
		{"FLOAT", 0.1, 0.1},
		{"BIT", true, true},
		{"VARBINARY", []byte{0, 255}, []byte{0, 255}},
		{"UNIQUEIDENTIFIER", []byte{0x67, 0x45, 0x23, 0x01, 0xab, 0x89, 0xef, 0xcd, 1, 2, 3, 4, 5, 6, 7, 8}, "01234567-89ab-cdef-0102-030405060708"},
		{"DATE", at, "2024-02-29"},
		{"TIME", at, "12:34:56.789"},
		{"DATETIME2", at, "2024-02-29T12:34:56.789"},
		{"DATETIMEOFFSET", at, "2024-02-29T12:34:56.789+05:30"},
		{"NVARCHAR", "é", "é"},
		{"INT", nil, nil},
	} {
		assert.Equal(t, tt.want, valueMSSQL(tt.kind, tt.in), tt.kind)
	}
}

func TestTypesOfSQLServerHaveTheirLengths(t *testing.T) {
	assert.Equal(t, "decimal(10,2)", lengthened("decimal", 10, 2))
}
