//go:build !unix && !windows

package autostart

// ownFolder says no: whose a folder is cannot be told here.
func ownFolder(string) (bool, error) { return false, nil }
