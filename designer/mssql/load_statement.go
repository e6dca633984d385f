package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// inside leaves out what leads to other databases, and notes the batches that
// make, change or drop one.
func inside(batches []string, loaded *designer.LoadResult) []string {
	var list []string
	for _, b := range batches {
		switch b = withoutUse(b); {
		case b == "":
		case aboutDatabases(b):
			loaded.Omit("batch about databases", "", 1)
		default:
			list = append(list, b)
		}
	}
	return list
}

// withoutUse takes USE statements off the beginning of a batch.
func withoutUse(batch string) string {
	for {
		tokens := scan(batch)
		i := skip(tokens, 0)
		if i >= len(tokens) {
			return ""
		}
		if !tokens[i].Is("USE") {
			return batch
		}
		name := skip(tokens, i+1)
		end := skip(tokens, name+1)
		if end < len(tokens) && tokens[end].Is(";") {
			end++
		}
		var rest strings.Builder
		for _, t := range tokens[min(end, len(tokens)):] {
			rest.WriteString(t.Text)
		}
		batch = rest.String()
	}
}

// aboutDatabases reports whether a batch makes, changes or drops a database,
// if only in a string that it runs.
func aboutDatabases(batch string) bool {
	tokens := significant(scan(batch))
	for i, t := range tokens {
		switch {
		case t.Kind == sqltext.String:
			text := strings.ToUpper(t.Text)
			if strings.Contains(text, "CREATE DATABASE") || strings.Contains(text, "DROP DATABASE") {
				return true
			}
		case i > 0 && t.Is("DATABASE") && (tokens[i-1].Is("CREATE") || tokens[i-1].Is("ALTER") || tokens[i-1].Is("DROP")):
			return true
		case t.Is("sp_dboption"):
			return true
		}
	}
	return false
}
