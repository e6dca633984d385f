package instance

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/proxy/wire"
)

func TestACallThatTakesLongSaysThatItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []wire.Progress
		p := newPulse("run-query", func(p wire.Progress) { sent = append(sent, p) })
		time.Sleep(5 * time.Second)
		synctest.Wait()
		assert.Equal(t, []wire.Progress{{Progress: 2, Message: "run-query: 2 s so far"}, {Progress: 4, Message: "run-query: 4 s so far"}}, sent)

		sent = nil
		p.report(1, 3, "step one")
		time.Sleep(5 * time.Second)
		synctest.Wait()
		assert.Equal(t, []wire.Progress{{Progress: 6, Total: 8, Message: "step one"},
			{Progress: 6.5, Total: 8, Message: "step one: 7 s so far"}, {Progress: 6 + 2./3, Total: 8, Message: "step one: 9 s so far"}},
			sent, "progress grows, and a long step is not silent")

		sent = nil
		p.report(2, 3, "step two")
		assert.Equal(t, []wire.Progress{{Progress: 7, Total: 8, Message: "step two"}}, sent)

		sent = nil
		p.stop()
		p.report(2, 3, "too late")
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Empty(t, sent)
	})
}

func TestAShortCallSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPulse("run-query", func(p wire.Progress) { t.Errorf("sent %v", p) })
		time.Sleep(pulseEvery / 2)
		p.stop()
		time.Sleep(time.Minute)
	})
}
