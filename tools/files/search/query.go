package search

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// MaxFile is the size in bytes above which a file is not searched.
const MaxFile = 4 << 20

// The limits of a query.
const (
	DefaultLimit  = 20
	MaxLimit      = 50
	MaxQuery      = 4096 // bytes of text
	DefaultBudget = 2 * time.Second
)

// ErrQuery is wrapped by the error for a query that is not valid. The message
// says what to change.
var ErrQuery = errors.New("search query")

// Query describes what to search for.
type Query struct {
	Text          string // UTF-8, not empty, at most MaxQuery bytes
	Prefix        string // only files whose path begins so, as in tree.Walk; "": all
	CaseSensitive bool   // else letters match by Unicode's simple case folding, so k also matches the Kelvin sign
	Regexp        bool   // Text is RE2 (package regexp) and applied to each line without its line ending
	Limit         int    // hits returned; 0: DefaultLimit, more than MaxLimit: MaxLimit
	Rank          bool   // the best files first, where the files are in a database that ranks them; the hits are the same
}

// HitLimit returns how many hits are returned at most.
func (q Query) HitLimit() int { return q.limit() }

func (q Query) limit() int {
	if q.Limit <= 0 {
		return DefaultLimit
	}
	return min(q.Limit, MaxLimit)
}

func (q Query) check() error {
	switch {
	case q.Text == "":
		return fmt.Errorf("%w: it is empty: give the text to look for", ErrQuery)
	case len(q.Text) > MaxQuery:
		return fmt.Errorf("%w: it has %d bytes, more than the limit of %d: give a shorter part", ErrQuery, len(q.Text), MaxQuery)
	case !utf8.ValidString(q.Text):
		return fmt.Errorf("%w: it is not UTF-8", ErrQuery)
	case q.Rank && q.Regexp:
		return fmt.Errorf("%w: rank orders files by words: leave out regex, or rank", ErrQuery)
	}
	return nil
}

// Options configures a search. The zero value is what tools use.
type Options struct {
	Budget         time.Duration          // after this much time the result is what was found so far; 0: DefaultBudget
	Workers        int                    // goroutines; 0: one per processor
	IncludeIgnored bool                   // also search what .gitignore hides
	Withhold       func(path string) bool // files whose content is not looked at, such as secrets; called by several goroutines at once; nil: none
	Exclude        string                 // files whose path begins so are not looked at, nor counted; "": none
	WithholdLinked func(path string) bool // likewise, asked only of files that have several names or may have
}

// Hit is one occurrence. Occurrences do not overlap.
type Hit struct {
	Score   float64 // of its file, higher is better; 0 without Query.Rank
	Path    string  // relative to the root, slashes
	Version string  // of the whole file that was searched (package version)
	Line    int     // from 1; lines end with a line feed
	// Column is where the hit begins, from 0, in UTF-16 code units: as
	// JavaScript's index - lastIndexOf('\n') - 1 counts, and most editors'
	// protocols. A byte that is not UTF-8 counts as one; a byte order mark
	// does not count.
	Column int
	// Snippet is the hit with up to 50 characters (code points) before and
	// after it, across lines. Bytes that are not UTF-8 are U+FFFD. Of a hit
	// longer than 200 characters only the beginning is there.
	Snippet   string
	CutBefore bool // the file has more text before the snippet
	CutAfter  bool // likewise after it
}

// Result is what a search found. Unless Partial, the counts are exact for the
// files under the prefix.
type Result struct {
	Hits    []Hit // by score, path in byte order, then position
	Files   int   // files with hits
	Total   int   // hits
	Partial bool  // the budget ran out: files are missing, and the hits are not necessarily the first

	Searched int   // files that were looked through
	Bytes    int64 // in them
	// Files that were not looked through.
	Binary     int // a NUL in the first 8 KiB
	TooBig     int // over MaxFile
	Withheld   int // by Options.Withhold and WithholdLinked
	Unreadable int // files and folders, for instance without permission

	HiddenFiles, HiddenFolders int // by ignore files; a folder counts once

	// Note says for the caller how the files were chosen, if not all were looked
	// through or that took long. "": there is nothing to say.
	Note string
}
