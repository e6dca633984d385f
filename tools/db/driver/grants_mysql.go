package driver

import (
	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// passwordOf is the part of a line of SHOW GRANTS that says how an account
// signs in: MariaDB writes the hash of its password there.
var passwordOf = lazyregexp.New("^(GRANT .* TO (?:`(?:[^`]|``)*`@)?(?:`(?:[^`]|``)*`|'[^']*')) IDENTIFIED .*?( WITH GRANT OPTION)?$")

// withoutPassword leaves it out.
func withoutPassword(line string) string {
	return passwordOf().ReplaceAllString(line, "$1 IDENTIFIED (left out)$2")
}

// grantsSink gives the lines of SHOW GRANTS on without passwords.
type grantsSink struct{ rowset.Sink }

func (s grantsSink) Row(values []any) (bool, error) {
	for i, v := range values {
		switch v := v.(type) {
		case string:
			values[i] = withoutPassword(v)
		case []byte:
			values[i] = withoutPassword(string(v))
		}
	}
	return s.Sink.Row(values)
}
