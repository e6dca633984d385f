package proxy

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

func TestTheAddressOfAPageIsNoneOnAnotherMachine(t *testing.T) {
	inst := wire.Instance{ProjectRoot: `/home/ann/my "app"`, Port: 50001}
	const said = `{"message":"It waits on the page http://127.0.0.1:50001 or with berth approvals at a terminal in the project. After","url":"http://127.0.0.1:50001"}`
	const want = `{"message":"It waits on the page (berth open build1:/home/ann/my \"app\") or with berth approvals build1:/home/ann/my \"app\" at a terminal. After",` +
		`"url":"berth open build1:/home/ann/my \"app\""}`
	designer, query := catalog.Definition{Failure: catalog.Structured}, catalog.Definition{}
	for name, c := range map[string]struct {
		def  catalog.Definition
		r    wire.Result
		want string
	}{
		"a plan that waits":       {query, wire.Result{Content: []string{said}, IsError: true}, want},
		"the designer":            {designer, wire.Result{Content: []string{said}}, want},
		"data":                    {query, wire.Result{Content: []string{said}}, said},
		"the address of another":  {designer, wire.Result{Content: []string{`{"url":"http://127.0.0.1:5000"}`}}, `{"url":"http://127.0.0.1:5000"}`},
		"an address in its names": {designer, wire.Result{Content: []string{`{"name":"http://127.0.0.1:50001"}`}}, `{"name":"http://127.0.0.1:50001"}`},
	} {
		c.r.Structured = json.RawMessage(c.r.Content[0])
		got := elsewhere(wire.Line{Result: &c.r}, c.def, inst, "build1")
		assert.Equal(t, c.want, got.Result.Content[0], name)
		assert.Equal(t, c.want, string(got.Result.Structured), name)
		assert.True(t, json.Valid(got.Result.Structured), name)
	}
	assert.Equal(t, wire.Line{}, elsewhere(wire.Line{}, designer, inst, "build1"), "a call that failed")
}
