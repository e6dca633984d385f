package settings

import (
	"runtime"
	"strings"
)

// Rooted writes the absolute paths of a test's text as this platform has them:
// on Windows one that only begins with a slash is not absolute.
func Rooted(text string) string {
	if runtime.GOOS != "windows" {
		return text
	}
	return strings.NewReplacer("reads /", "reads C:/", "sqlite:///srv/", "sqlite:///C:/srv/", "/srv/", "C:/srv/", "/etc/", "C:/etc/",
		"/elsewhere", "C:/elsewhere", " /a/", " C:/a/").Replace(text)
}
