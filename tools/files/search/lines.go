package search

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// lines finds a regular expression, line by line. If every hit contains a
// certain literal, only lines that have it are looked at.
type lines struct {
	re      *regexp.Regexp
	literal finder // nil: there is none
}

func compileLines(text string, fold bool) (finder, error) {
	if fold {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %v: the syntax is that of RE2; to look for the text as it is, leave out regex", ErrQuery, err)
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrQuery, err)
	}
	parsed = parsed.Simplify()
	if wantsNewline(parsed) {
		return nil, fmt.Errorf("%w: a regular expression is applied to each line and cannot match a line feed: look for one line, or leave out regex", ErrQuery)
	}
	l := &lines{re: re}
	if need, folded := required(parsed); need == "" {
		l.literal = nil
	} else if folded {
		l.literal = newFolded(need)
	} else {
		l.literal = newExact(need)
	}
	return l, nil
}

// wantsNewline tells whether a line feed is spelled out.
func wantsNewline(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral && strings.ContainsRune(string(re.Rune), '\n') {
		return true
	}
	for _, sub := range re.Sub {
		if wantsNewline(sub) {
			return true
		}
	}
	return false
}

// required is the longest literal that every match contains, as far as is
// easily seen, and whether it is to be found without regard to case.
func required(re *syntax.Regexp) (text string, fold bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune), re.Flags&syntax.FoldCase != 0
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if s, f := required(sub); len(s) > len(text) {
				text, fold = s, f
			}
		}
	}
	return text, fold
}

func (l *lines) each(ctx context.Context, text []byte, found func(start, end int)) error {
	if l.literal != nil {
		return l.likely(ctx, text, found)
	}
	for at := 0; at < len(text); {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := behind(text, at, '\n')
		l.line(text, at, end, found)
		at = end + 1
	}
	return nil
}

// likely looks only at the lines that have the literal.
func (l *lines) likely(ctx context.Context, text []byte, found func(start, end int)) error {
	done := 0 // the lines before are
	_ = l.literal.each(ctx, text, func(start, _ int) {
		if start < done || ctx.Err() != nil {
			return
		}
		end := behind(text, start, '\n')
		l.line(text, bytes.LastIndexByte(text[:start], '\n')+1, end, found)
		done = end + 1
	})
	return ctx.Err()
}

func (l *lines) line(text []byte, from, to int, found func(start, end int)) {
	line := bytes.TrimSuffix(text[from:to], []byte("\r"))
	if !l.re.Match(line) { // which allocates nothing
		return
	}
	for _, m := range l.re.FindAllIndex(line, -1) {
		found(from+m[0], from+m[1])
	}
}
