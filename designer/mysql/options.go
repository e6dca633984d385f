package mysql

import (
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// Keys of the options that a design of this dialect has. A key that is not
// here, in a table's options, is a table option by its own name.
const (
	OptionEngine      = "engine"            // of a table: the storage engine, where it is not InnoDB
	OptionCollation   = "collation"         // of a table: where it is not the database's
	OptionPartitionBy = "partition_by"      // of a table: the text after PARTITION BY
	OptionVersioned   = "system_versioning" // of a table: "yes" (MariaDB)

	OptionOnUpdate    = "on_update"   // of a column: the expression, as current_timestamp()
	OptionInvisible   = "invisible"   // of a column, or of an index (MySQL): "yes"
	OptionCompressed  = "compressed"  // of a column: the attribute as MariaDB writes it
	OptionUnversioned = "unversioned" // of a column of a versioned table: "yes"
	OptionCheck       = "check"       // of a column: the condition of its own check (MariaDB)
	OptionSRID        = "srid"        // of a column of a spatial type (MySQL)

	OptionComment     = "comment"      // of an index
	OptionIgnored     = "ignored"      // of an index: "yes" (MariaDB)
	OptionNotEnforced = "not_enforced" // of a check: "yes" (MySQL)

	OptionSQLMode = "sql_mode" // of a routine, trigger or event: where it is not the server's

	OptionDefiner      = "definer"       // of a view or trigger, as SQL writes it: where it is not who reads
	OptionDefinerFixed = "definer_fixed" // of the same: "yes", where who reads may not make it in that name
)

const yes = "yes"

func setOption(options *map[string]string, key, value string) {
	if *options == nil {
		*options = map[string]string{}
	}
	(*options)[key] = value
}

// createOptions parses "row_format=COMPRESSED key_block_size=8". A word
// without a value, as "partitioned", is read elsewhere.
func createOptions(text string) map[string]string {
	out := map[string]string{}
	tokens := scan(text)
	for i, t := range tokens {
		if !t.Is("=") || i == 0 || i+1 == len(tokens) {
			continue
		}
		key := tokens[i-1].Name
		if value, quoted := unquote(tokens[i-1].Text); quoted {
			key = value
		}
		if key != "" {
			out[strings.ToLower(key)] = tokens[i+1].Text
		}
	}
	return out
}

func engineOf(t designer.TableDefinition) string {
	if e := t.Options[OptionEngine]; e != "" {
		return e
	}
	return "InnoDB"
}

// ownOptions renders the options that a table has under their own names.
func ownOptions(options map[string]string) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(options)) {
		switch key {
		case OptionEngine, OptionCollation, OptionVersioned, OptionPartitionBy:
		default:
			out = append(out, optionName(key)+"="+options[key])
		}
	}
	return out
}

// optionName writes a table option: those of the server bare, those of an
// engine in quotes, which MariaDB takes for both where it has to.
func optionName(key string) string {
	if !sqltext.MySQL().IsPlain(key) {
		return quoteName(key)
	}
	return strings.ToUpper(key)
}
