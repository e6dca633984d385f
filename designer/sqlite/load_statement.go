package sqlite

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// checkScript refuses pragmas that reach beyond the script's own database:
// limits of the whole process, and folders of files.
func checkScript(script string) error {
	tokens := sqltext.SQLite().Significant(script)
	for i, t := range tokens {
		if !t.Is("PRAGMA") || i+1 == len(tokens) {
			continue
		}
		name := tokens[i+1]
		if i+3 < len(tokens) && tokens[i+2].Is(".") {
			name = tokens[i+3]
		}
		switch strings.ToLower(name.Name) {
		case "hard_heap_limit", "soft_heap_limit", "temp_store_directory", "data_store_directory", "max_page_count":
			return designer.ErrorAt(script, t.Pos, fmt.Errorf("PRAGMA %s reaches beyond the script's own database: leave it out", name.Name))
		}
	}
	return nil
}
