package autostart

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
)

// projectMarks are names in a folder that make it a project: one of them lets
// --autostart serve a folder that was never served before. docs/autostart.md
// has the same list. A star stands for any text.
func projectMarks() []string {
	return []string{
		".git", ".hg", ".svn", ".jj", ".berth", ".devcontainer", ".devdbrc", "*.code-workspace",
		"go.mod", "go.work", "package.json", "deno.json", "pyproject.toml", "requirements.txt", "setup.py", "Pipfile", "manage.py",
		"Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts",
		"Gemfile", "composer.json", "mix.exs", "pubspec.yaml", "Package.swift", "build.sbt", "deps.edn",
		"CMakeLists.txt", "Makefile", "meson.build", "*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj",
		"Dockerfile", "compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "flake.nix",
	}
}

// markNames bounds how many names of a folder are looked at for the marks
// with a star.
const markNames = 2000

// notAutostarted reports why --autostart leaves a folder alone.
type notAutostarted struct{ root, why string }

func (e *notAutostarted) Error() string { return "--autostart does not serve " + e.root + ": " + e.why }

// Hint is what a person can do about it.
func (e *notAutostarted) Hint() string {
	return "If it is to be served, a person starts it with: berth serve " + proxy.ShellWord(e.root)
}

// mayAutostart reports as a [*notAutostarted] why a canonical root is not
// started because an agent named it. What an instance serves it lets the
// agent read, so the agent must not choose just any folder.
func mayAutostart(store *portmap.Store, root, home string) error {
	if why := neverAutostart(root, home); why != "" {
		return &notAutostarted{root, why}
	}
	own, err := ownFolder(root)
	switch {
	case err != nil:
		return fmt.Errorf("see whose folder %s is: %w", root, err)
	case !own:
		return &notAutostarted{root, "it belongs to another user"}
	}
	served, err := store.Served(root)
	if err != nil && !errors.Is(err, portmap.ErrBroken) {
		return err
	}
	if served || hasMark(root, projectMarks()) {
		return nil
	}
	return &notAutostarted{root, "it was never served, and nothing in it marks a project, such as .git, go.mod or package.json"}
}

// neverAutostart says why a folder is none that an agent may have served,
// whatever is in it; "": it may be.
func neverAutostart(root, home string) string {
	switch {
	case filepath.Dir(root) == root:
		return "it is the root of a file system"
	case isHome(root, home):
		return "it is a home folder"
	case isSystemFolder(root):
		return "it is a folder of the system"
	}
	return ""
}

// isHome reports whether root is the user's home, another's, or a folder
// above one.
func isHome(root, home string) bool {
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	if home != "" && (samePath(root, home) || below(home, root)) {
		return true
	}
	parent := filepath.Dir(root)
	return samePath(root, "/root") || samePath(parent, "/home") || filepath.Dir(parent) == filepath.Dir(filepath.Dir(parent)) && strings.EqualFold(filepath.Base(parent), "Users")
}

// isSystemFolder reports whether root is one of the system's folders, or lies
// where only the system's own files do.
func isSystemFolder(root string) bool {
	folders, trees := systemFolders()
	return slices.ContainsFunc(folders, func(f string) bool { return samePath(root, f) }) ||
		slices.ContainsFunc(trees, func(f string) bool { return samePath(root, f) || below(root, f) })
}

// systemFolders are folders that are no projects, and trees in which none is.
func systemFolders() (folders, trees []string) {
	switch runtime.GOOS {
	case "windows":
		for _, name := range []string{"SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramData"} {
			if path := os.Getenv(name); path != "" {
				trees = append(trees, path)
			}
		}
		return nil, append(trees, `C:\Windows`, `C:\Program Files`, `C:\Program Files (x86)`, `C:\ProgramData`)
	case "darwin":
		folders = []string{"/Users", "/Volumes", "/private", "/private/tmp", "/private/var", "/Network"}
		trees = []string{"/System", "/Library", "/Applications", "/private/etc", "/private/var/db", "/private/var/root", "/cores"}
	}
	folders = append(folders, "/home", "/media", "/mnt", "/opt", "/run", "/srv", "/tmp", "/usr", "/usr/local", "/var", "/var/tmp", "/var/www")
	return folders, append(trees, "/proc", "/sys", "/dev", "/etc", "/boot", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/snap", "/nix/store",
		"/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share", "/usr/include", "/usr/etc",
		"/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/usr/local/share", "/usr/local/etc",
		"/var/lib", "/var/log", "/var/cache", "/var/spool", "/var/run", "/var/backups", "/lost+found")
}

// foldsCase: paths differ in more than case here.
const foldsCase = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

func samePath(a, b string) bool { return a == b || foldsCase && strings.EqualFold(a, b) }

// below reports whether path lies in dir.
func below(path, dir string) bool {
	dir = strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	return len(path) > len(dir) && samePath(path[:len(dir)], dir)
}

// hasMark reports whether a folder has one of the marks.
func hasMark(root string, marks []string) bool {
	var patterns []string
	for _, mark := range marks {
		if strings.Contains(mark, "*") {
			patterns = append(patterns, mark)
		} else if _, err := os.Lstat(filepath.Join(root, mark)); err == nil {
			return true
		}
	}
	dir, err := os.Open(root)
	if err != nil {
		return false
	}
	defer func() { _ = dir.Close() }()      // only read from
	names, _ := dir.Readdirnames(markNames) // those read before an error count
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { ok, _ := filepath.Match(p, name); return ok })
	})
}
