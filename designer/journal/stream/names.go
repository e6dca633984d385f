package stream

import (
	"fmt"
	"strings"
)

// maxName bounds a team design's name: it is part of a stream's, which brokers
// make a folder of.
const maxName = 40

// CheckName refuses a name that no journal can have: it is a token of subjects
// and part of a file's name on the broker.
func CheckName(name string) error {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_'
	}
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return fmt.Errorf("the name of a team design has one to %d lower-case letters, digits, dashes and underscores: %.60q does not", maxName, name)
	}
	return nil
}

func streamOf(name string) string  { return "BERTH_J_" + name }
func subjectOf(name string) string { return "berth.j." + name }
func bucketOf(name string) string  { return "berth_" + name }
func presentOf(name string) string { return "berth.p." + name }

// inboxOf is where a user's replies arrive, so that a broker can keep users
// from reading each other's.
func inboxOf(user string) string {
	token := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, user)
	return "_INBOX_" + token
}
