package instance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
)

// eras are the last version with a handshake and the first without.
var eras = []string{"2025-11-25", "2026-07-28"}

// bearer adds credentials to every request of an MCP client.
type bearer struct {
	token  string
	person string // "": none
	next   http.RoundTripper
}

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", b.token)
	if b.person != "" {
		req.Header.Set(wire.PersonHeader, b.person)
	}
	return b.next.RoundTrip(req)
}

// connect opens an MCP session of that version at /mcp.
func (r *testInstance) connect(version string, opts *mcp.ClientOptions) *mcp.ClientSession {
	r.t.Helper()
	return r.connectAs(version, opts, "")
}

// connectAs shows a person key too.
func (r *testInstance) connectAs(version string, opts *mcp.ClientOptions, person string) *mcp.ClientSession {
	r.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "7"}, opts)
	session, err := client.Connect(r.t.Context(), &mcp.StreamableClientTransport{
		Endpoint:   r.url("/mcp"),
		HTTPClient: &http.Client{Transport: bearer{r.self.Token.Header(), person, r.client.Transport}},
	}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = session.Close() }) // the instance may have gone first
	return session
}

func text(t *testing.T, result *mcp.CallToolResult) string {
	t.Helper()
	require.NotEmpty(t, result.Content)
	content, ok := result.Content[0].(*mcp.TextContent)
	require.True(t, ok)
	return content.Text
}

func TestMCPListsTheCatalogueInBothEras(t *testing.T) {
	r := start(t)
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			session := r.connect(version, nil)
			assert.Equal(t, catalog.Instructions, session.InitializeResult().Instructions)
			list, err := session.ListTools(t.Context(), nil)
			require.NoError(t, err)
			require.Len(t, list.Tools, len(catalog.All()))
			for _, tool := range list.Tools {
				want, ok := catalog.Lookup(tool.Name)
				require.True(t, ok, tool.Name)
				assert.Equal(t, want.Description, tool.Description)
				schema, err := json.Marshal(tool.InputSchema)
				require.NoError(t, err)
				assert.JSONEq(t, string(want.InputSchema), string(schema))
				require.NotNil(t, tool.Annotations)
				assert.Equal(t, want.Annotations, catalog.Annotations{
					ReadOnly: tool.Annotations.ReadOnlyHint, Destructive: *tool.Annotations.DestructiveHint,
					Idempotent: tool.Annotations.IdempotentHint, OpenWorld: *tool.Annotations.OpenWorldHint,
				})
			}
		})
	}
}

func TestMCPRunsAToolAsAnAgentInBothEras(t *testing.T) {
	r := start(t)
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			result, err := r.connect(version, nil).CallTool(t.Context(), &mcp.CallToolParams{
				Name: "get-tables", Arguments: map[string]any{"projectRoot": r.config.Root},
			})
			require.NoError(t, err)
			assert.False(t, result.IsError)
			var got struct {
				Tool, Origin string
				Client       tools.Client
			}
			require.NoError(t, json.Unmarshal([]byte(text(t, result)), &got))
			assert.Equal(t, "get-tables", got.Tool)
			assert.Equal(t, "agent", got.Origin)
			assert.Equal(t, tools.Client{Name: "tester", Version: "7"}, got.Client)
		})
	}
}

func TestMCPDoesNotAnswerForAnotherProject(t *testing.T) {
	r, other := start(t), t.TempDir()
	result, err := r.connect(eras[1], nil).CallTool(t.Context(), &mcp.CallToolParams{
		Name: "get-tables", Arguments: map[string]any{"projectRoot": other},
	})
	require.NoError(t, err)
	assert.True(t, result.IsError)
	assert.Equal(t, wire.TextNotRunning+other, text(t, result))
	assert.Zero(t, r.tools.calls.Load())
}

func TestMCPSendsProgressInBothEras(t *testing.T) {
	r := start(t)
	r.tools.handle = func(_ context.Context, call tools.Call) tools.Reply {
		for i := range 5 {
			call.Progress(float64(i), 5, fmt.Sprint(i))
		}
		return tools.Reply{Content: []string{"done"}}
	}
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			steps := make(chan string, 5)
			session := r.connect(version, &mcp.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
					steps <- req.Params.Message
				},
			})
			params := &mcp.CallToolParams{Name: "get-tables", Arguments: map[string]any{}}
			params.SetProgressToken("p")
			_, err := session.CallTool(t.Context(), params)
			require.NoError(t, err)
			for i := range 5 {
				assert.Equal(t, fmt.Sprint(i), receive(t, steps, "progress"))
			}
		})
	}
}

