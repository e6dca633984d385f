package db

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// beginsBatch lists the words that begin a statement of T-SQL, which needs no
// semicolon before it.
func beginsBatch() []string {
	return []string{"INSERT", "UPDATE", "DELETE", "MERGE", "SELECT", "CREATE", "ALTER", "DROP", "TRUNCATE", "EXEC", "EXECUTE", "DECLARE",
		"SET", "IF", "WHILE", "BEGIN", "COMMIT", "ROLLBACK", "SAVE", "GRANT", "REVOKE", "DENY", "USE", "BACKUP", "RESTORE", "KILL",
		"SHUTDOWN", "WAITFOR", "PRINT", "RETURN", "THROW", "RAISERROR", "DBCC", "RECONFIGURE", "GOTO", "OPEN", "FETCH", "CLOSE", "DEALLOCATE"}
}

// aloneInBatch refuses a second statement of T-SQL: a word outside of
// parentheses that begins one, and does not belong to the first.
func (s *executable) aloneInBatch() *readonly.Refusal {
	depth := 0
	belonging := s.belonging()
	for i, t := range s.tokens {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
		if i == 0 || depth > 0 || t.Kind != sqltext.Word || !slices.ContainsFunc(beginsBatch(), t.Is) {
			continue
		}
		word := strings.ToUpper(t.Text)
		before := s.tokens[i-1]
		if before.Is("ON") && (word == "DELETE" || word == "UPDATE") || before.Is(".") {
			continue // ON DELETE CASCADE; a name
		}
		if n, ok := belonging[word]; ok && n != 0 {
			belonging[word] = n - 1
			continue
		}
		return readonly.Refuse("one statement", "%s at byte %d begins another statement; send them one by one", word, t.Pos)
	}
	return nil
}

// belonging counts the words that the first statement may have of its own,
// -1 for any number.
func (s *executable) belonging() map[string]int {
	first := strings.ToUpper(s.tokens[0].Text)
	switch first {
	case "WITH":
		for _, main := range []string{"INSERT", "UPDATE", "DELETE", "MERGE"} {
			if s.outside(main) {
				words := belongingTo(main)
				words[main]++
				return words
			}
		}
		return belongingTo("SELECT")
	}
	return belongingTo(first)
}

// outside reports whether a word stands outside of parentheses.
func (s *executable) outside(word string) bool {
	depth := 0
	for _, t := range s.tokens {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case depth == 0 && t.Is(word):
			return true
		}
	}
	return false
}

func belongingTo(first string) map[string]int {
	switch first {
	case "INSERT":
		return map[string]int{"SELECT": -1, "EXEC": 1, "EXECUTE": 1}
	case "UPDATE":
		return map[string]int{"SET": 1}
	case "MERGE":
		return map[string]int{"INSERT": -1, "UPDATE": -1, "DELETE": -1, "SET": -1}
	case "SELECT":
		return map[string]int{"SELECT": -1} // UNION
	case "ALTER":
		return map[string]int{"ALTER": 1, "DROP": -1, "SET": 2, "UPDATE": 1, "DELETE": 1}
	case "GRANT", "REVOKE", "DENY":
		return map[string]int{"SELECT": -1, "INSERT": -1, "UPDATE": -1, "DELETE": -1, "EXECUTE": -1, "ALTER": -1, "CREATE": -1, "GRANT": 1}
	case "CREATE":
		return map[string]int{"SET": -1}
	}
	return map[string]int{}
}
