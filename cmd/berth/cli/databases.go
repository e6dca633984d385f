package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/discovery"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/db"
)

// databaseOptions are the settings, and what was found beside them, in the
// words of package db.
func databaseOptions(s *settings.Settings, known knownConnections, m *session.Manager) db.Options {
	opts := db.Options{
		Connections: known.configs,
		Default:     s.Default,
		Notes:       known.allNotes(),
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
	folders []string       // absolute, of files that would change this
	held    []string       // rights that wait for the user's trust, a sentence each
	asks    []settings.Ask // what the project's own files want of the user
}

// allNotes are the notes for agents, who learn of the rights from nothing else.
func (k knownConnections) allNotes() []string { return slices.Concat(k.held, k.notes) }

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
	known.asks = s.Asks()
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
		config, asks := k.found(s, c)
		known.configs, known.asks = append(known.configs, config), append(known.asks, asks...)
	}
	known.notes = append(known.notes, found.Notes...)
	known.held = k.held(s)
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
		// What came with a repository leads out of it where its user trusts that.
		Outside:     c.Level == settings.LevelGlobal || c.Outside,
		Withheld:    k.withheld(c.Withheld, c.Asks),
		ReadOnly:    c.ReadOnly,
		AllowWrites: c.AllowWrites,
		MaxRows:     c.MaxRows,
		Timeout:     c.Timeout,
		Revision:    c.Server.Password.Fingerprint(k.key),
		Rank:        db.RankSettings,
	}
}

// found is a connection of another program's file in the words of package db,
// and what it asks of the user.
func (k knower) found(s *settings.Settings, c discovery.Connection) (db.Config, []settings.Ask) {
	rank := db.RankFound
	if c.Listed {
		rank = db.RankListed
	}
	config := db.Config{
		Name: c.Name, Dialect: c.Dialect, Path: c.Path, ReadOnly: c.ReadOnly,
		Origin: c.Origin(), Revision: c.Server.Password.Fingerprint(k.key), Rank: rank,
	}
	if c.Dialect == settings.DialectSQLite { // below the root, or it were not found
		return config, nil
	}
	server, asks := s.Found(c.Name, c.Dialect, c.Server, c.File, c.Line)
	config.Address = databaseAddress(server)
	config.Withheld = k.withheld(len(settings.Untrusted(asks)) > 0, asks)
	return config, asks
}

// maxWithheld bounds an ask in a tool's reply; berth trust shows all of it.
const maxWithheld = 300

// withheld says why a connection may not be used yet; "": it may.
func (k knower) withheld(is bool, asks []settings.Ask) string {
	if !is {
		return ""
	}
	waiting := settings.Untrusted(asks)
	words := waiting[0].Words
	if r := []rune(words); len(r) > maxWithheld {
		words = string(r[:maxWithheld]) + "…"
	}
	if more := len(waiting) - 1; more > 0 {
		words += fmt.Sprintf(" (and %d more)", more)
	}
	return "it waits for the user's trust, which a person gives with: " + settings.TrustCommand(k.root) + ". It " + words
}

// held says which rights that the settings ask for wait for the user's trust.
func (k knower) held(s *settings.Settings) (notes []string) {
	withheld := map[string]bool{}
	for _, c := range s.Connections {
		withheld["connections."+c.Name] = c.Withheld
	}
	for _, ask := range settings.Untrusted(s.Asks()) {
		if !withheld[ask.Key] { // the connection says it
			notes = append(notes, "left out until the user trusts it ("+settings.TrustCommand(k.root)+"): "+ask.Place()+" "+ask.Words)
		}
	}
	return notes
}

func databaseAddress(s settings.Server) db.Address {
	a := db.Address{Host: s.Host, Port: s.Port, Instance: s.Instance, User: s.User,
		Database: s.Database, SSLMode: s.SSLMode, Params: s.Params, DriverDefaults: s.DriverDefaults, Below: s.Below}
	if !s.Password.IsZero() {
		a.Password = s.Password.Reveal
	}
	return a
}
