package files

import (
	"regexp"
	"strings"
)

// maxGlob bounds a glob, in bytes.
const maxGlob = 500

// glob returns a function that matches paths. A pattern without a slash matches
// the last element of a path, at any depth; other patterns match the whole
// path, with or without a leading slash. * and ? do not match a slash, ** does,
// and {a,b} matches either.
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
		return nil, invalid("glob is not valid: brackets or braces do not match; examples: src/**/*.go, *.{ts,tsx}")
	}
	return expression.MatchString, nil
}

// translate converts a glob to a regular expression.
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
