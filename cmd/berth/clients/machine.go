package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A Machine is what the places of files depend on. All fields are required.
type Machine struct {
	GOOS   string
	Home   string // the user's home, absolute
	Getenv func(name string) string
}

// ThisMachine is the Machine that the process runs on.
func ThisMachine(getenv func(string) string) (Machine, error) {
	home, err := os.UserHomeDir()
	return Machine{GOOS: runtime.GOOS, Home: home, Getenv: getenv}, err
}

// join joins a path as the machine's system writes it, so that a test sees the
// paths of all systems.
func (m Machine) join(parts ...string) string {
	if m.GOOS == "windows" {
		return strings.Join(parts, `\`)
	}
	return strings.Join(parts, "/")
}

func (m Machine) home(parts ...string) string {
	return m.join(append([]string{m.Home}, parts...)...)
}

// absolute is the value of a variable that names a folder, or else other.
// Relative ones depend on where the client is started, which is not known.
func (m Machine) absolute(name, other string) string {
	value := m.Getenv(name)
	isAbsolute := strings.HasPrefix(value, "/")
	if m.GOOS == "windows" {
		isAbsolute = len(value) > 2 && value[1] == ':' || strings.HasPrefix(value, `\\`)
	}
	if isAbsolute {
		return strings.TrimRight(value, `/\`)
	}
	return other
}

// xdgConfig is a path in ~/.config, on every system, as programs have it that
// come from Linux.
func (m Machine) xdgConfig(parts ...string) string {
	return m.join(append([]string{m.absolute("XDG_CONFIG_HOME", m.home(".config"))}, parts...)...)
}

// config is a path in the folder where programs with a window keep their
// settings.
func (m Machine) config(parts ...string) string {
	switch m.GOOS {
	case "windows":
		return m.join(append([]string{m.absolute("APPDATA", m.home("AppData", "Roaming"))}, parts...)...)
	case "darwin":
		return m.home(append([]string{"Library", "Application Support"}, parts...)...)
	default:
		return m.xdgConfig(parts...)
	}
}

func (m Machine) claudeConfig() string {
	return m.join(m.absolute("CLAUDE_CONFIG_DIR", m.Home), ".claude.json")
}

func (m Machine) codexHome() string { return m.absolute("CODEX_HOME", m.home(".codex")) }

func (m Machine) geminiHome() string {
	return m.join(m.absolute("GEMINI_CLI_HOME", m.Home), ".gemini")
}

// zedConfig follows crates/paths of zed-industries/zed: ~/.config on macOS
// too, whatever XDG_CONFIG_HOME says there.
func (m Machine) zedConfig() string {
	switch m.GOOS {
	case "windows":
		return m.config("Zed")
	case "darwin":
		return m.home(".config", "zed")
	default:
		return m.xdgConfig("zed")
	}
}

// shown is a path as messages show it.
func (m Machine) shown(path string) string {
	if rest, ok := strings.CutPrefix(path, m.home("")); ok {
		return "~/" + strings.ReplaceAll(rest, `\`, "/")
	}
	return path
}

// Detect reports why the client is taken to be there: a program on PATH, a
// folder of its settings, or its folder in the project. Empty: it is not.
func (c *Client) Detect(m Machine, root string) string {
	for _, name := range c.programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	for _, path := range c.traces(m) {
		if _, err := os.Stat(path); err == nil {
			return m.shown(path)
		}
	}
	if root == "" {
		return ""
	}
	for _, f := range c.files(m) {
		if f.scope != Project {
			continue
		}
		if _, err := os.Lstat(filepath.Join(root, f.path[0])); err == nil {
			return f.path[0]
		}
	}
	return ""
}
