package cli

import (
	"io"
	"log/slog"
)

// newLogger writes JSON lines to the log file, and to stderr what a person
// should see now: warnings, or with --verbose everything. The returned file
// is closed by the caller.
func newLogger(stderr io.Writer, file *logFile, verbose bool) *slog.Logger {
	fileLevel, screenLevel := slog.LevelInfo, slog.LevelWarn
	if verbose {
		fileLevel, screenLevel = slog.LevelDebug, slog.LevelDebug
	}
	return slog.New(slog.NewMultiHandler(
		slog.NewJSONHandler(file, &slog.HandlerOptions{Level: fileLevel}),
		slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: screenLevel}),
	))
}
