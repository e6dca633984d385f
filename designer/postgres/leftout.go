package postgres

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// What of a script is not in the definition that is read of it. Statements
// that nobody needs, such as those of transactions and of maintenance, are
// in silentWords.
var (
	silentWords = words(`begin start commit end rollback abort savepoint release set reset discard lock notify listen unlisten
		checkpoint show explain analyze analyse vacuum cluster reindex refresh fetch close declare move`)
	rowWords  = words("insert update delete truncate copy merge")
	temporary = words("temp temporary global local")
	longKinds = words("operator foreign event access user text") // whose second word says what it is
)

// leftOut returns what is left out with the statement, and of what; "" where
// nothing is.
func (s statement) leftOut(v loadAction) (what, name string) {
	verb, object := s.words[0], ""
	if verb == "create" || verb == "alter" || verb == "drop" {
		object = s.object()
	}
	switch {
	case v != skipped && verb == "create" && slices.Contains(temporary, object):
		return "temporary table", ""
	case v != skipped, slices.Contains(silentWords, verb):
		return "", ""
	case verb == "select" && strings.Contains(lower(s.text), "set_config"): // as pg_dump sets the search path
		return "", ""
	case verb == "alter" && s.changesOwner():
		return "OWNER TO clause", ""
	case slices.Contains(longKinds, object) && len(s.words) > 2:
		return strings.ToUpper(verb+" "+object+" "+s.words[2]) + " statement", ""
	case object != "":
		return strings.ToUpper(verb+" "+object) + " statement", ""
	case slices.Contains(rowWords, verb):
		return strings.ToUpper(verb) + " statement", s.target()
	}
	return strings.ToUpper(verb) + " statement", ""
}

// target is the table whose rows a statement is about.
func (s statement) target() string {
	var parts []string
	for _, t := range significant(s.text)[1:] {
		named := t.Kind == sqltext.Quoted || t.Kind == sqltext.Word
		switch {
		case len(parts) == 0 && (t.Is("into") || t.Is("from") || t.Is("only") || t.Is("table")):
		case named && (len(parts) == 0 || parts[len(parts)-1] == "."):
			parts = append(parts, t.Name)
		case t.Text == "." && len(parts) > 0:
			parts = append(parts, ".")
		default:
			return strings.Join(parts, "")
		}
	}
	return strings.Join(parts, "")
}
