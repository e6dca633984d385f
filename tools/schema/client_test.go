package schema

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/tools"
)

func TestThePageIsNoProgramBehindAPerson(t *testing.T) {
	by := tools.Client{Name: "berth page"}
	assert.Empty(t, clientName(tools.Call{Origin: tools.OriginPage, Client: by}))
	assert.NotEmpty(t, clientName(tools.Call{Origin: tools.OriginAgent, Client: by}))
}
