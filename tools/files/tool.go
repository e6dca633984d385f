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
	// Store, if set, has the files below the folder Mount, a parsed path; "":
	// all of the project's files.
	Store store.Store
	Mount string
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
	settings atomic.Pointer[inForce]
	held     *versionCache
	watch    *watch
	made     madeEdits
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

// Update changes the settings for later calls.
func (t *Tool) Update(s Settings) {
	now := &inForce{Settings: s, files: store.Disk(t.project)}
	if s.Store != nil {
		now.files = store.Mounted(now.files, s.Mount, s.Store)
	}
	t.settings.Store(now)
}

// inForce are settings with the files that result from them.
type inForce struct {
	Settings
	files store.Store
}

// files returns where the project's files are at the moment.
func (t *Tool) files() store.Store { return t.settings.Load().files }

// onDisk reports whether a path is one of the project's folder.
func (t *Tool) onDisk(path string) bool {
	s := t.settings.Load()
	return s.Store == nil || !store.Under(s.Mount, path)
}

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
	Fast      bool   `json:"fast"` // in fast mode: no person approved it
	// EditID is for [Tool.FindEdit] and [Tool.UndoEdit]; "": a person approved
	// the edit, or it cannot be undone.
	EditID string `json:"editId,omitempty"`
}

// StaleNotice is the notice that a file is no longer what an agent last read or
// wrote.
type StaleNotice struct {
	Type string `json:"type"` // "file_stale"
	Path string `json:"path"`
}
