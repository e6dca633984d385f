package serve

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/rows"
)

// fileOptions are those of the file tools on the project's folder.
func (r run) fileOptions(b *base) files.Options {
	return files.Options{
		Root:     r.Root,
		Journal:  filepath.Join(r.Home.StateDir(r.Root), "edits"),
		Ledger:   b.ledger,
		URL:      wire.URL(b.port),
		Settings: fileSettings(r.Settings, b.databases),
		Announce: b.notices.Announce,
		Logger:   r.Logger,
	}
}

func fileSettings(s *settings.Settings, databases *pool.Connections) files.Settings {
	set := files.Settings{Fast: s.Files.Mode == settings.FilesFast, Secrets: s.Files.Secrets}
	if st := s.Files.Store; st != nil {
		set.Store, set.Mount = rows.New(&fileConnection{databases, st.Connection}, FileRows(st)), st.Mount
	}
	return set
}

// FileRows returns the store of the settings in the words of package rows.
func FileRows(st *settings.Store) rows.Options {
	return rows.Options{Connection: st.Connection, Table: st.Table, Project: st.Project,
		Columns: rows.Columns{Path: st.Columns.Path, Content: st.Columns.Content, UpdatedAt: st.Columns.UpdatedAt, Project: st.Columns.Project}}
}

// fileConnection is the connection of files that are rows, as it is when a
// file is asked for.
type fileConnection struct {
	databases *pool.Connections
	name      string
}

func (c *fileConnection) Describe(ctx context.Context) (rows.Description, error) {
	cfg, err := c.databases.Pick(ctx, c.name)
	if err != nil {
		return rows.Description{}, fileError(err)
	}
	d, err := c.databases.Database(cfg)
	if err != nil {
		return rows.Description{}, fileError(err)
	}
	return rows.Description{Dialect: d.Kind(), AllowWrites: cfg.AllowWrites, ReadOnly: cfg.ReadOnly}, nil
}

func (c *fileConnection) Read(ctx context.Context, work func(context.Context, *sql.DB) error) error {
	cfg, err := c.databases.Pick(ctx, c.name)
	if err != nil {
		return fileError(err)
	}
	return fileError(c.databases.ReadFiles(ctx, cfg, work))
}

func (c *fileConnection) Write(ctx context.Context, work func(context.Context, *sql.DB) error) error {
	cfg, err := c.databases.Pick(ctx, c.name)
	if err != nil {
		return fileError(err)
	}
	return fileError(c.databases.WriteFile(ctx, cfg, work))
}

// fileError words an error of a connection for the file tools.
func fileError(err error) error {
	var known *disk.Error
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &disk.Error{Reason: disk.Unavailable, Message: "the project's files are in a database that cannot be used: " + pool.Message(err), Err: err}
}
