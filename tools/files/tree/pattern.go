package tree

import (
	"bytes"
	"strings"
)

// pattern is one line of an ignore file.
type pattern struct {
	raw     string // the line, without trailing spaces: for the person
	line    int    // from 1
	negated bool   // ! shows again what an earlier line hid
	dirOnly bool   // a trailing slash
	base    bool   // no other slash: the last part of a path decides
	suffix  bool   // a star and no other wildcard: the end of a name decides
	literal int    // bytes before the first wildcard
	text    string // what is to be matched
}

// parse reads an ignore file as git does (dir.c: add_patterns_from_buffer,
// parse_path_pattern). It never fails: a malformed pattern matches nothing.
func parse(content []byte) []pattern {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	var all []pattern
	for line := 1; len(content) > 0; line++ {
		text, rest, _ := bytes.Cut(content, []byte("\n"))
		content = rest
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		text = bytes.TrimSuffix(text, []byte("\r"))
		if nul := bytes.IndexByte(text, 0); nul >= 0 {
			text = text[:nul]
		}
		if p := parseLine(withoutTrailingSpaces(string(text))); p.text != "" {
			p.line = line
			all = append(all, p)
		}
	}
	return all
}

// withoutTrailingSpaces keeps a space that a backslash protects. A backslash
// at the very end keeps all, as it does in git.
func withoutTrailingSpaces(s string) string {
	last := -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			if last < 0 {
				last = i
			}
			continue
		case '\\':
			if i++; i == len(s) {
				return s
			}
		}
		last = -1
	}
	if last < 0 {
		return s
	}
	return s[:last]
}

func parseLine(line string) pattern {
	p := pattern{raw: line}
	p.text, p.negated = strings.CutPrefix(line, "!")
	p.literal = strings.IndexFunc(p.text, func(r rune) bool { return r < 0x80 && isSpecial(byte(r)) })
	p.suffix = strings.HasPrefix(p.text, "*") && !strings.ContainsAny(p.text[1:], `*?[\`)
	p.text, p.dirOnly = strings.CutSuffix(p.text, "/")
	if p.literal < 0 || p.literal > len(p.text) {
		p.literal = len(p.text)
	}
	p.base = !strings.Contains(p.text, "/")
	if rest, anchored := strings.CutPrefix(p.text, "/"); anchored {
		p.text = rest
		p.literal--
	}
	return p
}

// match reports whether the pattern, in an ignore file of the folder that path
// is relative to, matches path.
func (p *pattern) match(path string, dir, fold bool) bool {
	if p.dirOnly && !dir {
		return false
	}
	if p.base {
		return p.matchName(path[strings.LastIndexByte(path, '/')+1:], fold)
	}
	if p.literal > len(path) || !equal(p.text[:p.literal], path[:p.literal], fold) {
		return false
	}
	if p.literal == len(p.text) {
		return p.literal == len(path)
	}
	// Git matches only what is behind the literal part: a ** there counts as
	// the pattern's beginning whatever is before it.
	return wildmatch(p.text[p.literal:], path[p.literal:], true, fold)
}

func (p *pattern) matchName(name string, fold bool) bool {
	switch {
	case p.literal == len(p.text):
		return equal(p.text, name, fold)
	case p.suffix:
		n := len(name) - (len(p.text) - 1)
		return n >= 0 && equal(p.text[1:], name[n:], fold)
	}
	return wildmatch(p.text, name, false, fold)
}

// equal compares bytes, or ASCII letters without case.
func equal(a, b string, fold bool) bool {
	if !fold || len(a) != len(b) {
		return a == b
	}
	w := matcher{fold: true}
	for i := range len(a) {
		if w.lower(a[i]) != w.lower(b[i]) {
			return false
		}
	}
	return true
}
