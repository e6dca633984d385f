package portmap

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var may = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)

var reservationTexts = map[string]struct {
	text string
	want map[string]reservation // nil: broken
}{
	"an empty object":      {`{}`, map[string]reservation{}},
	"a project":            {`{"/a":{"port":50001,"lastUsed":"2026-05-04T03:02:01Z"}}`, map[string]reservation{"/a": {50001, may}}},
	"a time of elsewhere":  {`{"/a":{"port":1,"lastUsed":"2026-05-04T05:02:01+02:00"}}`, map[string]reservation{"/a": {1, may}}},
	"no time":              {`{"/a":{"port":1}}`, map[string]reservation{"/a": {Port: 1}}},
	"nothing at all":       {``, nil},
	"null":                 {`null`, nil},
	"a list":               {`[]`, nil},
	"half a file":          {`{"/a":{"port":50001,"la`, nil},
	"a name twice":         {`{"/a":{"port":1},"/a":{"port":1}}`, nil},
	"a field twice":        {`{"/a":{"port":1,"port":2}}`, nil},
	"a field unknown":      {`{"/a":{"port":1,"pid":2}}`, nil},
	"a field in capitals":  {`{"/a":{"Port":1}}`, nil},
	"no port":              {`{"/a":{}}`, nil},
	"a port too high":      {`{"/a":{"port":65536}}`, nil},
	"a map":                {`{"/a":50001}`, nil},
	"a time that is none":  {`{"/a":{"port":1,"lastUsed":"yesterday"}}`, nil},
	"a time before time":   {`{"/a":{"port":1,"lastUsed":"0000-01-01T00:00:00Z"}}`, nil},
	"a time after all":     {`{"/a":{"port":1,"lastUsed":"9999-12-31T23:59:59-01:00"}}`, nil},
	"a time that is 12345": {`{"/a":{"port":1,"lastUsed":12345}}`, nil},
}

func TestTextsOfTheReservations(t *testing.T) {
	for name, tc := range reservationTexts {
		t.Run(name, func(t *testing.T) {
			got, err := parseReservations([]byte(tc.text))
			if tc.want == nil {
				require.ErrorIs(t, err, ErrBroken)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tc.want, got)
		})
	}
}

func TestTheOldestReservationsAreForgotten(t *testing.T) {
	clock := may
	s := newStore(t, 8, func(o *Options) {
		o.MaxReservations = 3
		o.Now = func() time.Time { clock = clock.Add(time.Hour); return clock }
	})
	reserved := func() map[string]reservation {
		got, err := parseReservations([]byte(read(t, s.reservationsPath())))
		require.NoError(t, err)
		return got
	}
	a, b, c, d := project(t, "a"), project(t, "b"), project(t, "c"), project(t, "d")
	claimedA := claim(t, s, a)
	claim(t, s, b)
	claim(t, s, c)
	stop(t, s, claimedA) // used again, so b is the oldest
	claim(t, s, d)
	assert.Len(t, reserved(), 3)
	assert.NotContains(t, reserved(), b)
	assert.Len(t, entries(t, s), 3, "b runs: forgetting its reservation leaves its entry")

	clock = may.AddDate(-10, 0, 0) // the clock is set back
	e := project(t, "e")
	claim(t, s, e)
	assert.Len(t, reserved(), 3)
	assert.Contains(t, reserved(), e, "the newest was taken for the oldest")
}

func TestReservationsOfOneTimeAreForgottenByName(t *testing.T) {
	reserved := map[string]reservation{}
	for i := range 5 {
		reserved["/"+strconv.Itoa(i)] = reservation{Port: i + 1, LastUsed: may}
	}
	forgetOldest(reserved, 2, "/0")
	assert.Len(t, reserved, 2)
	assert.Contains(t, reserved, "/0")
	assert.Contains(t, reserved, "/4")
}

func FuzzParseReservations(f *testing.F) {
	for _, tc := range reservationTexts {
		f.Add([]byte(tc.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := parseReservations(text)
		if err != nil {
			require.ErrorIs(t, err, ErrBroken)
			require.Nil(t, got)
			return
		}
		again, err := encode(got)
		require.NoError(t, err)
		same, err := parseReservations(again)
		require.NoError(t, err)
		require.Equal(t, got, same)
		forgetOldest(got, 1, "")
		require.LessOrEqual(t, len(got), 1)
	})
}
