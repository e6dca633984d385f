package settings

import "slices"

// Withdrawn returns the settings without what the user trusts no longer, as
// far as they had it: for an instance that keeps the settings it last read
// while the files cannot be read. trusted is as [Sources.Trusted].
func (s *Settings) Withdrawn(trusted func(digest string) bool) *Settings {
	w := *s
	if s.trustsAll {
		return &w
	}
	lost := func(a Ask) bool { return a.Trusted && !trusted(a.Digest) }
	w.rights = map[string]Ask{}
	for key, a := range s.rights {
		if lost(a) {
			a.Trusted = false
			w.takeUsers(key)
		}
		w.rights[key] = a
	}
	w.Connections = slices.Clone(s.Connections)
	for i := range w.Connections {
		w.Connections[i].withdraw(lost)
	}
	return &w
}

// takeUsers gives a right the value of the user's own settings.
func (s *Settings) takeUsers(key string) {
	u := s.users
	switch key {
	case keyEnable:
		s.EnableMCPServer = u.EnableMCPServer
	case keyDefault:
		s.Default = u.Default
	case "designer.confirm":
		s.Designer.Confirm = u.Designer.Confirm
	case "designer.openBrowser":
		s.Designer.OpenBrowser = u.Designer.OpenBrowser
	case "files.mode":
		s.Files.Mode = u.Files.Mode
	case "files.secrets":
		s.Files.Secrets = u.Files.Secrets
	case keyStore:
		s.Files.Store = u.Files.Store
	case "publish.unattended":
		s.Publish.Unattended = u.Publish.Unattended
	}
}

// withdraw takes from a connection what was lost: all use of it, or writes.
func (c *Connection) withdraw(lost func(Ask) bool) {
	c.Asks = slices.Clone(c.Asks)
	for i := range c.Asks {
		if !lost(c.Asks[i]) {
			continue
		}
		c.Asks[i].Trusted = false
		if c.Asks[i].writes {
			c.AllowWrites = false
			continue
		}
		c.Withheld, c.Outside, c.variables, c.Server.Password = true, false, nil, Secret{}
	}
}
