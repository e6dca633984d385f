package driver

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	driverms "github.com/microsoft/go-mssqldb"
)

// valueMSSQL makes a sink's value of what the driver read; kind is the
// driver's name of the column's type. Decimals and money stay text, so that
// they keep their digits and scale.
func valueMSSQL(kind string, v any) any {
	switch v := v.(type) {
	case []byte:
		switch kind {
		case "DECIMAL", "NUMERIC", "MONEY", "SMALLMONEY":
			return string(v)
		case "UNIQUEIDENTIFIER":
			var id driverms.UniqueIdentifier
			if id.Scan(v) == nil {
				return strings.ToLower(id.String())
			}
		}
	case float64:
		if kind == "REAL" {
			// The shortest text that is this number, as a number.
			f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', -1, 32), 64)
			return f
		}
	case time.Time:
		return timeMSSQL(kind, v)
	case int64, bool, string, nil:
	default:
		return fmt.Sprint(v)
	}
	return v
}

// timeMSSQL writes a time the way RFC 3339 does, without an offset where the
// type has none.
func timeMSSQL(kind string, t time.Time) string {
	switch kind {
	case "DATE":
		return t.Format(time.DateOnly)
	case "TIME":
		return t.Format("15:04:05.999999999")
	case "DATETIMEOFFSET":
		return t.Format(time.RFC3339Nano)
	}
	return t.Format("2006-01-02T15:04:05.999999999")
}

// lengthened is a type's name with its numbers.
func lengthened(name string, numbers ...int64) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatInt(n, 10)
	}
	return name + "(" + strings.Join(texts, ",") + ")"
}
