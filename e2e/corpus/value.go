package main

import (
	"fmt"
	"strconv"
	"strings"
)

// valueOf is a value for a column of row i, as a SQL literal that every
// dialect converts to the column's type. ok is false where none comes to mind.
func valueOf(dialect string, c column, types []ownType, i int) (literal string, ok bool) {
	text, ok := plainValue(dialect, c, types, i)
	return "'" + strings.ReplaceAll(text, "'", "''") + "'", ok
}

func plainValue(dialect string, c column, types []ownType, i int) (string, bool) {
	name := strings.ToLower(c.DataType)
	if strings.HasSuffix(name, "[]") {
		return "{}", true
	}
	if len(c.Values) > 0 {
		return c.Values[(i-1)%len(c.Values)], true
	}
	for _, t := range types {
		if !strings.EqualFold(t.Name, c.DataType) && !strings.HasSuffix(name, "."+strings.ToLower(t.Name)) {
			continue
		}
		if len(t.Values) > 0 {
			return t.Values[(i-1)%len(t.Values)], true
		}
		if _, base, ok := strings.Cut(t.Definition, " AS "); ok { // a domain
			word, _, _ := strings.Cut(base, " ")
			return typeValue(dialect, strings.ToLower(word), c.MaxLength, i)
		}
	}
	return typeValue(dialect, name, c.MaxLength, i)
}

// exact are values of types whose text has a form of its own; %d is the row.
var exact = []struct{ part, format string }{
	{"interval", "%d days"}, {"tsvector", "word%d"}, {"uuid", "00000000-0000-4000-8000-%012d"}, {"json", `{"row": %d}`},
	{"datetime", "2001-01-%02d 10:00:00"}, {"timestamp", "2001-01-%02d 10:00:00"}, {"date", "2001-01-%02d"}, {"time", "10:00:%02d"},
	{"year", "200%d"}, {"inet", "10.0.0.%d"}, {"cidr", "10.0.%d.0/24"}, {"macaddr", "00:00:00:00:00:%02d"}, {"xml", "<row>%d</row>"},
	{"int4range", "[%d,9]"}, {"int8range", "[%d,9]"}, {"cube", "(%d)"},
}

func typeValue(dialect, name string, maxLength any, i int) (string, bool) {
	for _, e := range exact {
		if strings.Contains(name, e.part) && !strings.HasPrefix(name, "point") {
			return fmt.Sprintf(e.format, i), true
		}
	}
	switch {
	case strings.HasPrefix(name, "bool"):
		return strconv.Itoa(i % 2), true
	case strings.HasPrefix(name, "point"), strings.HasPrefix(name, "geom"), strings.HasPrefix(name, "poly"):
		return fmt.Sprintf("(%d,%d)", i, i), dialect == "postgres"
	case name == "bytea":
		return fmt.Sprintf(`\x%02d`, i), true
	case strings.Contains(name, "char"), strings.Contains(name, "text"), strings.Contains(name, "clob"), name == "":
		if length, err := strconv.Atoi(fmt.Sprint(maxLength)); err == nil && length < 4 {
			return strconv.Itoa(i), true
		}
		return fmt.Sprintf("row%d", i), true
	}
	return strconv.Itoa(i), true // numbers, bits, and bytes
}