func TestMCPPutsAQuestionToThePersonInBothEras(t *testing.T) {
	r := start(t)
	r.tools.handle = func(_ context.Context, call tools.Call) tools.Reply {
		if call.Answers != nil {
			return tools.Reply{Content: []string{string(call.Answers), call.State, fmt.Sprint(call.Client.Elicitation)}}
		}
		return tools.Reply{Ask: &tools.Ask{State: "sealed", Requests: json.RawMessage(`{"sure":{
			"method":"elicitation/create",
			"params":{"message":"Drop it?","requestedSchema":{"type":"object","properties":{"yes":{"type":"boolean"}}}}}}`)}}
	}
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			asked := make(chan string, 1)
			opts := &mcp.ClientOptions{
				ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked <- req.Params.Message
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"yes": true}}, nil
				},
			}
			session := r.connectAs(version, opts, r.person.Header())
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get-tables", Arguments: map[string]any{}})
			require.NoError(t, err)
			assert.Equal(t, "Drop it?", receive(t, asked, "the question"))
			assert.JSONEq(t, `{"sure":{"action":"accept","content":{"yes":true}}}`, text(t, result))
			require.Len(t, result.Content, 3)
			assert.Equal(t, "sealed", result.Content[1].(*mcp.TextContent).Text)
			assert.Equal(t, "true", result.Content[2].(*mcp.TextContent).Text)

			result, err = r.connect(version, opts).CallTool(t.Context(), &mcp.CallToolParams{Name: "get-tables", Arguments: map[string]any{}})
			require.NoError(t, err)
			receive(t, asked, "the question")
			assert.Equal(t, "false", result.Content[2].(*mcp.TextContent).Text, "the token alone speaks for nobody")
		})
	}
}

func TestMCPCancellationReachesTheHandlerInBothEras(t *testing.T) {
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			r := start(t)
			entered, cancelled := make(chan struct{}), make(chan struct{})
			r.tools.handle = func(ctx context.Context, _ tools.Call) tools.Reply {
				close(entered)
				<-ctx.Done()
				close(cancelled)
				return tools.Reply{Content: []string{"cancelled"}}
			}
			session := r.connect(version, nil)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "get-tables", Arguments: map[string]any{}})
				ended <- err
			}()
			receive(t, entered, "the call")
			cancel()
			receive(t, cancelled, "the cancellation")
			assert.Error(t, receive(t, ended, "the end of the call"))
		})
	}
}

func TestAHandoverLetsAnMCPCallFinishInBothEras(t *testing.T) {
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			tool := newBlocking()
			r := start(t, func(c *instance.Config) { c.DrainTimeout = patience })
			r.tools.handle = tool.handle
			session := r.connect(version, nil)
			reply := make(chan string, 1)
			go func() {
				result, err := session.CallTool(r.t.Context(), &mcp.CallToolParams{Name: "get-tables", Arguments: map[string]any{}})
				if err != nil {
					reply <- err.Error()
					return
				}
				reply <- text(t, result)
			}()
			receive(t, tool.entered, "the call")
			handover := make(chan string, 1)
			go func() { _, body := r.ask("POST", "/handover", nil); handover <- body }()
			require.EventuallyWithT(t, func(c *assert.CollectT) {
				resp, _ := r.ask("GET", "/tables", nil)
				require.Equal(c, 503, resp.StatusCode)
			}, patience, 1e6)
			close(tool.release)
			assert.Equal(t, "finished", receive(t, reply, "the reply"))
			assert.Contains(t, receive(t, handover, "the handover"), "handed over")
			assert.Equal(t, serveResult{instance.HandedOver, nil}, r.wait())
		})
	}
}

func TestAnUnknownToolIsAProtocolErrorInBothEras(t *testing.T) {
	r := start(t)
	for _, version := range eras {
		_, err := r.connect(version, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "no-such-tool"})
		assert.ErrorContains(t, err, "unknown tool")
	}
}

func TestAnMCPSessionsStandingStreamEndsWithTheInstance(t *testing.T) {
	r := start(t)
	session := r.connect(eras[0], nil)
	require.NotEmpty(t, session.ID())
	r.stop()
	assert.Equal(t, serveResult{instance.Interrupted, nil}, r.wait())
}
