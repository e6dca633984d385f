package files

import (
	"errors"
	"log/slog"
	"sync/atomic"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files/disk"
)

// Settings are what a person set for the project's files. The zero value is
// the careful one.
type Settings struct {
	Fast    bool // edits are made at once, and told afterwards
	Secrets bool // files that hold secrets may be read and edited
}

// Options say what the tools work with. Root and Ledger are required.
type Options struct {
	Root     string           // the project's folder, absolute
	Journal  string           // a file of the state, for what a crash leaves in the project; "": none
	Ledger   *approval.Ledger // asks a person
	URL      string           // of the page where a person decides; "": none is named
	Settings Settings
	// Announce tells the page of an edit, as [Edited], or of a file that the
	// agent knows no longer, as [Stale]. nil: nobody is told.
	Announce func(notice any)
	Logger   *slog.Logger // nil: no log
}

// Tool handles the file tools. It is safe for concurrent use and to be closed.
type Tool struct {
	opts     Options
	project  *disk.Project
	settings atomic.Pointer[Settings]
	held     *held
	watch    *watch
}

// New opens the project's folder.
func New(opts Options) (*Tool, error) {
	if opts.Ledger == nil {
		return nil, errors.New("the file tools need a ledger of approvals")
	}
	if opts.Announce == nil {
		opts.Announce = func(any) {}
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	project, err := disk.Open(opts.Root, opts.Journal)
	if err != nil {
		return nil, err
	}
	t := &Tool{opts: opts, project: project, held: newHeld()}
	t.watch = newWatch(project, opts.Announce)
	t.Update(opts.Settings)
	return t, nil
}

// Update puts other settings in force, for the calls that follow.
func (t *Tool) Update(s Settings) { t.settings.Store(&s) }

// Close ends watching and releases the folder.
func (t *Tool) Close() error {
	t.watch.close()
	return t.project.Close()
}

// Handlers returns the handlers by the tools' names.
func (t *Tool) Handlers() map[string]tools.Handler {
	return map[string]tools.Handler{
		catalog.ListEntries:   t.listEntries,
		catalog.ReadFile:      t.readFile,
		catalog.SearchContent: t.searchContent,
		catalog.EditFile:      t.editFile,
	}
}

// Edited is the notice of an edit that was made.
type Edited struct {
	Type      string `json:"type"` // "file_edited"
	Path      string `json:"path"`
	Additions int    `json:"additions"` // lines
	Deletions int    `json:"deletions"`
}

// Stale is the notice that a file is no longer what an agent last read or
// wrote.
type Stale struct {
	Type string `json:"type"` // "file_stale"
	Path string `json:"path"`
}
