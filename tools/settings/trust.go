package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Command is a passwordCommand that a file of the project names: one that
// anyone may have written who wrote to its repository. It runs only after the
// user trusted it: decision 0024.
type Command struct {
	Connection string
	Text       string // the command line
	To         string // where the password goes, as the file spells it, passwords masked
	Dir        string // where it runs
	File       string // that names it
	Line       int
	// Fingerprint is that of the command, of its connection's whole address
	// and of the project: trust in one is no trust in another.
	Fingerprint string
}

// errUntrusted refuses to run a command.
var errUntrusted = errors.New("its passwordCommand stands in a file of the project, and you have not trusted it yet: " +
	"run berth config trust at a terminal in the project and look at it")

// guard keeps a command from running until it is trusted.
type guard struct {
	fingerprint string
	trusted     func(fingerprint string) bool // nil: nothing is
}

func (g *guard) check() error {
	if g == nil || g.trusted != nil && g.trusted(g.fingerprint) {
		return nil
	}
	return errUntrusted
}

// guardCommand has a connection's command wait for the user's trust, unless
// it is the user's own. root is the project.
func (c *Connection) guardCommand(root string, trusted func(string) bool) {
	if c.given.passwordCommand != "" && c.Level != LevelGlobal {
		c.Server.Password.guard = &guard{c.commandFingerprint(root), trusted}
	}
}

// commandFingerprint binds a command to all that it is trusted for.
func (c *Connection) commandFingerprint(root string) string {
	g := &c.given
	parts := []string{root, c.Name, c.Server.Password.dir, g.passwordCommand, g.url, g.dialect, g.host, g.port, g.instance, g.user, g.database, g.sslMode}
	for _, p := range g.params {
		parts = append(parts, p.name, p.value)
	}
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p) // a hash takes every write
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Untrusted lists the commands that wait for the user's trust, by connection.
func (s *Settings) Untrusted() []Command {
	var list []Command
	for _, c := range s.Connections {
		p := c.Server.Password
		if p.guard.check() == nil {
			continue
		}
		to := c.Given()
		if to == "" {
			g := &c.given
			to = strings.Join(strings.Fields(c.Dialect+" "+g.host+" "+g.port+" "+g.instance+" "+g.database), " ")
		}
		list = append(list, Command{Connection: c.Name, Text: p.command, To: to, Dir: p.dir, File: c.File, Line: c.Line,
			Fingerprint: p.guard.fingerprint})
	}
	return list
}
