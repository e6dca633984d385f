package driver

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// QueryBound implements [Database]. The server gives each value the type that
// its place has, as it does with a quoted literal.
func (d *postgresDatabase) QueryBound(ctx context.Context, query string, values []any, into rowset.Sink) error {
	p, refusal := readonly.ParseBoundPostgres(query, len(values))
	if refusal != nil {
		return refusal
	}
	return d.ask(ctx, p, textsPostgres(values), into)
}

// textsPostgres are values as the server reads them.
func textsPostgres(values []any) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			texts[i] = v
		case []byte:
			texts[i] = `\x` + hex.EncodeToString(v)
		default:
			texts[i] = fmt.Sprint(v)
		}
	}
	return texts
}
