package cli

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/proxy/wire"
)

func TestAPipeGetsALineForWhatTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		v := newProgressView(&out)
		v.show(wire.Progress{Progress: 0, Total: 3, Message: "trying: create table a"})
		assert.Empty(t, out.String(), "what ends soon says nothing")
		time.Sleep(quietFor)
		v.show(wire.Progress{Progress: 1, Total: 3, Message: "trying: create\ntable b"})
		v.show(wire.Progress{Progress: 2, Total: 3, Message: "trying: create table c"})
		v.clear()
		assert.Equal(t, 1, strings.Count(out.String(), "\n"), out.String())
		assert.True(t, strings.HasPrefix(out.String(), "1/3 trying: create"), out.String())
	})
}

func TestABarStaysOnItsLineAndGoesAway(t *testing.T) {
	var out strings.Builder
	v := &progressView{out: &out, terminal: true}
	v.clear()
	assert.Empty(t, out.String(), "nothing was drawn")
	v.show(wire.Progress{Progress: 1, Total: 4, Message: "publishing: " + strings.Repeat("é", 200)})
	v.show(wire.Progress{Progress: 4, Total: 4})
	v.clear()
	lines := strings.Split(out.String(), "\r")
	assert.Equal(t, "[#####...............] 1/4 publishing: "+strings.Repeat("é", 38)+"…", lines[1])
	assert.Equal(t, "[####################] 4/4", strings.TrimRight(lines[2], " "))
	assert.Equal(t, len([]rune(lines[1])), len(lines[2]), "it covers the longer line")
	assert.Empty(t, strings.TrimSpace(lines[3]))
	assert.Empty(t, lines[4], "the next text begins at the left")
	assert.NotContains(t, out.String(), "\n")
}
