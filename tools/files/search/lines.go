package search

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// lineFinder finds a regular expression line by line. If every hit must contain
// one of a few literals, it only matches lines that contain one.
type lineFinder struct {
	re       *regexp.Regexp
	literals []finder // none: every line is looked at
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
	l := &lineFinder{re: re}
	for _, n := range required(parsed) {
		if n.fold {
			l.literals = append(l.literals, newFolded(n.text))
		} else {
			l.literals = append(l.literals, newExact(n.text))
		}
	}
	return l, nil
}

// wantsNewline reports whether a line feed is spelled out.
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

// requiredLiteral is a literal and whether to ignore case.
type requiredLiteral struct {
	text string
	fold bool
}

// maxRequired bounds the literals that are searched for one after the other.
const maxRequired = 8

// required returns literals of which every match contains at least one,
// preferring long ones, or nil if that is not easily determined.
func required(re *syntax.Regexp) []requiredLiteral {
	switch re.Op {
	case syntax.OpLiteral:
		return []requiredLiteral{{string(re.Rune), re.Flags&syntax.FoldCase != 0}}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpConcat:
		var best []requiredLiteral
		for _, sub := range re.Sub {
			if n := required(sub); shortest(n) > shortest(best) {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		var all []requiredLiteral
		for _, sub := range re.Sub {
			n := required(sub)
			if all = append(all, n...); n == nil || len(all) > maxRequired {
				return nil
			}
		}
		return all
	}
	return nil
}

// shortest is the length of the shortest literal; 0: there is none.
func shortest(needs []requiredLiteral) int {
	least := 0
	for i, n := range needs {
		if i == 0 || len(n.text) < least {
			least = len(n.text)
		}
	}
	return least
}

func (l *lineFinder) each(ctx context.Context, text []byte, found func(start, end int)) error {
	switch len(l.literals) {
	case 0:
		return l.all(ctx, text, found)
	case 1:
		return l.likely(ctx, text, l.literals[0], found)
	}
	var starts places
	for _, f := range l.literals {
		if err := f.each(ctx, text, func(start, _ int) { starts = append(starts, start) }); err != nil {
			return err
		}
	}
	slices.Sort(starts)
	return l.likely(ctx, text, starts, found)
}

// places are where literals were found already.
type places []int

func (p places) each(_ context.Context, _ []byte, found func(start, end int)) error {
	for _, at := range p {
		found(at, at)
	}
	return nil
}

// all matches every line.
func (l *lineFinder) all(ctx context.Context, text []byte, found func(start, end int)) error {
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

// likely matches only the lines that contain a literal.
func (l *lineFinder) likely(ctx context.Context, text []byte, literal finder, found func(start, end int)) error {
	done := 0 // the lines before are
	err := literal.each(ctx, text, func(start, _ int) {
		if start < done || ctx.Err() != nil {
			return
		}
		end := behind(text, start, '\n')
		l.line(text, bytes.LastIndexByte(text[:start], '\n')+1, end, found)
		done = end + 1
	})
	return cmp.Or(err, ctx.Err())
}

func (l *lineFinder) line(text []byte, from, to int, found func(start, end int)) {
	line := bytes.TrimSuffix(text[from:to], []byte("\r"))
	if !l.re.Match(line) { // which allocates nothing
		return
	}
	for _, m := range l.re.FindAllIndex(line, -1) {
		found(from+m[0], from+m[1])
	}
}
