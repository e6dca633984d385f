//go:build unix && !darwin

package cli

// browserCommand opens an HTML file on a free desktop.
func browserCommand(path string) []string { return []string{"xdg-open", path} }

// hasDesktop reports whether this session has a display.
func hasDesktop(getenv func(string) string) bool {
	return getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""
}
