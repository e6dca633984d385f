package installed

import (
	"path/filepath"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/build"
)

// Unknown is the name of a copy of which nothing says how it came here.
const Unknown = "unknown"

// A way is one way to install berth.
type way struct {
	name    string
	words   string
	is      func(program string, b build.Info) bool
	upgrade string
	remove  string
}

// ways are tried in this order: what a package says of itself comes first.
var ways = []way{
	marked("deb", "a deb package", "sudo apt install ./FILE.deb, with the .deb of the new release", "sudo apt remove berth"),
	marked("rpm", "an rpm package", "sudo rpm -U FILE.rpm, with the .rpm of the new release", "sudo rpm -e berth"),
	marked("apk", "an apk package", "sudo apk add --allow-untrusted FILE.apk, with the .apk of the new release", "sudo apk del berth"),
	{"npx", "npx, which keeps it in a cache of its own", isNpx, "npx -y @berth-dev/berth@latest runs the newest", "remove the folder _npx of npm's cache (npm config get cache), or leave it: the cache is npm's"},
	marked("npm", "npm", "npm install -g @berth-dev/berth@latest (without -g where it is a project's)", "npm uninstall -g @berth-dev/berth (without -g where it is a project's)"),
	marked("container", "a container image", "pull the new image and start the container again", "remove the container and its image; the state is in the volume"),
	marked("mcpb", "an .mcpb bundle of Claude Desktop", "open the new release's .mcpb file", "Claude Desktop, Settings, Extensions, berth, Uninstall"),
	marked("vsix", "an editor's extension", "the editor does it, as for each extension", "uninstall the extension in the editor"),
	{"cask", "a Homebrew cask", within("Caskroom"), "brew upgrade --cask berth", "brew uninstall --cask berth"},
	{"scoop", "Scoop", within("scoop", "apps"), "scoop update berth", "scoop uninstall berth"},
	{"winget", "winget", within("WinGet", "Packages"), "winget upgrade berth-dev.berth", "winget uninstall berth-dev.berth"},
	marked("archive", "an archive of a release, unpacked", "unpack the new release's archive into {folder}", "remove {folder}, which the archive filled"),
	{"go run", "go run, which removes it when it ends", within("go-build*"), "git pull, in the clone", "nothing: it is gone when it ends"},
	built(build.FromModule, "go install", "go install ...@version", "go install github.com/berth-dev/berth/cmd/berth@latest", "remove {program}"),
	built(build.FromClone, "clone", "go install or go build in a clone of the repository", "git pull && go install ./cmd/berth, in the clone", "remove {program}"),
	built(build.FromFiles, "files", "a build of source files without a history", "build the new files", "remove {program}"),
}

var unknown = way{name: Unknown, words: "something that left no mark: it is a release's program, moved from its package"}

// marked is a way whose package says so beside the program.
func marked(name, words, upgrade, remove string) way {
	return way{name, words, func(program string, _ build.Info) bool { return mark(program) == name }, upgrade, remove}
}

// built is a way that the toolchain's stamp says.
func built(source build.Source, name, words, upgrade, remove string) way {
	return way{name, words, func(_ string, b build.Info) bool { return b.Source == source }, upgrade, remove}
}

// isNpx reports whether it lies in the cache that npx installs into.
func isNpx(program string, b build.Info) bool {
	return mark(program) == "npm" && within("_npx")(program, b)
}

// within is a way known by neighbouring folders of the program's path, each a
// pattern. Case counts for none: the systems where it matters have none of these
// package managers.
func within(folders ...string) func(string, build.Info) bool {
	return func(program string, _ build.Info) bool {
		parts := strings.Split(strings.ToLower(filepath.ToSlash(filepath.Dir(program))), "/")
		for i := range parts {
			if matches(parts[i:], folders) {
				return true
			}
		}
		return false
	}
}

func matches(parts, patterns []string) bool {
	if len(parts) < len(patterns) {
		return false
	}
	for i, pattern := range patterns {
		if ok, err := filepath.Match(strings.ToLower(pattern), parts[i]); err != nil || !ok {
			return false
		}
	}
	return true
}
