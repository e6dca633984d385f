package wire_test

import (
	"testing"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
)

func TestEveryCodeHasAStatusAndAnExitCode(t *testing.T) {
	want := []wire.Code{wire.CodeForbidden, wire.CodeForbiddenHost, wire.CodeForbiddenOrigin, wire.CodeForbiddenUser, wire.CodeInternal, wire.CodeInvalidJSON,
		wire.CodeInvalidRequest, wire.CodeMethodNotAllowed, wire.CodeNoConnection, wire.CodeNotFound, wire.CodeOverloaded,
		wire.CodeQueryFailed, wire.CodeShuttingDown,
		wire.CodeTimeout, wire.CodeTooLarge, wire.CodeUnauthorized}
	assert.Equal(t, want, wire.Codes(), "the list is closed: an addition is a decision")
	for _, c := range wire.Codes() {
		t.Run(string(c), func(t *testing.T) {
			assert.GreaterOrEqual(t, c.HTTPStatus(), 400)
			assert.Positive(t, c.ExitCode())
			assert.Equal(t, c == wire.CodeInternal, c.HTTPStatus() == 500, "500 means internal and nothing else")
		})
	}
	assert.Equal(t, 500, wire.Code("unheard of").HTTPStatus())
	assert.Equal(t, wire.ExitInternal, wire.Code("unheard of").ExitCode())
}
