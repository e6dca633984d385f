package prisma

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// kind is what a token is.
type kind int

const (
	end     kind = iota
	word         // a name, a number, true
	text         // "…"
	symbol       // one of {}()[]:,.=?@! and @@, or any other character
	newline      // outside of parentheses and brackets
	comment      // behind ///
)

// token is a piece of a schema.
type token struct {
	kind kind
	text string // what it means
	pos  int
}

func (t token) is(s string) bool { return t.kind == symbol && t.text == s }

// lexer splits a schema into tokens.
type lexer struct {
	src    string
	pos    int
	depth  int // of parentheses and brackets, within which lines do not end
	tokens []token
}

func lex(src string) ([]token, error) {
	l := &lexer{src: src}
	for l.pos < len(src) {
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	l.add(newline, "", 0)
	l.add(end, "", 0)
	return l.tokens, nil
}

func (l *lexer) add(k kind, meaning string, n int) {
	l.tokens = append(l.tokens, token{k, meaning, l.pos})
	l.pos += n
}

func (l *lexer) next() error {
	rest := l.src[l.pos:]
	switch c := rest[0]; {
	case c == '\n':
		if l.depth == 0 {
			l.add(newline, "", 0)
		}
		l.pos++
	case c == ' ', c == '\t', c == '\r', strings.HasPrefix(rest, "\ufeff"):
		_, n := utf8.DecodeRuneInString(rest)
		l.pos += n
	case strings.HasPrefix(rest, "//"):
		line, _, _ := strings.Cut(rest, "\n")
		if says, is := strings.CutPrefix(line, "///"); is {
			l.add(comment, strings.TrimSpace(says), 0)
		}
		l.pos += len(line)
	case strings.HasPrefix(rest, "/*"):
		n := strings.Index(rest, "*/")
		if n < 0 {
			return designer.ErrorAt(l.src, l.pos, errors.New("the comment is not closed"))
		}
		l.pos += n + 2
	case c == '"':
		return l.quoted()
	case strings.HasPrefix(rest, "@@"):
		l.add(symbol, "@@", 2)
	case wordEnd(rest) > 0:
		n := wordEnd(rest)
		l.add(word, rest[:n], n)
	default:
		switch c {
		case '(', '[':
			l.depth++
		case ')', ']':
			l.depth = max(0, l.depth-1)
		}
		_, n := utf8.DecodeRuneInString(rest)
		l.add(symbol, rest[:n], n)
	}
	return nil
}

// wordEnd returns how many bytes of a name or a number s begins with.
func wordEnd(s string) int {
	for i, r := range s {
		switch {
		case r == '_', unicode.IsLetter(r), unicode.IsDigit(r), i == 0 && r == '-' && len(s) > 1 && s[1] >= '0' && s[1] <= '9':
		case i > 0 && (r == '-' || r == '+') && (s[0] == '-' || s[0] >= '0' && s[0] <= '9'): // 1e-3, 2020-01-01
		case i > 0 && r == '.' && (s[0] == '-' || s[0] >= '0' && s[0] <= '9'):
		default:
			return i
		}
	}
	return len(s)
}

func (l *lexer) quoted() error {
	var b strings.Builder
	for i := l.pos + 1; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '"':
			l.add(text, b.String(), i+1-l.pos)
			return nil
		case c == '\n':
			return designer.ErrorAt(l.src, l.pos, errors.New("the text is not closed on its line"))
		case c == '\\' && i+1 < len(l.src):
			i++
			if at := strings.IndexByte("nrt", l.src[i]); at >= 0 {
				b.WriteByte("\n\r\t"[at])
			} else {
				b.WriteByte(l.src[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return designer.ErrorAt(l.src, l.pos, errors.New("the text is not closed"))
}

// shown returns a token for a message.
func (t token) shown() string {
	switch t.kind {
	case end:
		return "the end of the text"
	case newline:
		return "the end of the line"
	}
	return fmt.Sprintf("%q", clip.Text(t.text, 40))
}
