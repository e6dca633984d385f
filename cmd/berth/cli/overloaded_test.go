package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/lane"
)

// Package db imports nothing of the wire, so its word for it is checked here.
func TestADatabaseIsOverloadedInTheWiresWord(t *testing.T) {
	code, message := (&pool.OverloadedError{Connection: "app", Full: &lane.FullError{Places: 24}}).Refusal()
	assert.Equal(t, wire.CodeOverloaded, wire.Code(code))
	assert.Contains(t, wire.Codes(), wire.Code(code))
	assert.Contains(t, message, "overloaded: connection \"app\" is busy")
}
