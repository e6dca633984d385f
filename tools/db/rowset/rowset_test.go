package rowset_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/rowset"
)

// pour gives a sink rows of columns a, b, … until it wants no more.
func pour(t *testing.T, into rowset.Sink, rows ...[]any) (taken int) {
	t.Helper()
	names := strings.Split("a b c d e f g", " ")[:len(rows[0])]
	require.NoError(t, into.Columns(names, make([]string, len(names))))
	for _, row := range rows {
		more, err := into.Row(row)
		require.NoError(t, err)
		if !more {
			return taken
		}
		taken++
	}
	return taken
}

func TestAReplyKeepsEveryValueExactOrMarksIt(t *testing.T) {
	r := rowset.NewReply(10, 1<<16)
	pour(t, r, []any{int64(1 << 53), int64(1<<53 + 1), 2.0, math.Inf(1), "a\u202eb", []byte{0xff}, nil})
	assert.JSONEq(t, `{"columns":[{"name":"a","type":"INTEGER"},{"name":"b","type":"INTEGER"},{"name":"c","type":"REAL"},{"name":"d","type":"REAL"},
		{"name":"e","type":"TEXT"},{"name":"f","type":"BLOB"},{"name":"g","type":""}],
		"rows":[[9007199254740992,"9007199254740993",2.0,"Infinity","ab",{"$base64":"/w=="},null]],"rowCount":1,"truncated":false,"elapsedMs":7}`, r.JSON(7*time.Millisecond))
	assert.Equal(t, "first\n"+rowset.Untrusted+"\n1 control, direction or invisible characters are left out.", r.Notes("first", ""))
}

func TestAReplyEndsAtItsLimits(t *testing.T) {
	r := rowset.NewReply(2, 1<<16)
	assert.Equal(t, 2, pour(t, r, []any{"x"}, []any{"y"}, []any{"z"}))
	assert.Contains(t, r.Notes(), "limit of 2 rows")
	r = rowset.NewReply(100, 1000)
	assert.Equal(t, 1, pour(t, r, []any{strings.Repeat("é", 20_000)}, []any{strings.Repeat("x", 2000)}), "the first row is cut to fit")
	assert.LessOrEqual(t, len(r.JSON(0)), 1000)
	assert.Contains(t, string(r.Rows()[0]), `"$bytes":40000`)
	var wide *rowset.WidthError
	require.ErrorAs(t, rowset.NewReply(1, 100).Columns(make([]string, 50), make([]string, 50)), &wide)
	assert.Equal(t, 50, wide.Columns)
}

func TestObjectsNumberNamesThatComeAgain(t *testing.T) {
	o := rowset.NewObjects(2, 1<<16)
	require.NoError(t, o.Columns([]string{"id", "id"}, []string{"", ""}))
	for want, i := range []bool{true, true, false} {
		more, err := o.Row([]any{int64(want), "x"})
		require.NoError(t, err)
		assert.Equal(t, i, more)
	}
	require.Len(t, o.Rows(), 2)
	assert.JSONEq(t, `{"id":1,"id_2":"x"}`, string(o.Rows()[1]))
}

func TestAFileHasValuesAsTheyAreAndStopsBeforeItsLimit(t *testing.T) {
	for format, want := range map[rowset.Format]string{
		rowset.CSV:   "a,b,c,d\r\n,\"\",\"x,\"\"y\"\"\",base64:/w==\r\n",
		rowset.Lines: `{"a":null,"b":"","c":"x,\"y\"","d":{"$base64":"/w=="}}` + "\n",
	} {
		var text strings.Builder
		f := rowset.NewFile(&text, format, int64(len(want)))
		assert.Equal(t, 1, pour(t, f, []any{nil, "", `x,"y"`, []byte{0xff}}, []any{nil, nil, nil, nil}))
		require.NoError(t, f.Flush())
		assert.Equal(t, want, text.String())
		assert.Equal(t, rowset.Written{Columns: 4, Rows: 1, Bytes: int64(len(want)), Truncated: true}, f.Written())
	}
}

// A note gives no advice that its reader cannot take, and says whose limit it is.
func TestNotesSayWhoseLimitItIsAndWhoHasTheRest(t *testing.T) {
	for _, tt := range []struct {
		asked     int
		elsewhere bool
		want      string
	}{
		{0, false, "There is more: the reply stops at the limit of 1 rows, which the project's settings set. Narrow the query, or pass toFile to have all of it in a file."},
		{1, true, "There is more: the reply stops at the limit of 1 rows, which the call set. Narrow the query, or have run-query write all of it to a file with toFile."},
	} {
		r := rowset.NewReply(1, 1<<16)
		r.Asked, r.Elsewhere = tt.asked, tt.elsewhere
		require.NoError(t, r.Columns([]string{"a"}, []string{""}))
		for range 2 {
			_, err := r.Row([]any{int64(1)})
			require.NoError(t, err)
		}
		assert.Contains(t, r.Notes(), tt.want)
	}
}

// Types that come after the rows are those of the reply, which stays within its
// limit.
func TestTypesMayComeLate(t *testing.T) {
	late, early := rowset.NewReply(10, 1000), rowset.NewReply(10, 1000)
	require.NoError(t, late.Columns([]string{"a", "b"}, []string{"", "text"}))
	require.NoError(t, early.Columns([]string{"a", "b"}, []string{"timestamp with time zone", "text"}))
	for _, r := range []*rowset.Reply{late, early} {
		more, err := r.Row([]any{int64(1), "x"})
		require.NoError(t, err)
		require.True(t, more)
	}
	late.Types([]string{"timestamp with time zone", "text"})
	assert.Equal(t, early.JSON(0), late.JSON(0))

	full := rowset.NewReply(1000, 400)
	require.NoError(t, full.Columns([]string{"a"}, []string{""}))
	for more := true; more; {
		more, _ = full.Row([]any{"some text"})
	}
	rows := len(full.Rows())
	full.Types([]string{strings.Repeat("x", 100)})
	assert.Less(t, len(full.Rows()), rows)
	assert.NotEmpty(t, full.Rows())
	assert.LessOrEqual(t, len(full.JSON(0)), 400)
	assert.Contains(t, full.Notes(), "limit of 400 bytes")
}
