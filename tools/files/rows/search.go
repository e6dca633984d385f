package rows

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/tools/files/search"
	"github.com/berth-dev/berth/tools/files/tree"
)

// Search implements [store.Store].
func (s *Store) Search(ctx context.Context, q search.Query, opts search.Options) (search.Result, error) {
	within, cancel := context.WithTimeout(ctx, cmp.Or(opts.Budget, search.DefaultBudget))
	defer cancel()
	scan, err := search.NewScan(within, q, opts)
	if err != nil {
		return search.Result{}, err
	}
	f := &finding{scan: scan, opts: opts, ignore: tree.NewIgnore(), asked: map[string]bool{}, hidden: map[string]bool{}}
	err = s.read(within, func(ctx context.Context, db *sql.DB, sh *shape) error {
		sh, err := s.unchanged(ctx, db, sh)
		if err != nil {
			return err
		}
		return f.run(ctx, db, sh, q)
	})
	r := scan.Result()
	r.Note, r.Unreadable = f.note, r.Unreadable+f.unreadable
	r.HiddenFiles, r.HiddenFolders = f.hiddenFiles, len(f.hidden)
	switch {
	case ctx.Err() != nil:
		return search.Result{}, ctx.Err()
	case err != nil && within.Err() == nil:
		return search.Result{}, err
	}
	r.Partial = err != nil
	return r, nil
}

// finding is a search in progress.
type finding struct {
	scan   *search.Scan
	opts   search.Options
	ignore *tree.Ignore
	asked  map[string]bool // ignore files that were looked for
	hidden map[string]bool // folders
	note   string

	hiddenFiles, unreadable int
	batch                   []candidate
	bytes                   int
}

// candidate is a row that may have hits.
type candidate struct {
	path    string
	size    int64
	score   float64
	content []byte // empty if it is too large
}

// The most that is held while ignore files are looked up.
const (
	batchRows  = 256
	batchBytes = 4 << 20
)

// run searches the rows that the index names, or else all.
func (f *finding) run(ctx context.Context, db *sql.DB, sh *shape, q search.Query) error {
	where, args := sh.rowsBelow(q.Prefix)
	texts, fold, why := sh.lookups(q)
	if f.note = why; texts != nil {
		narrowed, more := sh.narrowed(texts, fold, len(args))
		where, args = where+" AND "+narrowed, append(args, more...)
		f.note = "the index of the table named the files; searched and skipped count those alone"
	}
	reading, done, err := sh.reader(ctx, db, texts != nil)
	if err != nil {
		return err
	}
	defer done()
	rank, err := sh.ranked(ctx, reading, q, texts, len(args))
	if err != nil {
		return err
	}
	if rank.note != "" {
		f.note = rank.note + "; " + f.note
	}
	args = append(args, rank.args...)
	query := fmt.Sprintf("SELECT %s, %s, CASE WHEN %[2]s > %d THEN NULL ELSE %s END, %s FROM %s%s WHERE %s",
		sh.column(sh.opts.Columns.Path), sh.size(), search.MaxFile, sh.column(sh.opts.Columns.Content), rank.score, sh.table, rank.join, where)
	err = each(ctx, reading, query, args, func(scan func(...any) error) error {
		var c candidate
		var spelled string
		var content content
		if err := scan(&spelled, &c.size, &content, &c.score); err != nil {
			return err
		}
		c.content = content.bytes
		var ok bool
		if c.path, ok = inside(spelled); !ok {
			f.unreadable++
			return nil
		}
		if !strings.HasPrefix(c.path, q.Prefix) {
			return nil
		}
		f.batch, f.bytes = append(f.batch, c), f.bytes+len(c.content)
		if len(f.batch) < batchRows && f.bytes < batchBytes {
			return nil
		}
		return f.flush(ctx, db, sh)
	})
	return cmp.Or(err, f.flush(ctx, db, sh))
}

// reader returns what a search is asked of. PostgreSQL takes a scan of all rows
// for cheap, because it does not count that their content is stored apart and
// has to be fetched; so where there is an index it is told to use that.
func (sh *shape) reader(ctx context.Context, db *sql.DB, narrowed bool) (_ querier, done func(), err error) {
	if !narrowed || sh.dialect != dialectPostgres {
		return db, func() {}, nil
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = tx.Rollback() } // it only read
	if _, err := tx.ExecContext(ctx, "SET LOCAL enable_seqscan = off"); err != nil {
		done()
		return nil, nil, err
	}
	return tx, done, nil
}

// flush searches the rows that were collected, in a second session: the first
// one is giving rows.
func (f *finding) flush(ctx context.Context, db *sql.DB, sh *shape) error {
	var files []string
	for _, c := range f.batch {
		for _, name := range tree.IgnoreFiles(c.path) {
			if !f.asked[name] {
				f.asked[name] = true
				files = append(files, name)
			}
		}
	}
	if err := sh.addIgnoreFiles(ctx, db, f.ignore, files); err != nil {
		return err
	}
	for _, c := range f.batch {
		if err := f.candidate(c); err != nil {
			return err
		}
	}
	f.batch, f.bytes = f.batch[:0], 0
	return nil
}

func (f *finding) candidate(c candidate) error {
	if hidden, folder := f.ignore.Hides(c.path); hidden && (!f.opts.IncludeIgnored || folder == gitFolder) {
		switch folder {
		case gitFolder:
		case "":
			f.hiddenFiles++
		default:
			f.hidden[folder] = true
		}
		return nil
	}
	switch {
	case f.scan.Withholds(c.path):
	case c.size > search.MaxFile:
		f.scan.TooBig()
	default:
		return f.scan.Content(c.path, c.score, c.content)
	}
	return nil
}

// gitFolder is the folder that hides git's own files.
const gitFolder = ".git"
