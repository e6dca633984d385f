package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// withoutEcho has a terminal show nothing of what is typed until back is
// called.
func withoutEcho(f *os.File) (back func(), err error) {
	console := windows.Handle(f.Fd())
	var was uint32
	if err := windows.GetConsoleMode(console, &was); err != nil {
		return nil, err
	}
	if err := windows.SetConsoleMode(console, was&^windows.ENABLE_ECHO_INPUT|windows.ENABLE_LINE_INPUT|windows.ENABLE_PROCESSED_INPUT); err != nil {
		return nil, err
	}
	return func() { _ = windows.SetConsoleMode(console, was) }, nil
}
