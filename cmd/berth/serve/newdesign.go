package serve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/pageapi"
	"github.com/berth-dev/berth/tools/schema"
)

// pageDesigns begins designs without a database for a person at the page, as
// berth new does, and makes the files that such a design is published to. The
// reloader sees the settings change.
type pageDesigns struct {
	root      string
	draft     func(draft []byte) (*settings.Settings, error)
	databases *pool.Connections
}

// takeIn is how long a new design is waited for.
const takeIn = 5 * time.Second

// Begin implements instance.NewDesigns.
func (p pageDesigns) Begin(ctx context.Context, n pageapi.NewDesign) (reply pageapi.NewDesignReply, err error) {
	reply.Guess = schema.GuessText(n.Text)
	entry := settings.NewConnection{Name: n.Name, Design: settings.DialectOf(n.Dialect)}
	switch {
	case entry.Design != "":
	case n.Dialect != "":
		return reply, refusedDesign("no dialect is called %q: there are sqlite, postgres, mysql and mssql", n.Dialect)
	default:
		entry.Design = settings.DialectSQLite
		if reply.Guess.Dialect != "" {
			entry.Design = reply.Guess.Dialect
		}
	}
	known := p.databases.Known(ctx)
	if entry.Name == "" {
		entry.Name = freeName(settings.NameFor(p.root), known)
	}
	reply.Name, reply.Dialect, reply.File = entry.Name, entry.Design, ".berth/config.yaml"
	if err := settings.CheckName(entry.Name); err != nil {
		return reply, refusedDesign("%v", err)
	}
	if _, taken := pool.ByName(known, entry.Name); taken {
		return reply, refusedDesign("the name %s is taken by another connection of this project: choose another", entry.Name)
	}
	if n.DryRun {
		return reply, nil
	}
	if err := p.write(entry); err != nil {
		return reply, err
	}
	reply.Written = entry.Lines()
	reply.Connection, err = p.await(ctx, entry.Name)
	return reply, err
}

func refusedDesign(format string, args ...any) error {
	return &pageapi.Error{Code: "invalid_request", Message: fmt.Sprintf(format, args...)}
}

// freeName is a name that no connection has.
func freeName(name string, known []pool.Config) string {
	try := name
	for n := 2; slices.ContainsFunc(known, func(c pool.Config) bool { return strings.EqualFold(c.Name, try) }); n++ {
		try = fmt.Sprintf("%s-%d", name, n)
	}
	return try
}

// NewFile implements instance.NewDesigns. The file is made first, and is removed
// again where the settings do not take it.
func (p pageDesigns) NewFile(ctx context.Context, connection string, n pageapi.NewFile) (reply pageapi.NewFileReply, err error) {
	known := p.databases.Known(ctx)
	design, has := pool.ByName(known, connection)
	switch {
	case !has || !design.Design:
		return reply, refusedDesign("%s is no design without a database: it is published to its own", connection)
	case design.Dialect != settings.DialectSQLite:
		return reply, refusedDesign("%s is a design for %s, and a new file is a database of SQLite: publish it to a connection of its dialect", connection, design.Dialect)
	}
	path, err := p.databases.CreateFile(n.Path)
	if err != nil {
		return reply, refusedDesign("%v", err)
	}
	entry, there := p.nameFile(known, path)
	if !there {
		if err := p.write(entry); err != nil {
			return reply, p.withoutFile(err, path)
		}
		reply.Written = entry.Lines()
	}
	reply.Name, reply.Path, reply.File = entry.Name, path, ".berth/config.yaml"
	reply.Connection, err = p.await(ctx, entry.Name)
	return reply, err
}

// nameFile is the connection to a new file; there reports whether the settings
// have it already, whose file was missing.
func (p pageDesigns) nameFile(known []pool.Config, path string) (entry settings.NewConnection, there bool) {
	if named, has := p.databases.Named(known, path); has {
		return settings.NewConnection{Name: named.Name}, true
	}
	name := "main" // as berth connect does
	if _, taken := pool.ByName(known, name); taken {
		name = freeName(settings.NameFor(path), known)
	}
	return settings.NewConnection{Name: name, Path: path}, false
}

// withoutFile is a refusal for which the file that was just made is removed.
func (p pageDesigns) withoutFile(refusal error, path string) error {
	if err := p.databases.RemoveEmptyFile(path); err != nil {
		return refusedDesign("%v; and %s, which was made for it and is empty, could not be removed again", refusal, path)
	}
	return refusal
}

// write puts a connection into the project's settings. What stands there stays
// as it is, and means what it meant.
func (p pageDesigns) write(entry settings.NewConnection) error {
	file := settings.ProjectFile(p.root)
	byHand := ": nothing was written. Write it in by hand: " + strings.Join(entry.Lines(), " / ")
	was, err := settings.ReadFile(file)
	if err != nil {
		return refusedDesign(".berth/config.yaml: %v", err)
	}
	now, err := settings.Insert(was, entry)
	if err != nil {
		return refusedDesign(".berth/config.yaml: %v%s", err, byHand)
	}
	before, err := p.draft(orEmpty(was))
	if err != nil {
		return refusedDesign(".berth/config.yaml cannot be read: %v", err)
	}
	after, err := p.draft(now)
	if err != nil {
		return refusedDesign(".berth/config.yaml: %v%s", err, byHand)
	}
	if _, has := after.Connection(entry.Name); !has || !before.SameBut(after, entry.Name) {
		return refusedDesign(".berth/config.yaml: %v%s", settings.ErrForm, byHand)
	}
	if err := settings.ReplaceFile(file, was, now); err != nil {
		return refusedDesign(".berth/config.yaml: %v", err)
	}
	return nil
}

func orEmpty(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

// await returns the id of a connection once the instance has it.
func (p pageDesigns) await(ctx context.Context, name string) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, takeIn)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if c, has := pool.ByName(p.databases.Known(ctx), name); has {
			return c.Name, nil // which is its id
		}
		select {
		case <-ctx.Done():
			return "", refusedDesign("%s was written into .berth/config.yaml, and is not there yet: load the page again", name)
		case <-tick.C:
		}
	}
}
