package sqlite

import "strings"

// reservedWords are SQLite's keywords that cannot be a name unquoted (parse.y:
// those without fallback to an identifier), in upper case.
const reservedWords = `ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE CROSS
DEFAULT DEFERRABLE DELETE DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM FULL GROUP HAVING IN INDEX INDEXED INNER
INSERT INTERSECT INTO IS ISNULL JOIN LEFT LIMIT NATURAL NOT NOTHING NOTNULL NULL ON OR ORDER OUTER PRIMARY REFERENCES
RETURNING RIGHT SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE`

// reserved is reservedWords as a set; joinWords are those among them that
// SQLite still takes as the name of a table or column in DDL. Neither is ever
// modified.
var (
	reserved  = wordSet(reservedWords)
	joinWords = wordSet("CROSS FULL INDEXED INNER LEFT NATURAL OUTER RIGHT")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
