package mysql

import "strings"

// SplitScript takes a script apart into its statements, as the mysql client
// does: at semicolons, or at what a DELIMITER line says. Statements come
// without their delimiter; what holds no code is left out.
func SplitScript(script string) []string {
	var out []string
	s := splitter{rest: script, delimiter: ";"}
	for s.rest != "" {
		if text := s.statement(); len(code(scan(text))) > 0 {
			out = append(out, strings.TrimSpace(text))
		}
	}
	return out
}

type splitter struct{ rest, delimiter string }

// statement takes the text up to the next delimiter off, or up to a line that
// changes it.
func (s *splitter) statement() string {
	var b strings.Builder
	blank := true // nothing but white space so far
	for s.rest != "" {
		if strings.HasPrefix(s.rest, s.delimiter) {
			s.rest = s.rest[len(s.delimiter):]
			break
		}
		t := next(s.rest)
		if blank && t.kind == wordToken && strings.EqualFold(t.text, "DELIMITER") {
			line := upTo(s.rest, "\n")
			s.rest = s.rest[len(line):]
			if fields := strings.Fields(line); len(fields) > 1 {
				s.delimiter = fields[1]
			}
			break
		}
		if i := strings.Index(t.text, s.delimiter); i > 0 && (t.kind == wordToken || t.kind == otherToken) {
			t.text = t.text[:i] // END$$, 1$$
		}
		blank = blank && t.kind == spaceToken
		b.WriteString(t.text)
		s.rest = s.rest[len(t.text):]
	}
	return b.String()
}
