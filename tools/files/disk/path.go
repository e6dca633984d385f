package disk

import (
	"runtime"
	"strings"
	"unicode/utf8"
)

// maxPath bounds a path, in bytes.
const maxPath = 1024

// ParsePath parses the path of a file as given by a caller and returns it
// relative to the project's folder, with forward slashes. The error is an
// [*Error] with reason BadPath.
func ParsePath(text string) (string, error) {
	path := strings.TrimPrefix(text, "/")
	switch {
	case text == "":
		return "", refuse(BadPath, "the path is empty; give one below the project's folder, such as src/main.go")
	case path == "":
		return "", refuse(BadPath, "the path is the project's folder, not a file")
	case strings.HasSuffix(path, "/"):
		return "", refuse(BadPath, "the path ends with a slash; name a file")
	}
	return path, checkPath(path)
}

// ParsePrefix parses a path prefix. "" matches every path; a prefix with a
// trailing slash matches a whole folder.
func ParsePrefix(text string) (string, error) {
	prefix := strings.TrimPrefix(text, "/")
	if prefix == "" || prefix == "." || prefix == "./" {
		return "", nil
	}
	return prefix, checkPath(strings.TrimSuffix(prefix, "/"))
}

func checkPath(path string) error {
	switch {
	case len(path) > maxPath:
		return refuse(BadPath, "the path has %d bytes; the most is %d", len(path), maxPath)
	case !utf8.ValidString(path) || strings.ContainsRune(path, 0):
		return refuse(BadPath, "the path contains a NUL byte or is not valid UTF-8")
	case strings.ContainsRune(path, '\\'):
		return refuse(BadPath, "the path contains a backslash; separate folders with forward slashes")
	case len(path) >= 2 && path[1] == ':' && isLetter(path[0]):
		return refuse(BadPath, "the path names a drive; paths are below the project's folder")
	}
	for part := range strings.SplitSeq(path, "/") {
		if problem := checkPart(part); problem != "" {
			return refuse(BadPath, "the path %s; paths are below the project's folder, such as src/main.go", problem)
		}
	}
	return nil
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// checkPart returns what is wrong with one part of a path, or "". Device names
// of Windows are refused on all systems, so that a project is portable.
func checkPart(part string) string {
	switch part {
	case "":
		return "has an empty element"
	case ".":
		return "has an element ."
	case "..":
		return "has an element .."
	}
	name := part
	if runtime.GOOS == "windows" {
		if strings.ContainsAny(part, `:*?"<>|`) || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
			return "has an element that is not a valid name on Windows"
		}
		name, _, _ = strings.Cut(part, ".")
	}
	if reserved(strings.TrimRight(name, " .:")) {
		return "has an element that is a device name on Windows"
	}
	return ""
}

// reserved reports whether name is a device name on Windows.
func reserved(name string) bool {
	if name == "" || !strings.Contains("CPANLcpanl", name[:1]) {
		return false // as most are
	}
	name = strings.ToUpper(name)
	switch name {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	rest, ok := strings.CutPrefix(name, "COM")
	if !ok {
		rest, ok = strings.CutPrefix(name, "LPT")
	}
	return ok && utf8.RuneCountInString(rest) == 1 && strings.Contains("0123456789¹²³", rest)
}
