package search

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/berth-dev/berth/tools/files/version"
)

// The sizes of a snippet, in characters.
const (
	around  = 50
	longest = 200
)

// bestHits keeps the hits of the files with the highest scores, of equal ones
// those that are first by path.
type bestHits struct {
	limit int
	hits  []Hit
	last  *Hit // hits in later files are not needed; nil: not known yet
}

// offer adds a file's hits. Text is its content without a byte order mark,
// spans are the first limit of its hits.
func (b *bestHits) offer(path string, score float64, content, text []byte, spans []span) {
	if b.last != nil && (score < b.last.Score || score == b.last.Score && path > b.last.Path) {
		return
	}
	v := version.Of(content)
	line, from := 1, 0
	for _, s := range spans {
		line += bytes.Count(text[from:s.start], []byte("\n"))
		from = s.start
		h := Hit{Score: score, Path: path, Version: v, Line: line, Column: column(text, s.start)}
		h.Snippet, h.CutBefore, h.CutAfter = snippet(text, s)
		b.hits = append(b.hits, h)
	}
	if len(b.hits) >= 4*b.limit {
		b.hits = first(b.hits, b.limit)
		last := b.hits[b.limit-1]
		b.last = &last
	}
}

// column counts UTF-16 code units from the line's beginning to at.
func column(text []byte, at int) int {
	units := 0
	for rest := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]; len(rest) > 0; units++ {
		r, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		if utf16.RuneLen(r) == 2 {
			units++
		}
	}
	return units
}

// snippet cuts a hit out of its text, with what is around it.
func snippet(text []byte, s span) (cut string, before, after bool) {
	start := s.start
	for range around {
		_, size := utf8.DecodeLastRune(text[:start])
		start -= size
	}
	end := s.start
	for n := 0; n < longest && end < s.end; n++ {
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	if end >= s.end {
		end = s.end
		for range around {
			_, size := utf8.DecodeRune(text[end:])
			end += size
		}
	}
	return strings.ToValidUTF8(string(text[start:end]), "\ufffd"), start > 0, end < len(text)
}
