package files

import (
	"regexp"
	"strings"
)

// maxGlob bounds a glob, in bytes.
const maxGlob = 500

// glob makes a matcher of paths. A pattern without a slash is for the last
// part of a path, at any depth; else for the whole path, with a slash in front
// or not. * and ? stay within a part, ** does not, {a,b} is either.
func glob(pattern string) (func(path string) bool, *failure) {
	if pattern == "" {
		return func(string) bool { return true }, nil
	}
	if len(pattern) > maxGlob {
		return nil, invalid("glob has %d bytes; the most is %d", len(pattern), maxGlob)
	}
	start := "^"
	if !strings.Contains(pattern, "/") {
		start = "(?:^|/)"
	}
	expression, err := regexp.Compile("(?s)" + start + translate(strings.TrimPrefix(pattern, "/")) + "$")
	if err != nil {
		return nil, invalid("glob cannot be read: brackets or braces do not fit; write such as src/**/*.go or *.{ts,tsx}")
	}
	return expression.MatchString, nil
}

// translate writes a glob as a regular expression.
func translate(pattern string) string {
	var b strings.Builder
	braces := 0
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch c := pattern[i]; {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '{':
			b.WriteString("(?:")
			braces++
		case c == '}':
			b.WriteString(")")
			braces--
		case c == ',' && braces > 0:
			b.WriteString("|")
		case c == '[':
			end := strings.IndexByte(rest, ']')
			if end < 2 {
				return "[" // does not compile
			}
			class := strings.ReplaceAll(rest[1:end], `\`, `\\`)
			if class[0] == '!' {
				class = "^" + class[1:]
			}
			b.WriteString("[" + strings.ReplaceAll(class, "[", `\[`) + "]")
			i += end
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	return b.String()
}
