package designs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// folder is the folder of the files, below the project's root.
const folder = ".berth/designs"

// maxStem bounds the name of a file without its endings.
const maxStem = 120

// stem is the name of a connection's files without their endings: the
// connection's name, with everything that some file system treats in its own
// way written as % and two digits.
func stem(connection string) string {
	var b strings.Builder
	for i := 0; i < len(connection); i++ {
		c := connection[i]
		plain := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' && i > 0
		if plain {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	name := b.String()
	if at := strings.LastIndexByte(name, '.'); at >= 0 && ours(strings.ToLower(name[at+1:])) {
		name = name[:at] + "%2E" + name[at+1:]
	}
	if deviceName(name) {
		name = fmt.Sprintf("%%%02X", name[0]) + name[1:]
	}
	if len(name) > maxStem {
		sum := sha256.Sum256([]byte(connection))
		name = strings.TrimRight(name[:maxStem-17], "%.") + "-" + hex.EncodeToString(sum[:8])
	}
	return name
}

// ours reports whether the last part of a name is that of a file beside a
// design's, or empty, which Windows drops.
func ours(ending string) bool {
	return ending == "" || ending == "layout" || ending == "rejected" || strings.HasPrefix(ending, "rejected-")
}

// deviceName reports whether the name is a device name on Windows.
func deviceName(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch base {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(base) == 4 && (strings.HasPrefix(base, "com") || strings.HasPrefix(base, "lpt")) && base[3] >= '0' && base[3] <= '9'
}
