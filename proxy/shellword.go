package proxy

import (
	"runtime"
	"strings"
)

// ShellWord quotes path so that it is one word of a command line that a person
// can paste.
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

// isPlain reports whether path needs no quoting: it consists of letters, digits
// and other characters that shells take literally, including those in also.
func isPlain(path, also string) bool {
	return !strings.ContainsFunc(path, func(r rune) bool {
		switch {
		case r > 127, '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return false
		}
		return !strings.ContainsRune("/._-+:@,"+also, r)
	})
}
