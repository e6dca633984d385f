package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/db"
	"github.com/berth-dev/berth/tools/discovery"
	"github.com/berth-dev/berth/tools/settings"
)

// databaseOptions are the settings, and what was found beside them, in the
// words of package db.
func databaseOptions(s *settings.Settings, known knownConnections, m *session.Manager) db.Options {
	opts := db.Options{
		Connections: known.configs,
		Default:     s.Default,
		Notes:       known.notes,
		MaxRows:     s.Query.MaxRows,
		MaxBytes:    s.Query.MaxBytes,
		Timeout:     s.Query.Timeout,
	}
	if m != nil {
		opts.DesignerOpen = func() bool { _, open := m.Active(); return open }
	}
	return opts
}

// knownConnections are a project's connections at one time.
type knownConnections struct {
	configs []db.Config
	notes   []string
	folders []string // absolute, of files that would change this
}

// knower finds a project's connections.
type knower struct {
	root string
	key  []byte // under which passwords are compared
}

func newKnower(root string) knower {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return knower{root, key}
}

// know joins the connections of the settings with those that the project's
// files name. Of two for one database the settings' stands.
func (k knower) know(ctx context.Context, s *settings.Settings) knownConnections {
	var known knownConnections
	var places, names []string
	for _, c := range s.Connections {
		known.configs = append(known.configs, k.configured(c))
		places = append(places, discovery.Place(c.Dialect, k.relative(c.Path), c.Server))
		names = append(names, strings.ToLower(c.Name))
	}
	found, err := discovery.Find(ctx, k.root)
	if err != nil {
		known.notes = append(known.notes, err.Error())
	}
	for _, c := range found.Connections {
		if slices.Contains(places, discovery.Place(c.Dialect, c.Path, c.Server)) {
			continue
		}
		c.Name = free(c.Name, names)
		names = append(names, strings.ToLower(c.Name))
		known.configs = append(known.configs, k.found(c))
	}
	known.notes = append(known.notes, found.Notes...)
	for _, folder := range found.Folders {
		known.folders = append(known.folders, filepath.Join(k.root, filepath.FromSlash(folder)))
	}
	return known
}

// relative is a file below the root as discovery names it.
func (k knower) relative(path string) string {
	if rel, err := filepath.Rel(k.root, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// free numbers a name that is taken.
func free(name string, taken []string) string {
	out := name
	for n := 2; slices.Contains(taken, strings.ToLower(out)); n++ {
		out = fmt.Sprintf("%s-%d", name, n)
	}
	return out
}

// configured is a connection of the settings in the words of package db.
func (k knower) configured(c settings.Connection) db.Config {
	return db.Config{
		Name:    c.Name,
		Dialect: c.Dialect,
		Path:    c.Path,
		Address: databaseAddress(c.Server),
		Origin:  fmt.Sprintf("%s:%d", c.File, c.Line),
		// What came with a repository must not lead out of it.
		Outside:     c.Level != settings.LevelProject,
		ReadOnly:    c.ReadOnly,
		AllowWrites: c.AllowWrites,
		MaxRows:     c.MaxRows,
		Timeout:     c.Timeout,
		Revision:    c.Server.Password.Fingerprint(k.key),
		Rank:        db.RankSettings,
	}
}

// found is a connection of another program's file in the words of package db.
func (k knower) found(c discovery.Connection) db.Config {
	rank := db.RankFound
	if c.Listed {
		rank = db.RankListed
	}
	return db.Config{
		Name: c.Name, Dialect: c.Dialect, Path: c.Path, ReadOnly: c.ReadOnly, Address: databaseAddress(c.Server),
		Origin: c.Origin(), Revision: c.Server.Password.Fingerprint(k.key), Rank: rank,
	}
}

func databaseAddress(s settings.Server) db.Address {
	a := db.Address{Host: s.Host, Port: s.Port, Instance: s.Instance, User: s.User,
		Database: s.Database, SSLMode: s.SSLMode, Params: s.Params}
	if !s.Password.IsZero() {
		a.Password = s.Password.Reveal
	}
	return a
}
