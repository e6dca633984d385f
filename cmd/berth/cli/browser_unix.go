//go:build unix && !darwin

package cli

// browserCommand opens a URL on a free desktop.
func browserCommand(url string) []string { return []string{"xdg-open", url} }

// hasDesktop reports whether this session has a display.
func hasDesktop(getenv func(string) string) bool {
	return getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""
}
