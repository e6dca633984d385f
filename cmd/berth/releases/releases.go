// Package releases asks which release of berth is the newest. It does so when
// a person runs berth upgrade and never else, it sends nothing but the request
// itself, and what comes back is a version and a page to look at: no code.
//
// Start with [Newest].
package releases

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/mod/semver"
)

// A Release is the newest one, as the file latest.json among its files says.
type Release struct {
	Version string `json:"version"` // as "v1.2.3"
	Page    string `json:"page"`    // where people read about it and get it
	Date    string `json:"date"`    // "2006-01-02"
}

const (
	limit    = 10 * time.Second
	maxBytes = 64 << 10
	maxHops  = 5
	maxPage  = 500
)

// Newest reads the release at address, which is https, or http on loopback.
func Newest(ctx context.Context, address string) (Release, error) {
	if err := mayAsk(address); err != nil {
		return Release{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return Release{}, err
	}
	request.Header.Set("User-Agent", "berth") // and no version: who asks is nobody's business
	client := http.Client{CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if len(via) >= maxHops {
			return fmt.Errorf("more than %d redirects", maxHops)
		}
		return mayAsk(next.URL.String())
	}}
	answer, err := client.Do(request)
	if err != nil {
		return Release{}, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return Release{}, fmt.Errorf("%s answers %s", address, answer.Status)
	}
	return read(answer.Body, address)
}

// read reads and checks what the server sent.
func read(body io.Reader, address string) (Release, error) {
	text, err := io.ReadAll(io.LimitReader(body, maxBytes+1))
	if err != nil {
		return Release{}, fmt.Errorf("read %s: %w", address, err)
	}
	var r Release
	if len(text) > maxBytes {
		err = fmt.Errorf("more than %d bytes", maxBytes)
	} else {
		err = json.Unmarshal(text, &r)
	}
	if err == nil {
		err = r.check()
	}
	if err != nil {
		return Release{}, fmt.Errorf("what %s sent describes no release: %w", address, err)
	}
	return r, nil
}

func (r Release) check() error {
	if !semver.IsValid(r.Version) || len(r.Version) > 64 {
		return errors.New("its version is none")
	}
	if _, err := time.Parse(time.DateOnly, r.Date); err != nil {
		return errors.New("its date is none")
	}
	if len(r.Page) > maxPage {
		return errors.New("the address of its page is too long")
	}
	return mayAsk(r.Page)
}

// NewerThan reports whether the release is newer than a version. A version that
// is none, such as "devel", is not compared.
func (r Release) NewerThan(version string) (newer, compared bool) {
	if !semver.IsValid(version) {
		return false, false
	}
	return semver.Compare(r.Version, version) > 0, true
}

// mayAsk refuses addresses whose answers somebody on the way could change.
func mayAsk(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	loopback := u.Hostname() == "localhost"
	if ip := net.ParseIP(u.Hostname()); ip != nil {
		loopback = ip.IsLoopback()
	}
	if u.Scheme == "https" && u.Host != "" || u.Scheme == "http" && loopback {
		return nil
	}
	return fmt.Errorf("%s is neither https nor on this machine", address)
}
