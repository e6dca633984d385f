// Package connections joins the databases that a project's settings name with
// those that its own files name, in the words of package db. It opens none.
//
//	settings ───┐
//	            ├──▶ [Finder.Find] ──▶ [Set] ──▶ tools/db
//	discovery ──┘
//
// Start with [NewFinder]. Invariants: of two connections to one database that
// of the settings stays; no two have one name; what waits for the user's trust
// is listed and withheld.
package connections

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/discovery"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/pool"
)

// Options are what the settings say of connections, and what was found beside
// them.
func Options(s *settings.Settings, known Set) pool.Options {
	return pool.Options{
		Connections: known.Configs,
		Default:     Default(s, known),
		Notes:       known.AllNotes(),
		Timeout:     s.Query.Timeout,
	}
}

// Default names the connection that a call without one means; "": none is
// named, and there is either one that counts, or no plain one of several.
func Default(s *settings.Settings, known Set) string {
	if s.Default != "" {
		return s.Default
	}
	return plainly(known.Configs)
}

// plainly names, of several connections that count alike, the one that their
// own programs take for the main one: main of the settings, as berth connect
// calls the first, DATABASE_URL among other variables, and Rails' primary.
// Only files at the project's root have one: of two applications none is.
func plainly(configs []pool.Config) string {
	if len(configs) == 0 {
		return ""
	}
	lowest := slices.MinFunc(configs, func(a, b pool.Config) int { return a.Rank - b.Rank }).Rank
	var names []string
	for _, c := range configs {
		if c.Rank == lowest {
			names = append(names, c.Name)
		}
	}
	if len(names) < 2 {
		return ""
	}
	words := []string{"main"}
	if lowest == pool.RankFound {
		words = []string{"env", "rails-primary"} // as package discovery calls them
	}
	for _, word := range words {
		if i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, word) }); i >= 0 {
			return names[i]
		}
	}
	return ""
}

// Set is a project's connections at one time.
type Set struct {
	Configs []pool.Config
	Notes   []string
	Folders []string       // absolute, of files that would change this
	Held    []string       // rights that wait for the user's trust, a sentence each
	Asks    []settings.Ask // what the project's own files want of the user
}

// AllNotes are the notes for agents, who learn of the rights from nothing else.
func (s Set) AllNotes() []string { return slices.Concat(s.Held, s.Notes) }

// Finder finds a project's connections.
type Finder struct {
	root string
	key  []byte // under which passwords are compared
}

// NewFinder returns a finder for the project at root. Two sets of one finder
// can be compared: an unchanged password leaves a connection's revision as it
// was.
func NewFinder(root string) Finder {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return Finder{root, key}
}

// Find joins the connections of the settings with those that the project's
// files name. Of two for one database that of the settings stays.
func (f Finder) Find(ctx context.Context, s *settings.Settings) Set {
	var known Set
	var places, names []string
	known.Asks = s.Asks()
	for _, c := range s.Connections {
		known.Configs = append(known.Configs, f.configured(c))
		if !c.Design {
			places = append(places, discovery.Place(c.Dialect, f.relative(c.Path), c.Server))
		}
		names = append(names, strings.ToLower(c.Name))
	}
	found, err := discovery.Find(ctx, f.root)
	if err != nil {
		known.Notes = append(known.Notes, err.Error())
	}
	for _, c := range found.Connections {
		if slices.Contains(places, discovery.Place(c.Dialect, c.Path, c.Server)) {
			continue
		}
		c.Name = free(c.Name, names)
		names = append(names, strings.ToLower(c.Name))
		config, asks := f.found(s, c)
		known.Configs, known.Asks = append(known.Configs, config), append(known.Asks, asks...)
	}
	known.Notes = append(known.Notes, found.Notes...)
	known.Held = f.held(s)
	for _, folder := range found.Folders {
		known.Folders = append(known.Folders, filepath.Join(f.root, filepath.FromSlash(folder)))
	}
	return known
}

