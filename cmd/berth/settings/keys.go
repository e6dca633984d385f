package settings

import (
	"time"

	pageorigin "github.com/berth-dev/berth/proxy/origin"
)

// keyEnable is the one key that the editors' files carry too, under editorKey.
const (
	keyEnable      = "enableMcpServer"
	keyConnections = "connections"
	keyDefault     = "default"
	editorKey      = "Devdb.enableMcpServer"
)

// fields are the settings that are one value each, in the order that berth
// config prints them. To add a setting, add a line.
func fields() []field[Settings] {
	return []field[Settings]{
		turnedOn(boolField(keyEnable, enabled), enabled, "is served to agents although your own settings say that it is not"),
		raised(textField(keyDefault, func(s *Settings) *string { return &s.Default }), defaultIsUsers, defaultWords),
		raised(wordField("designer.confirm", []string{ConfirmNever, ConfirmDestructive, ConfirmAlways},
			func(s *Settings) *string { return &s.Designer.Confirm }), confirmsLess, confirmWords),
		turnedOn(boolField("designer.openBrowser", opensBrowser), opensBrowser, "opens your browser although your own settings say no"),
		intField("query.maxRows", 1, maxRows, func(s *Settings) *int { return &s.Query.MaxRows }),
		intField("query.maxBytes", 1<<10, 8<<20, func(s *Settings) *int { return &s.Query.MaxBytes }),
		durationField("query.timeout", minTimeout, maxTimeout, func(s *Settings) *time.Duration { return &s.Query.Timeout }),
		raised(wordField("files.mode", []string{FilesSafe, FilesFast}, func(s *Settings) *string { return &s.Files.Mode }),
			func(users, asked *Settings) bool {
				return asked.Files.Mode == FilesFast && users.Files.Mode != FilesFast
			},
			func(_, _ *Settings) string {
				return "lets agents edit the project's files without asking you (files.mode fast)"
			}),
		turnedOn(boolField("files.secrets", secrets), secrets, "lets agents read and edit files that hold secrets, such as .env (files.secrets)"),
		turnedOn(boolField("publish.unattended", unattended), unattended, "lets berth publish --yes change databases without a person (publish.unattended)"),
		forUser(wordsField("page.frameAncestors", func(s *Settings) *[]string { return &s.Page.FrameAncestors })),
		forUser(checkedWords("page.hosts", func(s *Settings) *[]string { return &s.Page.Hosts }, pageorigin.CheckHost)),
		rulesField("lint.off", func(s *Settings) *[]string { return &s.Lint.Off }),
		rulesField("lint.on", func(s *Settings) *[]string { return &s.Lint.On }),
		patternsField("lint.ignore", func(s *Settings) *[]string { return &s.Lint.Ignore }),
		trustedPeersField(),
		forUser(trustField()),
		durationField("idleTimeout", 0, 30*24*time.Hour, func(s *Settings) *time.Duration { return &s.IdleTimeout }),
	}
}

func enabled(s *Settings) *bool      { return &s.EnableMCPServer }
func opensBrowser(s *Settings) *bool { return &s.Designer.OpenBrowser }
func secrets(s *Settings) *bool      { return &s.Files.Secrets }
func unattended(s *Settings) *bool   { return &s.Publish.Unattended }

// connectionFields are the settings of one connection, beside its name and
// its params.
func connectionFields() []field[Connection] {
	return []field[Connection]{
		textField("url", func(c *Connection) *string { return &c.given.url }),
		textField("path", func(c *Connection) *string { return &c.given.path }),
		textField("dialect", func(c *Connection) *string { return &c.given.dialect }),
		boolField("design", func(c *Connection) *bool { return &c.Design }),
		textField("host", func(c *Connection) *string { return &c.given.host }),
		portField("port", func(c *Connection) *string { return &c.given.port }),
		textField("instance", func(c *Connection) *string { return &c.given.instance }),
		textField("user", func(c *Connection) *string { return &c.given.user }),
		passwordField(),
		textField("passwordCommand", func(c *Connection) *string { return &c.given.passwordCommand }),
		textField("database", func(c *Connection) *string { return &c.given.database }),
		wordField("sslmode", sslModes(), func(c *Connection) *string { return &c.given.sslMode }),
		boolField("driverDefaults", func(c *Connection) *bool { return &c.Server.DriverDefaults }),
		boolField("allowWrites", func(c *Connection) *bool { return &c.AllowWrites }),
		intField("maxRows", 1, maxRows, func(c *Connection) *int { return &c.MaxRows }),
		durationField("timeout", minTimeout, maxTimeout, func(c *Connection) *time.Duration { return &c.Timeout }),
	}
}

// keyParams holds a mapping, unlike the other settings of a connection.
const keyParams = "params"

// Bounds of the limits: wide enough for every real use, narrow enough that a
// slip of the finger shows.
const (
	maxRows    = 100_000
	minTimeout = 10 * time.Millisecond
	maxTimeout = time.Hour
)
