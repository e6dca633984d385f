//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/e2e/needs"
)

// realDesktop has the world's processes open pages in a Chromium of their own
// for each, as a desktop does.
func (w *world) realDesktop() {
	w.t.Helper()
	browser := findChromium()
	if browser == "" {
		needs.Missing(w.t, "browser", ".ci/browser installs a Chromium")
	}
	dir := filepath.Join(w.dir, "desktop")
	require.NoError(w.t, os.MkdirAll(dir, 0o755))
	pids := filepath.Join(dir, "pids")
	script := fmt.Sprintf("#!/bin/sh\nprofile=$(mktemp -d %q/profile-XXXXXX)\n"+
		"setsid %q --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-background-networking "+
		"--remote-debugging-port=0 --user-data-dir=\"$profile\" \"$1\" >/dev/null 2>&1 &\necho $! >>%q\n", dir, browser, pids)
	require.NoError(w.t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o755))
	w.env = append(without(w.env, "PATH"), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "DISPLAY=:99")
	w.t.Cleanup(func() {
		raw, _ := os.ReadFile(pids)
		for _, line := range strings.Fields(string(raw)) {
			if pid, err := strconv.Atoi(line); err == nil {
				_ = syscall.Kill(-pid, syscall.SIGKILL) // the whole browser: setsid made it a group
			}
		}
	})
}

// signIns counts the browsers that were signed in.
func (w *world) signIns(in *instance) int {
	w.t.Helper()
	status, body := request(w.t, in, "GET", "/keys", "", map[string]string{"Authorization": "Bearer " + w.token(in)})
	require.Equal(w.t, 200, status, body)
	var list struct{ Keys []any }
	require.NoError(w.t, json.Unmarshal([]byte(body), &list))
	return len(list.Keys)
}

// TestNobodyFindsACodeInTheProcessList has another user poll every process's
// arguments while real browsers are opened, by `berth open` and by an agent's
// show.
func TestNobodyFindsACodeInTheProcessList(t *testing.T) {
	const mark = "--remote-debugging-port=0" // the browser's arguments are seen
	long.Thoroughly(t)                       // two browsers start, while a process looks at all others
	needs.Root(t)
	w := newWorld(t)
	w.realDesktop()
	th := newThief(t, mark)
	th.send(prey{})
	opened := 0
	for i := range long.Rounds(1, 8) {
		in := w.serve(w.project(fmt.Sprint("opened-", i), twoTables))
		got := w.berth("open", in.ProjectRoot)
		require.Zero(t, got.code, got.stderr)
		require.Eventually(t, func() bool { return w.signIns(in) == 1 }, patience, tick, "the person's browser is signed in")
		shown := w.serve(w.project(fmt.Sprint("shown-", i), twoTables))
		require.True(t, w.agent().design(shown.ProjectRoot, map[string]any{"operation": "show"}).Success)
		require.Eventually(t, func() bool { return w.signIns(shown) == 1 }, patience, tick, "the person's browser is signed in")
		opened += 2
		left, err := os.ReadDir(filepath.Join(w.home, "signin"))
		assert.True(t, os.IsNotExist(err), "a file is gone once its code is used: %v", left)
	}
	seen := th.send(prey{})
	t.Logf("%d browsers opened, %d looks at the process list: %d codes seen, %d used", opened, seen.Looks, len(seen.Seen), len(seen.Stolen))
	assert.Empty(t, seen.Seen)
	assert.Empty(t, seen.Stolen)
	assert.Contains(t, seen.Watched, mark, "the thief saw the browsers' arguments")
}
