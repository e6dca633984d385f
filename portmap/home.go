package portmap

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// The environment variables that relocate berth's files.
const (
	EnvHome    = "BERTH_HOME"    // moves everything
	EnvPortMap = "BERTH_PORTMAP" // moves the map file with its lock and reservations alone
)

// Home holds the paths of the files that berth keeps for one user. It creates
// nothing: code that writes to a path creates it, directories with mode 0700
// and files with 0600. The zero value is not usable; use [FindHome].
type Home struct {
	dir     string
	mapFile string
}

// FindHome returns the Home in the directory BERTH_HOME, or else in "berth" in
// the user's configuration directory; BERTH_PORTMAP, if set, is the path of the
// map file. It refuses relative paths: two processes in different directories
// would not find each other.
func FindHome(getenv func(string) string) (Home, error) {
	dir, err := absoluteVariable(getenv, EnvHome)
	if err != nil {
		return Home{}, err
	}
	if dir == "" {
		config, err := os.UserConfigDir()
		if err != nil {
			return Home{}, fmt.Errorf("find berth's directory: %w (set %s to choose one)", err, EnvHome)
		}
		dir = filepath.Join(config, "berth")
	}
	mapFile, err := absoluteVariable(getenv, EnvPortMap)
	if err != nil {
		return Home{}, err
	}
	if mapFile == "" {
		mapFile = filepath.Join(dir, "ports.json")
	}
	return Home{dir: dir, mapFile: mapFile}, nil
}

// absoluteVariable returns a variable's path, cleaned, or "" if it is unset.
func absoluteVariable(getenv func(string) string, name string) (string, error) {
	value := getenv(name)
	if value == "" {
		return "", nil
	}
	if !filepath.IsAbs(value) {
		return "", fmt.Errorf("%s=%s: %w", name, value, ErrNotAbsolute)
	}
	return filepath.Clean(value), nil
}

// Dir returns the directory that contains the other files.
func (h Home) Dir() string { return h.dir }

// MapFile returns the path of the port map; its lock and the reservations are
// in the same directory.
func (h Home) MapFile() string { return h.mapFile }

// InstancesDir returns the directory with one file for each running instance.
func (h Home) InstancesDir() string { return filepath.Join(h.dir, "instances") }

// InstanceFile returns the path of the file of the instance on a port.
func (h Home) InstanceFile(port int) string {
	return filepath.Join(h.InstancesDir(), strconv.Itoa(port)+".json")
}

// PersonKeyFile returns the path of the key with which berth's own processes
// prove to an instance that they act for the person at this machine.
func (h Home) PersonKeyFile() string { return filepath.Join(h.dir, "person.key") }

// ConfigFile returns the path of the user's settings for all projects.
func (h Home) ConfigFile() string { return filepath.Join(h.dir, "config.yaml") }

// TrustDir returns the directory that records what the user trusts in projects'
// own files, with one file for each project.
func (h Home) TrustDir() string { return filepath.Join(h.dir, "trust") }

// TrustFile returns the path of the trust file of a project, by its canonical
// root.
func (h Home) TrustFile(root string) string {
	return filepath.Join(h.TrustDir(), nameOf(root)+".trust")
}

// PasswordsFile returns the path of the file with the passwords that the user
// typed for a project's connections, by its canonical root.
func (h Home) PasswordsFile(root string) string {
	return filepath.Join(h.dir, "passwords", nameOf(root)+".json")
}

// LogFile returns the path of the log of processes without a terminal.
func (h Home) LogFile() string { return filepath.Join(h.dir, "logs", "berth.log") }

// StateDir returns the directory of a project's durable state. Its name starts
// with the project's name, for people, and ends in a hash of the canonical
// root, so that projects of the same name do not collide. Where paths ignore
// case, so does the hash.
func (h Home) StateDir(root string) string {
	return filepath.Join(h.dir, "state", nameOf(root))
}

// nameOf returns the name of a project used in file names.
func nameOf(root string) string {
	key := foldRoot(root)
	sum := sha256.Sum256([]byte(key))
	return stateName(filepath.Base(key)) + "-" + hex.EncodeToString(sum[:6])
}

// CopiesDir returns the directory for copies of the rows of a project's
// databases while a plan is tried on them. It has the name of the state
// directory: the process that holds the state's lock may clear it.
func (h Home) CopiesDir(root string) string {
	return filepath.Join(h.dir, "copies", filepath.Base(h.StateDir(root)))
}

// maxStateName keeps the longest name, including the hash, below the limit of
// all file systems (255 bytes), at up to 4 bytes per letter.
const maxStateName = 40

// stateName makes a project's name safe as part of a file name.
func stateName(base string) string {
	letters := []rune(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return r
		}
		return '-'
	}, base))
	name := strings.Trim(string(letters[:min(len(letters), maxStateName)]), "-")
	if name == "" {
		return "project"
	}
	return name
}