// relative is a file below the root as discovery names it.
func (f Finder) relative(path string) string {
	if rel, err := filepath.Rel(f.root, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// free returns name, or with a number where it is taken.
func free(name string, taken []string) string {
	out := name
	for n := 2; slices.Contains(taken, strings.ToLower(out)); n++ {
		out = fmt.Sprintf("%s-%d", name, n)
	}
	return out
}

// configured is a connection of the settings in the words of package db.
func (f Finder) configured(c settings.Connection) pool.Config {
	if c.Design {
		return pool.Config{Name: c.Name, Dialect: c.Dialect, Design: true, Origin: fmt.Sprintf("%s:%d", c.File, c.Line), Rank: pool.RankDesign}
	}
	return pool.Config{
		Name:    c.Name,
		Dialect: c.Dialect,
		Path:    c.Path,
		Address: databaseAddress(c.Server),
		Origin:  fmt.Sprintf("%s:%d", c.File, c.Line),
		// What came with a repository leads out of it where its user trusts that.
		Outside:     c.Level == settings.LevelGlobal || c.Outside,
		Withheld:    f.withheld(c.Withheld, c.Asks),
		ReadOnly:    c.ReadOnly,
		AllowWrites: c.AllowWrites,
		MaxRows:     c.MaxRows,
		Timeout:     c.Timeout,
		Revision:    c.Server.Password.Fingerprint(f.key),
		Rank:        pool.RankSettings,
	}
}

// found is a connection of another program's file in the words of package db,
// and what it asks of the user.
func (f Finder) found(s *settings.Settings, c discovery.Connection) (pool.Config, []settings.Ask) {
	rank := pool.RankFound
	if c.Listed {
		rank = pool.RankListed
	}
	config := pool.Config{
		Name: c.Name, Dialect: c.Dialect, Path: c.Path, ReadOnly: c.ReadOnly,
		Origin: c.Origin(), Revision: c.Server.Password.Fingerprint(f.key), Rank: rank,
	}
	if c.Dialect == settings.DialectSQLite { // below the root, or it would not have been found
		return config, nil
	}
	server, asks := s.Found(c.Name, c.Dialect, c.Server, c.File, c.Line)
	config.Address = databaseAddress(server)
	config.Withheld = f.withheld(len(settings.Untrusted(asks)) > 0, asks)
	return config, asks
}

// maxWithheld bounds an ask in a tool's reply; berth trust shows all of it.
const maxWithheld = 300

// withheld says why a connection may not be used yet; "": it may.
func (f Finder) withheld(is bool, asks []settings.Ask) string {
	if !is {
		return ""
	}
	waiting := settings.Untrusted(asks)
	words := clip.Text(waiting[0].Words, maxWithheld)
	if more := len(waiting) - 1; more > 0 {
		words += fmt.Sprintf(" (and %d more)", more)
	}
	return "it waits for the user's trust, which a person gives with: " + settings.TrustCommand(f.root) + ". It " + words
}

// held says which rights that the settings ask for wait for the user's trust.
func (f Finder) held(s *settings.Settings) (notes []string) {
	withheld := map[string]bool{}
	for _, c := range s.Connections {
		withheld["connections."+c.Name] = c.Withheld
	}
	for _, ask := range settings.Untrusted(s.Asks()) {
		if !withheld[ask.Key] { // the connection says it
			notes = append(notes, "left out until the user trusts it ("+settings.TrustCommand(f.root)+"): "+ask.Place()+" "+ask.Words)
		}
	}
	return notes
}

func databaseAddress(s settings.Server) dial.Address {
	a := dial.Address{Host: s.Host, Port: s.Port, Instance: s.Instance, User: s.User,
		Database: s.Database, SSLMode: s.SSLMode, Params: s.Params, DriverDefaults: s.DriverDefaults, Below: s.Below}
	if !s.Password.IsZero() {
		a.Password = s.Password.Reveal
	}
	return a
}
