package mysql

import (
	"strconv"
	"strings"
)

// partitionRow is one partition, or one of its subpartitions.
type partitionRow struct {
	name, subName           string
	method, expression      string
	subMethod, subExpressed string
	values, comment         string
}

func (c *catalog) readPartition(scan func(...any) error) error {
	var table string
	var r partitionRow
	if err := scan(&table, &r.name, &r.subName, &r.method, &r.expression, &r.subMethod, &r.subExpressed, &r.values, &r.comment); err != nil {
		return err
	}
	c.partitions[table] = append(c.partitions[table], r)
	return nil
}

// partitionText is what stands after PARTITION BY. Names that the server
// would give by itself are left to it where nothing else is said.
func partitionText(rows []partitionRow) string {
	first := rows[0]
	text := first.method + " (" + first.expression + ")"
	subs := 0
	for _, r := range rows {
		if r.name == first.name && r.subName != "" {
			subs++
		}
	}
	if subs > 0 {
		text += " SUBPARTITION BY " + first.subMethod + " (" + first.subExpressed + ") SUBPARTITIONS " + strconv.Itoa(subs)
	}
	ranged := strings.HasPrefix(first.method, "RANGE")
	listed := strings.HasPrefix(first.method, "LIST")
	var parts []string
	last := ""
	for _, r := range rows {
		if r.name == last {
			continue // another of its subpartitions
		}
		last = r.name
		part := "PARTITION " + quoteName(r.name)
		switch {
		case ranged && strings.EqualFold(r.values, "MAXVALUE"):
			part += " VALUES LESS THAN MAXVALUE"
		case ranged:
			part += " VALUES LESS THAN (" + r.values + ")"
		case listed && strings.EqualFold(r.values, "MAXVALUE"), listed && strings.EqualFold(r.values, "DEFAULT"):
			part += " DEFAULT"
		case listed:
			part += " VALUES IN (" + r.values + ")"
		}
		if r.comment != "" {
			part += " COMMENT = " + quoteString(r.comment)
		}
		parts = append(parts, part)
	}
	if !ranged && !listed && first.comment == "" {
		return text + " PARTITIONS " + strconv.Itoa(len(parts))
	}
	return text + " (" + strings.Join(parts, ", ") + ")"
}
