package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// person edits at the designer page: signs in with a code from `berth open`
// and uses the same route as the page does.
type person struct {
	base string // the instance's URL, without a trailing slash
	key  string // the page key's credential
}

// signIn trades the code of a sign-in URL for a page key, as the page does
// when it opens.
func (o Options) signIn(ctx context.Context, root string) (*person, error) {
	address, err := o.SignInURL(ctx, o.Env, root)
	if err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	link, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	p := &person{base: link.Scheme + "://" + link.Host}
	var answer struct {
		KeyID string `json:"keyId"`
		Key   string `json:"key"`
	}
	body := map[string]string{"code": strings.TrimPrefix(link.Fragment, "code=")}
	raw, err := p.post(ctx, "/signin", body)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	p.key = answer.KeyID + "." + answer.Key
	return p, nil
}

// edit applies edits the way the page does and returns the new version.
func (p *person) edit(ctx context.Context, root, version string, edits ...map[string]any) (string, error) {
	raw, err := p.post(ctx, "/tools/"+designerTool, map[string]any{"arguments": map[string]any{
		"projectRoot": root, "operation": "apply_edits",
		"payload": map[string]any{"expectedVersion": version, "edits": edits}}})
	if err != nil {
		return "", err
	}
	var line struct {
		Result struct{ Content []string }
	}
	if err := json.Unmarshal(raw, &line); err != nil || len(line.Result.Content) == 0 {
		return "", fmt.Errorf("the person's edit was not answered: %.200s", raw)
	}
	var receipt struct {
		Success bool
		Message string
		Version string
	}
	if err := json.Unmarshal([]byte(line.Result.Content[0]), &receipt); err != nil {
		return "", fmt.Errorf("the person's edit: %w", err)
	}
	if !receipt.Success {
		return "", fmt.Errorf("the person's edit was refused: %s", receipt.Message)
	}
	return receipt.Version, nil
}

func (p *person) post(ctx context.Context, path string, body any) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+path, bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if p.key != "" {
		req.Header.Set("Authorization", "Bearer "+p.key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("post %s: %w", path, err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("post %s: %w", path, err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("post %s: %s: %.200s", path, res.Status, answer)
	}
	return answer, nil
}
