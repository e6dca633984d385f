package autostart

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnInstanceGetsFewVariables(t *testing.T) {
	environ := []string{
		"PATH=/bin", "HOME=/h", "LANG=C", "LC_ALL=C", "BERTH_HOME=/b", "Path=x", "SystemRoot=c", "TEMP=t",
		"ANTHROPIC_API_KEY=secret", "AWS_SECRET_ACCESS_KEY=secret", "DB_URL=named", "LD_PRELOAD=x", "PATHOLOGY=x", "LCX=1", "=C:=x",
	}
	assert.Equal(t,
		[]string{"PATH=/bin", "HOME=/h", "LANG=C", "LC_ALL=C", "BERTH_HOME=/b", "Path=x", "SystemRoot=c", "TEMP=t", "DB_URL=named"},
		allowedEnv(environ, []string{"DB_URL", "UNSET"}))
}

func TestWhatAnInstanceSaysWhenItStarts(t *testing.T) {
	tests := map[string]struct {
		line string
		err  error
		want string // the error; empty: none
	}{
		"ready":          {`{"projectRoot":"/p","port":1,"url":"u","pid":2}`, nil, ""},
		"failed":         {`{"error":"no such thing","hint":"h"}`, nil, "no such thing"},
		"nothing":        {"", errors.New("EOF"), "berth serve ended without a word; see the log file"},
		"not JSON":       {"hello", nil, "read what berth serve says"},
		"JSON of a fool": {`{"error":"a","error":"b"}`, nil, "read what berth serve says"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := readReady([]byte(tt.line), tt.err)
			if tt.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, tt.want)
		})
	}
}
