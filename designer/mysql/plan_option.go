package mysql

import (
	"maps"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// options changes what stands behind the parentheses of CREATE TABLE.
func (a *alteration) options() {
	if a.diff.Comment {
		a.do("COMMENT="+quoteString(a.to.Comment), "comment")
	}
	if !a.diff.Options {
		return
	}
	from, to := a.from.Options, a.to.Options
	keys := maps.Clone(from)
	if keys == nil {
		keys = map[string]string{}
	}
	maps.Copy(keys, to)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if from[key] == to[key] {
			continue
		}
		if clause := optionClause(key, to[key]); clause != "" {
			a.do(clause, key)
			a.rewrites = true
		}
	}
}

// optionClause sets one option; value "" is the default.
func optionClause(key, value string) string {
	switch {
	case key == OptionPartitionBy: // a step of its own
		return ""
	case key == OptionVersioned && value != "":
		return "ADD SYSTEM VERSIONING"
	case key == OptionVersioned:
		return "DROP SYSTEM VERSIONING"
	case key == OptionEngine && value == "":
		return "ENGINE=InnoDB"
	case key == OptionEngine:
		return "ENGINE=" + value
	case key == OptionCollation && value == "":
		return "" // the database's, which is not known here
	case key == OptionCollation:
		return "DEFAULT COLLATE=" + value
	case value != "":
		return optionName(key) + "=" + value
	case slices.Contains([]string{"checksum", "delay_key_write", "max_rows", "min_rows", "avg_row_length", "key_block_size"}, key):
		return optionName(key) + "=0"
	}
	return optionName(key) + "=DEFAULT"
}

// partitioning is the clause that gives a table other partitions, "" where
// they are the same.
func partitioning(from, to *designer.Table) string {
	a, b := from.Options[OptionPartitionBy], to.Options[OptionPartitionBy]
	switch {
	case a == b:
		return ""
	case b == "":
		return "REMOVE PARTITIONING"
	}
	return "PARTITION BY " + b
}
