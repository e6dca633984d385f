package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/berth-dev/berth/tools/files/tree"
)

// binaryProbe is how far into a file a NUL makes it binary, in bytes.
const binaryProbe = 8 << 10

// Search searches the files below root for q. The error wraps ErrQuery, is
// ctx's, or reports that the root cannot be read; errors of single files are
// counted in the result.
func Search(ctx context.Context, root *os.Root, q Query, opts Options) (Result, error) {
	budget := cmp.Or(opts.Budget, DefaultBudget)
	within, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	return search(ctx, within, root, q, opts)
}

// search searches until within is done, which makes the result partial, or ctx
// is done, which is an error.
func search(ctx, within context.Context, root *os.Root, q Query, opts Options) (Result, error) {
	if err := q.check(); err != nil {
		return Result{}, err
	}
	if q.Rank {
		return Result{}, fmt.Errorf("%w: rank is for files that a database has (files.store in the settings), and these are on disk: leave out rank", ErrQuery)
	}
	find, err := compile(q)
	if err != nil {
		return Result{}, err
	}
	workers := make([]worker, cmp.Or(max(opts.Workers, 0), runtime.GOMAXPROCS(0)))
	for i := range workers {
		workers[i] = worker{find: find, best: bestHits{limit: q.limit()}, withhold: opts.Withhold, exclude: opts.Exclude, linked: opts.WithholdLinked, ctx: within}
	}
	walk := tree.Options{IncludeIgnored: opts.IncludeIgnored, Workers: len(workers)}
	counts, err := tree.Walk(within, root, q.Prefix, walk, func(i int, e *tree.Entry) error {
		return workers[i].visit(e)
	})
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case err != nil && within.Err() == nil:
		return Result{}, err
	}
	r := merged(q.limit(), workers)
	r.Partial = err != nil
	r.Unreadable += counts.Unreadable
	r.HiddenFiles, r.HiddenFolders = counts.HiddenFiles, counts.HiddenFolders
	return r, nil
}

// merged adds up what the workers found.
func merged(limit int, workers []worker) Result {
	results := make([]Result, len(workers))
	for i := range workers {
		results[i] = workers[i].result
		results[i].Hits = workers[i].best.hits
	}
	return Merge(limit, results...)
}

// Merge adds up results of one query on different files.
func Merge(limit int, results ...Result) Result {
	var r Result
	for _, w := range results {
		r.Files += w.Files
		r.Total += w.Total
		r.Partial = r.Partial || w.Partial
		r.Searched += w.Searched
		r.Bytes += w.Bytes
		r.Binary += w.Binary
		r.TooBig += w.TooBig
		r.Withheld += w.Withheld
		r.Unreadable += w.Unreadable
		r.HiddenFiles += w.HiddenFiles
		r.HiddenFolders += w.HiddenFolders
		r.Note = cmp.Or(r.Note, w.Note)
		r.Hits = append(r.Hits, w.Hits...)
	}
	r.Hits = first(r.Hits, limit)
	return r
}

// worker is the state of one goroutine that searches files one after the other.
type worker struct {
	ctx      context.Context // the walk's, to stop within a file
	find     finder
	withhold func(string) bool
	exclude  string
	linked   func(string) bool

	buf    []byte
	spans  []span  // of the file at hand, the first ones
	score  float64 // of the file at hand
	best   bestHits
	result Result   // counts only
	_      [64]byte // the next worker's counts are on another cache line
}

// span is where in a text a hit is, in bytes.
type span struct{ start, end int }

func (w *worker) visit(e *tree.Entry) error {
	if e.Kind != tree.File || w.exclude != "" && strings.HasPrefix(e.Path, w.exclude) {
		return nil
	}
	if w.withhold != nil && w.withhold(e.Path) {
		w.result.Withheld++
		return nil
	}
	content, err := e.Read(w.buf, MaxFile)
	switch {
	case errors.Is(err, tree.ErrTooBig):
		w.result.TooBig++
		return nil
	case errors.Is(err, fs.ErrNotExist): // removed since it was listed
		return nil
	case err != nil:
		w.result.Unreadable++
		return nil
	}
	w.buf = content[:0]
	if e.Links != 1 && w.linked != nil && w.linked(e.Path) {
		w.result.Withheld++
		return nil
	}
	return w.scan(e.Path, content)
}

// scan searches one file's content, unless it is binary.
func (w *worker) scan(path string, content []byte) error {
	if bytes.IndexByte(content[:min(binaryProbe, len(content))], 0) >= 0 {
		w.result.Binary++
		return nil
	}
	w.spans = w.spans[:0]
	text := bytes.TrimPrefix(content, []byte("\ufeff"))
	hits := 0
	err := w.find.each(w.ctx, text, func(start, end int) {
		if hits++; hits <= w.best.limit {
			w.spans = append(w.spans, span{start, end})
		}
	})
	if err != nil {
		return err // the file was not searched
	}
	w.result.Searched++
	w.result.Bytes += int64(len(content))
	if hits > 0 {
		w.result.Files++
		w.result.Total += hits
		w.best.offer(path, w.score, content, text, w.spans)
	}
	return nil
}

// first sorts hits and drops those beyond the limit.
func first(hits []Hit, limit int) []Hit {
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path)) })
	if len(hits) > limit {
		clear(hits[limit:])
		hits = hits[:limit]
	}
	return hits
}
