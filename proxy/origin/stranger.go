package origin

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
)

// A Stranger is another user of this machine, whose connection is refused.
type Stranger struct {
	Who   string // "user 65534 (nobody)"; empty if it is not known whose the connection is
	Trust string // what names them in trustedPeers; empty if naming them does not help
}

// RefuseUser returns the answer to a stranger's connection: a page for a
// person's browser, JSON for a program. It names the stranger and nothing of
// the project. r is nil if no request was read.
func RefuseUser(r *http.Request, s Stranger) (http.Header, []byte) {
	h := http.Header{}
	SetSecurityHeaders(h)
	var body bytes.Buffer
	if r != nil && opensPage(r) {
		h.Set("Content-Type", "text/html; charset=utf-8")
		if err := refusedUser.Execute(&body, s); err == nil {
			return h, body.Bytes()
		}
		body.Reset()
	}
	h.Set("Content-Type", "application/json")
	_ = json.NewEncoder(&body).Encode(wire.Failure{Error: string(wire.CodeForbiddenUser), Message: s.message()}) // text always encodes
	return h, body.Bytes()
}

func (s Stranger) message() string {
	text := "berth answers its own user only, and it is not known whose this connection is; "
	if s.Who != "" {
		text = "berth answers its own user only, and this connection comes from a process of " + s.Who + "; "
	}
	text += "for a page of another machine run berth open HOST:/PATH on the machine of the browser"
	if s.Trust != "" {
		text += `; if that process is a forwarder of your own, write trustedPeers: ["` + s.Trust + `"] ` +
			"into your own config.yaml where berth runs, and start berth again"
	}
	return text
}

var refusedUser = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>berth</title>
<h1>This connection is not of berth’s own user</h1>
<p>berth answers the user who runs it only, and
{{- if .Who}} this connection comes from a process of <b>{{.Who}}</b>{{else}} it is not known whose this connection is{{end}}.
Whoever is behind a forwarded port comes as the user whose program forwards it.</p>
<p>For the page of a project on another machine, run this on the machine of the browser, as yourself:</p>
<pre>berth open HOST:/PATH</pre>
{{- if .Trust}}
<p>If that program is a forwarder of your own, name its user in your own <code>config.yaml</code> on the machine where berth runs
(<code>berth config</code> says where that file is), and start berth again:</p>
<pre>trustedPeers: ["{{.Trust}}"]</pre>
<p>Whoever reaches such a forwarder is then kept out by the sign-in alone.</p>
{{- end}}
</html>
`))
