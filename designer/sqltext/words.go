package sqltext

import "strings"

// WordSet is the set of the words in a list that blanks separate.
func WordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
