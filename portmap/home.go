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

// The environment variables that move berth's files.
const (
	EnvHome    = "BERTH_HOME"    // moves everything
	EnvPortMap = "BERTH_PORTMAP" // moves the map file with its lock and reservations alone
)

// Home says where everything lies that berth keeps for one user. It only
// names places: whoever writes to one makes it, directories with mode 0700
// and files with 0600. The zero value names nothing; use [FindHome].
type Home struct {
	dir     string
	mapFile string
}

// FindHome reads BERTH_HOME, else takes the directory "berth" in the user's
// configuration directory; BERTH_PORTMAP, where set, is the map file's path.
// A variable that is set to a relative path is refused: two processes in two
// directories would not find each other.
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

// absoluteVariable returns a variable's path cleaned, or "" where it is unset.
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

// Dir is the directory that holds all the rest.
func (h Home) Dir() string { return h.dir }

// MapFile is the port map; its lock and the reservations lie beside it.
func (h Home) MapFile() string { return h.mapFile }

// InstancesDir holds one file for each running instance.
func (h Home) InstancesDir() string { return filepath.Join(h.dir, "instances") }

// InstanceFile is the file of the instance on a port.
func (h Home) InstanceFile(port int) string {
	return filepath.Join(h.InstancesDir(), strconv.Itoa(port)+".json")
}

// PersonKeyFile holds the key by which berth's own processes show an instance
// that they speak for the person at this machine.
func (h Home) PersonKeyFile() string { return filepath.Join(h.dir, "person.key") }

// ConfigFile holds the user's settings for all projects.
func (h Home) ConfigFile() string { return filepath.Join(h.dir, "config.yaml") }

// TrustDir holds what the user trusts of projects' own files, a file for each
// project.
func (h Home) TrustDir() string { return filepath.Join(h.dir, "trust") }

// TrustFile is the one of a project, by its canonical root.
func (h Home) TrustFile(root string) string {
	return filepath.Join(h.TrustDir(), nameOf(root)+".trust")
}

// LogFile is where processes without a terminal write their log.
func (h Home) LogFile() string { return filepath.Join(h.dir, "logs", "berth.log") }

// StateDir is where a project's durable state lies. Its name starts with the
// project's own, for people, and ends in a hash of the canonical root, so that
// projects of the same name keep apart. Where paths ignore case, so does it.
func (h Home) StateDir(root string) string {
	return filepath.Join(h.dir, "state", nameOf(root))
}

// nameOf names a project in the names of files.
func nameOf(root string) string {
	key := foldRoot(root)
	sum := sha256.Sum256([]byte(key))
	return stateName(filepath.Base(key)) + "-" + hex.EncodeToString(sum[:6])
}

// CopiesDir holds copies of the rows of a project's databases while a plan is
// tried on them. It is of the state's name: who holds the state may clear it.
func (h Home) CopiesDir(root string) string {
	return filepath.Join(h.dir, "copies", filepath.Base(h.StateDir(root)))
}

// maxStateName keeps the longest name, hash included, below what every file
// system takes (255 bytes), at up to 4 bytes a letter.
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
