package files

import (
	"errors"
	"log/slog"
	"sync/atomic"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/store"
)

// Settings are a person's settings for the project's files. The zero value is
// the most restrictive.
type Settings struct {
	Fast    bool // edits are made at once and announced afterwards
	Secrets bool // files that hold secrets may be read and edited
}

// Options configures a [Tool]. Root and Ledger are required.
type Options struct {
	Root     string           // the project's folder, absolute
	Journal  string           // a file that records where a crash may leave temporary files; "": none
	Ledger   *approval.Ledger // asks a person for approval
	URL      string           // of the page where a person decides; "": none is named
	Settings Settings
	// Announce reports an edit to the page, as [EditNotice], or that the agent's
	// version of a file is outdated, as [StaleNotice]. It may be nil.
	Announce func(notice any)
	Logger   *slog.Logger // nil: no log
}

// Tool handles the file tools. It is safe for concurrent use. The caller must
// close it.
type Tool struct {
	opts     Options
	project  *disk.Project
	files    store.Store
	settings atomic.Pointer[Settings]
	held     *versionCache
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
	t := &Tool{opts: opts, project: project, files: store.Disk(project), held: newHeld()}
	t.watch = newWatch(project, opts.Announce)
	t.Update(opts.Settings)
	return t, nil
}

// Update changes the settings for later calls.
func (t *Tool) Update(s Settings) { t.settings.Store(&s) }

// Close stops watching and closes the folder.
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

// EditNotice is the notice of an edit that was made.
type EditNotice struct {
	Type      string `json:"type"` // "file_edited"
	Path      string `json:"path"`
	Additions int    `json:"additions"` // lines
	Deletions int    `json:"deletions"`
}

// StaleNotice is the notice that a file is no longer what an agent last read or
// wrote.
type StaleNotice struct {
	Type string `json:"type"` // "file_stale"
	Path string `json:"path"`
}
