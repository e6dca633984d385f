package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOnlyAYesIsAYes(t *testing.T) {
	for answer, want := range map[string]bool{
		"y\n": true, "Y\n": true, "yes\n": true, " YES \r\n": true, "yes": true,
		"\n": false, "": false, "n\n": false, "yeah\n": false, "no\ny\n": false,
	} {
		var out bytes.Buffer
		person := terminal{in: strings.NewReader(answer), out: &out}
		assert.Equal(t, want, person.confirm("Write?"), "%q", answer)
		assert.Equal(t, "Write? [y/N] ", out.String())
	}
}

func TestQuestionsThatNobodyCanAnswerAreDeclined(t *testing.T) {
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	tests := map[string]struct{ asked, want string }{
		"nobody there": {`{"a":{"method":"elicitation/create","params":{"message":"Drop?","requestedSchema":{"type":"object","properties":{"decision":{"type":"string","enum":["approve","reject"]}}}}}}`,
			`{"a":{"action":"decline"}}`},
		"an empty form": {`{"a":{"method":"elicitation/create","params":{"requestedSchema":{"properties":{}}}}}`,
			`{"a":{"action":"decline"}}`},
		"not a yes or no": {`{"a":{"method":"elicitation/create","params":{"requestedSchema":{"properties":{"name":{"type":"string"}}}}}}`,
			`{"a":{"action":"decline"}}`},
		"another request": {`{"a":{"method":"sampling/createMessage"},"b":{"method":"roots/list"}}`,
			`{"a":{"action":"decline"},"b":{"action":"decline"}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			person := terminal{in: strings.NewReader("y\n"), out: &bytes.Buffer{}}
			got, err := person.answer(json.RawMessage(tt.asked))
			require.NoError(t, err)
			assert.True(t, got.declined())
			encoded, err := json.Marshal(got)
			require.NoError(t, err)
			assert.JSONEq(t, tt.want, string(encoded))
		})
	}
	_, err = terminal{in: null, out: null}.answer(json.RawMessage(`{"a":1}`))
	require.ErrorContains(t, err, "read what the instance asks")
}

func TestAChoiceIsSpelledOut(t *testing.T) {
	var r inputRequest
	require.NoError(t, json.Unmarshal([]byte(`{"method":"elicitation/create","params":{"requestedSchema":{"properties":{"decision":{"enum":["approve","reject"]}}}}}`), &r))
	assert.Equal(t, inputResponse{Action: "accept", Content: map[string]string{"decision": "approve"}}, r.choose("approve"))
	no := inputResponses{"a": r.choose("reject")}
	assert.Equal(t, inputResponse{Action: "accept", Content: map[string]string{"decision": "reject"}}, no["a"])
	assert.True(t, no.declined())
	assert.False(t, inputResponses{"a": r.choose("approve")}.declined())
}

func TestANullDeviceAnswersNo(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	assert.False(t, terminal{in: null, out: null}.confirm("Write?"))
}
