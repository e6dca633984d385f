package search

import (
	"context"
	"regexp/syntax"
)

// Scan searches contents that its caller has, one after the other, as [Search]
// searches files. It is for one goroutine.
type Scan struct {
	w     worker
	limit int
}

// NewScan returns a scan that stops when ctx is done. Of opts only Withhold
// counts. The error wraps ErrQuery.
func NewScan(ctx context.Context, q Query, opts Options) (*Scan, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	find, err := compile(q)
	if err != nil {
		return nil, err
	}
	return &Scan{limit: q.limit(), w: worker{ctx: ctx, find: find, best: bestHits{limit: q.limit()}, withhold: opts.Withhold}}, nil
}

// Withholds reports whether a file's content is not looked at, and counts it.
func (s *Scan) Withholds(path string) bool {
	if s.w.withhold == nil || !s.w.withhold(path) {
		return false
	}
	s.w.result.Withheld++
	return true
}

// TooBig counts a file of more than [MaxFile] bytes.
func (s *Scan) TooBig() { s.w.result.TooBig++ }

// Content searches the content of a file, which has a score if the query asks
// for ranks. The error is ctx's.
func (s *Scan) Content(path string, score float64, content []byte) error {
	s.w.score = score
	return s.w.scan(path, content)
}

// Result returns what was found so far.
func (s *Scan) Result() Result {
	r := s.w.result
	r.Hits = append([]Hit(nil), s.w.best.hits...)
	return Merge(s.limit, r)
}

// Needle is a text that a hit contains.
type Needle struct {
	Text string
	Fold bool // with letters of either case, see [Query]
}

// Needles returns texts of which every hit of a valid query contains at least
// one, for an index to narrow a search with; nil: none are known.
func (q Query) Needles() []Needle {
	if !q.Regexp {
		return []Needle{{q.Text, !q.CaseSensitive}}
	}
	text := q.Text
	if !q.CaseSensitive {
		text = "(?i)" + text
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil
	}
	var list []Needle
	for _, n := range required(parsed.Simplify()) {
		list = append(list, Needle{n.text, n.fold})
	}
	return list
}
