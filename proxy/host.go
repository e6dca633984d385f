package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// SplitHost splits a project as calls name it, HOST:/PATH. It returns false for
// what names no other machine: an absolute path of this one, a drive letter, or
// a text that no host's name is before.
func SplitHost(project string) (host, path string, ok bool) {
	host, path, ok = strings.Cut(project, ":")
	if !ok || filepath.IsAbs(project) || !IsHostName(host) {
		return "", "", false
	}
	return host, path, true
}

// IsHostName reports whether a host can have that name: letters, digits, dots,
// dashes and underscores, from two to 63 of them, the first a letter or digit.
// One letter is a drive.
func IsHostName(name string) bool {
	if len(name) < 2 || len(name) > 63 || strings.ContainsRune("._-", rune(name[0])) {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return false
		}
		return !strings.ContainsRune("._-", r)
	})
}

// wayTo returns the way to a project and its path there. A project without a
// host is on this machine, always.
func (c *Client) wayTo(project string) (way Way, host, path string, err error) {
	if c.opts.Hosts == nil {
		return c.Here(), "", project, nil
	}
	host, path, ok := SplitHost(project)
	if !ok {
		return c.Here(), "", project, nil
	}
	way, err = c.opts.Hosts.Way(host)
	return way, host, path, err
}

// callHost runs a tool in a project of another machine.
func (c *Client) callHost(ctx context.Context, way Way, host, path string, def catalog.Definition, args json.RawMessage, o CallOptions) (wire.Line, error) {
	o.Host, o.Roots = host, nil // the client's directories are on this machine
	line, err := way.Call(ctx, def, path, args, o)
	if err == nil {
		err = checkSize(line, def)
	}
	switch {
	case err == nil:
		return line, nil
	case ctx.Err() != nil:
		return wire.Line{}, ctx.Err()
	}
	c.opts.Logger.Debug("call failed", "host", host, "tool", def.Name, "cause", err)
	return failedLine(err, def), nil
}

// noHost answers a call whose project names a host that does not exist.
func (c *Client) noHost(ctx context.Context, given, host, path string, err error, o CallOptions) wire.Line {
	if !errors.Is(err, ErrNoHost) {
		return errorResult(wire.TextNotAbsolute, "The hosts cannot be read: "+err.Error())
	}
	if !looksAbsolute(path) {
		return c.badRoot(ctx, given, portmap.ErrNotAbsolute, o)
	}
	help := "No host is named " + shownPath(host) + ". "
	if names := c.opts.Hosts.Names(); len(names) > 0 {
		help += "Hosts: " + strings.Join(names[:min(len(names), maxHints)], ", ") + ". "
	}
	return errorResult(wire.TextNotAbsolute, help+"A person sees them with: berth hosts, and adds one with: berth hosts add "+host+" COMMAND")
}

// looksAbsolute reports whether path is an absolute one of some system, and not
// the rest of an address.
func looksAbsolute(path string) bool {
	drive := len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
	return drive || strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//")
}
