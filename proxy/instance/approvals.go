package instance

import (
	"errors"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/approval"
)

// maxDecisionBytes bounds the body of a decision.
const maxDecisionBytes = 4 << 10

// getApprovals lists the plans that wait for a person and those decided last.
func (s *Server) getApprovals(w http.ResponseWriter, _ *request) error {
	writeJSON(w, http.StatusOK, struct {
		Approvals []approval.Entry `json:"approvals"`
	}{s.cfg.Approvals.List()})
	return nil
}

// getApproval returns one plan with the texts of its files.
func (s *Server) getApproval(w http.ResponseWriter, r *request) error {
	e, err := s.cfg.Approvals.Find(r.param)
	if err != nil {
		return fail(wire.CodeNotFound, "%v", err)
	}
	writeJSON(w, http.StatusOK, e)
	return nil
}

// postApproval records a person's decision on one plan.
func (s *Server) postApproval(w http.ResponseWriter, r *request) error {
	var body struct {
		Decision string `json:"decision"`
		Typed    string `json:"typed"`
	}
	if err := readJSON(w, r.Request, maxDecisionBytes, &body); err != nil {
		return err
	}
	if body.Decision != "approve" && body.Decision != "reject" {
		return fail(wire.CodeInvalidRequest, `the body must be {"decision": "approve"} or {"decision": "reject"}`)
	}
	e, err := s.cfg.Approvals.Settle(r.param, body.Decision == "approve", body.Typed)
	var closed *approval.NotOpenError
	var untyped *approval.NotTypedError
	switch {
	case errors.Is(err, approval.ErrUnknown):
		return fail(wire.CodeNotFound, "%v", err)
	case errors.As(err, &closed), errors.As(err, &untyped):
		return fail(wire.CodeInvalidRequest, "%v", err)
	case err != nil:
		return err
	}
	s.cfg.Logger.Info("a person decided", "plan", e.ID, "kind", string(e.Kind), "decision", body.Decision)
	writeJSON(w, http.StatusOK, e)
	return nil
}
