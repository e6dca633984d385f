package stream

import (
	"context"
	"errors"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
)

// Each case is the answers to the tries of an entry that is to become 8, and
// the verdict on the last of them.
func TestWhatAnswersMean(t *testing.T) {
	silence := answer{err: context.DeadlineExceeded}
	wrong := answer{code: 10071, http: 400}
	for name, c := range map[string]struct {
		answers []answer
		want    verdict
	}{
		"acknowledged":                            {[]answer{{seq: 8}}, committed},
		"acknowledged at the second try":          {[]answer{silence, {seq: 8}}, committed},
		"another came first":                      {[]answer{wrong}, lost},
		"another came first, by the newer code":   {[]answer{{code: 10164, http: 400}}, lost},
		"wrong sequence after silence":            {[]answer{silence, wrong}, readPlace},
		"wrong sequence after no responders":      {[]answer{{err: nats.ErrNoResponders}, wrong}, readPlace},
		"wrong sequence after a lost connection":  {[]answer{{err: nats.ErrDisconnected}, wrong}, readPlace},
		"wrong sequence after our end closed":     {[]answer{{err: nats.ErrConnectionClosed}, wrong}, readPlace},
		"wrong sequence after nothing was sent":   {[]answer{{err: nats.ErrReconnectBufExceeded}, wrong}, lost},
		"silence":                                 {[]answer{silence}, tryAgain},
		"in process":                              {[]answer{{code: 10158, http: 409}}, tryAgain},
		"wrong sequence after in process":         {[]answer{{code: 10158, http: 409}, wrong}, readPlace},
		"no leader":                               {[]answer{{code: 10008, http: 503}}, tryAgain},
		"wrong sequence after no leader":          {[]answer{{code: 10008, http: 503}, wrong}, readPlace},
		"full":                                    {[]answer{{code: 10077, http: 503}}, refused},
		"full after silence":                      {[]answer{silence, {code: 10077, http: 503}}, readPlace},
		"too large":                               {[]answer{{code: 10054, http: 400}}, refused},
		"no permission":                           {[]answer{{err: context.DeadlineExceeded, deny: "no"}}, refused},
		"no permission after silence":             {[]answer{silence, {err: context.DeadlineExceeded, deny: "no"}}, readPlace},
		"acknowledged elsewhere":                  {[]answer{{seq: 3}}, readPlace},
		"a code that no version had at that time": {[]answer{{code: 19999, http: 400}}, refused},
	} {
		t.Run(name, func(t *testing.T) {
			tr := trial{after: 7}
			var got verdict
			for _, a := range c.answers {
				got = tr.judge(a)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func TestWhatThePlaceSays(t *testing.T) {
	tr := trial{after: 7, open: true}
	assert.Equal(t, committed, tr.settle(place{id: "mine"}, "mine"))
	assert.Equal(t, lost, tr.settle(place{id: "theirs"}, "mine"))
	assert.Equal(t, tryAgain, tr.settle(place{}, "mine"))
	assert.Equal(t, tryAgain, tr.settle(place{err: errors.New("no leader")}, "mine"))
}
