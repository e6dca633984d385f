package cli

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/berth-dev/berth/cmd/berth/clients"
	"github.com/berth-dev/berth/designer/clip"
)

// frontEndTime bounds the start of a front-end and its list of tools.
const frontEndTime = 10 * time.Second

// clientCheck looks at the entries of one project and one user.
type clientCheck struct {
	*examination
	berth clients.Berth
	tools map[string]string // by arguments: what a front-end listed
	found bool              // a client starts a berth
}

// examineClients reports which clients start berth, and what that gives them. A
// file of a project can say anything: it is compared first, and only this very
// program is started, with the arguments of a front-end alone.
func (a *app) examineClients(ctx context.Context, e *examination, root string) {
	b, err := a.thisBerth()
	if err != nil {
		e.problem(cmp.Or(hintOf(err), "start berth by its full path"), "%v", err)
		return
	}
	m, err := clients.ThisMachine(a.sys.getenv)
	if err != nil {
		e.note("the clients' files are not looked at: %v", err)
		return
	}
	check := clientCheck{examination: e, berth: b, tools: map[string]string{}}
	for _, c := range clients.All() {
		for _, scope := range []clients.Scope{clients.Project, clients.User} {
			for _, t := range c.Targets(m, scope, root) {
				check.examine(ctx, t)
			}
		}
	}
	if !check.found {
		e.note("no client's file names berth; register it with: berth init")
	}
}

// examine reports one file.
func (c *clientCheck) examine(ctx context.Context, t *clients.Target) {
	finding, err := t.Look()
	switch {
	case err != nil && t.Scope == clients.User:
		c.note("%s: %v", t.Client.Name, err)
		return
	case err != nil:
		c.problem(cmp.Or(hintOf(err), "mend the file, then run: berth init"), "%s: %v", t.Client.Name, err)
		return
	case !finding.Found:
		return
	}
	c.found = true
	remedy := "berth init --client " + t.Client.ID
	if t.Scope == clients.User {
		remedy += " --user"
	}
	switch c.berth.Judge(finding.Entry) {
	case clients.Ours:
		c.start(ctx, t, finding.Entry)
	case clients.Stale:
		c.problem("mend it with: "+remedy, "%s (%s) cannot start berth by %s", t.Client.Name, t.Shown, shortQuote(finding.Entry))
	case clients.Other:
		c.note("%s (%s) starts another berth, which is not started here: %s", t.Client.Name, t.Shown, shortQuote(finding.Entry))
	default:
		c.note("%s (%s) has another server of the name berth, which is not started here: %s", t.Client.Name, t.Shown,
			shortQuote(finding.Entry))
	}
}

// maxCommandBytes bounds a command line in a message.
const maxCommandBytes = 200

func shortQuote(e clients.Entry) string { return strconv.Quote(clip.Text(e.String(), maxCommandBytes)) }

// start starts the front-end as the entry says, once for all entries alike.
func (c *clientCheck) start(ctx context.Context, t *clients.Target, e clients.Entry) {
	if !e.Plain() {
		c.note("%s (%s) starts this berth with settings of its own, and is not started here: %s", t.Client.Name, t.Shown, shortQuote(e))
		return
	}
	key := strings.Join(e.Args, " ")
	tools, known := c.tools[key]
	if !known {
		var err error
		if tools, err = listTools(ctx, c.berth.Program(), e.Args); err != nil {
			c.problem("try it by hand: "+c.berth.Program()+" "+key, "%s (%s) gets no tools: %v", t.Client.Name, t.Shown, err)
			return
		}
		c.tools[key] = tools
	}
	c.ok("%s (%s) starts %s: %s", t.Client.Name, t.Shown, e, tools)
}

// listTools starts a front-end and names its tools.
func listTools(ctx context.Context, program string, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, frontEndTime)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "berth-doctor", Version: build.Read().Version}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.CommandContext(ctx, program, args...)}, nil)
	if err != nil {
		return "", err
	}
	defer session.Close()
	var names []string
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return "", err
		}
		names = append(names, tool.Name)
	}
	return fmt.Sprintf("%d tools: %s", len(names), strings.Join(names, ", ")), nil
}
