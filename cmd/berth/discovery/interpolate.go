package discovery

import "strings"

// interpolate puts in $NAME, ${NAME}, ${NAME:-default} and the like; $$ is a
// dollar sign.
func interpolate(text string, look func(string) (string, bool)) string {
	return interpolated(text, look, 5)
}

func interpolated(text string, look func(string) (string, bool), depth int) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "$")
		b.WriteString(before)
		switch {
		case b.Len() > maxValue:
			return "" // variables of variables
		case !ok:
			return b.String()
		case strings.HasPrefix(rest, "$"):
			b.WriteByte('$')
			text = rest[1:]
			continue
		case strings.HasPrefix(rest, "{"):
			end := closingBrace(rest[1:])
			if end < 0 {
				b.WriteString("$" + rest)
				return b.String()
			}
			b.WriteString(braced(rest[1:1+end], look, depth-1))
			text = rest[end+2:]
			continue
		}
		end := variableEnd(rest)
		value, _ := look(rest[:end])
		if end == 0 {
			value = "$"
		}
		b.WriteString(value)
		text = rest[end:]
	}
}

// braced is what stands for the inside of ${…}.
func braced(inner string, look func(string) (string, bool), depth int) string {
	end := variableEnd(inner)
	value, ok := look(inner[:end])
	operator := inner[end:]
	switch {
	case depth < 0:
		return ""
	case strings.HasPrefix(operator, ":-") && value == "":
		return interpolated(operator[2:], look, depth)
	case strings.HasPrefix(operator, "-") && !ok:
		return interpolated(operator[1:], look, depth)
	}
	return value
}
