//go:build unix && !darwin

package cli

// browserCommand opens a URL on a free desktop.
func browserCommand(url string) []string { return []string{"xdg-open", url} }
