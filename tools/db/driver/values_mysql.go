package driver

import (
	"database/sql/driver"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// valueMySQL makes a sink's value of what the driver read; kind is the
// driver's name of the column's type. Decimals stay text, so that they keep
// their digits and scale.
func valueMySQL(kind string, v driver.Value) any {
	switch v := v.(type) {
	case float32:
		// The shortest text that is this number, as a number.
		f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
		return f
	case uint64: // of a statement that tells: EXPLAIN, SHOW
		if v > math.MaxInt64 {
			return strconv.FormatUint(v, 10)
		}
		return int64(v)
	case []byte:
		return bytesMySQL(kind, v)
	}
	return v
}

func bytesMySQL(kind string, v []byte) any {
	switch kind {
	case "BLOB", "TINYBLOB", "MEDIUMBLOB", "LONGBLOB", "BINARY", "VARBINARY", "GEOMETRY", "VECTOR":
		return v
	case "BIT":
		n := new(big.Int).SetBytes(v)
		if n.IsInt64() {
			return n.Int64()
		}
		return n.String()
	case "DATETIME", "TIMESTAMP":
		return timeMySQL(string(v))
	}
	return string(v)
}

// timeMySQL writes a time the way RFC 3339 does, without the offset that
// MySQL does not send. A date with a zero in it is none, and stays as it is.
func timeMySQL(s string) string {
	if strings.HasPrefix(s, "0000") || strings.Contains(s, "-00") {
		return s
	}
	return strings.Replace(s, " ", "T", 1)
}
