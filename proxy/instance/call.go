package instance

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
)

// call runs one tool for who, for a call from any route. The caller has passed
// the gate with ctx. It always returns a line that ends the reply. The caller
// must call done when it has sent the line: that logs the call, for which nobody
// should have to wait.
func (s *Server) call(ctx context.Context, who caller, name string, req wire.Request, progress func(wire.Progress)) (line wire.Line, done func()) {
	ctx, cancel := context.WithTimeout(ctx, s.deadline(req.DeadlineMs))
	defer cancel()
	if refusal := s.checkRoot(req.Arguments); refusal != nil {
		return wire.Line{Result: refusal}, func() { s.logRefused(ctx, name, req, refusal, "wrong_project") }
	}
	call := tools.Call{
		Tool:      name,
		Arguments: req.Arguments,
		Origin:    who.origin,
		Client:    clientOf(who, req.Client),
		Answers:   req.InputResponses,
		State:     req.RequestState,
		Progress:  func(float64, float64, string) {},
	}
	if progress != nil {
		p := newPulse(name, progress)
		defer p.stop()
		call.Progress = p.report
	}
	if refusal := s.checkReplaced(false); refusal != nil {
		return wire.Line{Result: refusal}, func() { s.logRefused(ctx, name, req, refusal, "folder_replaced") }
	}
	here := s.began(call)
	start := time.Now()
	reply := s.cfg.Tools.Call(ctx, call)
	took := time.Since(start)
	done = func() {
		here()
		s.logCall(ctx, call, reply, took)
	}
	if refusal := s.checkReplaced(true); refusal != nil {
		return wire.Line{Result: refusal}, done
	}
	return lineOf(reply), done
}

// checkReplaced refuses a call whose project's folder is not the one that was
// opened.
func (s *Server) checkReplaced(during bool) *wire.Result {
	var moved *folderError
	if errors.As(s.checkFolder(during), &moved) {
		return refusal(moved.text)
	}
	return nil
}

// clientOf returns what the sender of a call says about itself. A claim that it
// can ask a person, or show one something, is accepted only with the person key.
func clientOf(who caller, c wire.Client) tools.Client {
	return tools.Client{ID: c.ID, Name: c.Name, Version: c.Version, Project: c.Project, Machine: c.Machine,
		Elicitation: c.Elicitation && who.person, Views: c.Views && who.person}
}

// deadline returns how long a call may take: as long as its caller waits, up to
// CallTimeout.
func (s *Server) deadline(ms int64) time.Duration {
	if ms <= 0 || ms > math.MaxInt64/int64(time.Millisecond) {
		return s.cfg.CallTimeout
	}
	return min(time.Duration(ms)*time.Millisecond, s.cfg.CallTimeout)
}

// checkRoot refuses a call that names another project, with the documents'
// text: a misdirected call must not be answered from the wrong database. A
// missing projectRoot is left to the tool to refuse.
func (s *Server) checkRoot(arguments json.RawMessage) *wire.Result {
	var named struct {
		ProjectRoot string `json:"projectRoot"`
	}
	if err := wire.Decode(arguments, wire.MaxDepth, wire.MaxRequestBytes, &named); err != nil || named.ProjectRoot == "" || named.ProjectRoot == s.cfg.Root {
		return nil
	}
	if !filepath.IsAbs(named.ProjectRoot) {
		return refusal(wire.TextNotAbsolute)
	}
	asked, err := os.Stat(named.ProjectRoot)
	if err != nil {
		return refusal(wire.TextNotExist)
	}
	if own, err := os.Stat(s.cfg.Root); err != nil || !os.SameFile(own, asked) {
		return refusal(wire.TextNotRunning + named.ProjectRoot)
	}
	return nil
}

func refusal(text string) *wire.Result {
	return &wire.Result{Content: []string{text}, IsError: true}
}

func lineOf(reply tools.Reply) wire.Line {
	if reply.Ask != nil {
		return wire.Line{Input: &wire.Input{Requests: reply.Ask.Requests, State: reply.Ask.State}}
	}
	return wire.Line{Result: &wire.Result{Content: reply.Content, Structured: reply.Structured, IsError: reply.IsError, View: reply.View}}
}
