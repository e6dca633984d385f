package proxy

import (
	"runtime"
	"strings"
)

// ShellWord makes a path one word of a command line that a person may paste.
func ShellWord(path string) string {
	if runtime.GOOS == "windows" {
		if isPlain(path, `\`) {
			return path
		}
		return `"` + path + `"` // a path holds no quote there
	}
	if isPlain(path, "") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// isPlain: shells take each character of path, or of also, as it stands.
func isPlain(path, also string) bool {
	return !strings.ContainsFunc(path, func(r rune) bool {
		switch {
		case r > 127, '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return false
		}
		return !strings.ContainsRune("/._-+:@,"+also, r)
	})
}
