// Package page serves the designer page: the built files of dist, embedded,
// under a policy that lets nothing else in. It knows nothing of designs; the
// page's own code talks to the routes of proxy/instance (docs/http.md).
//
// Start with [New]. Invariants: the page loads nothing from anywhere but the
// instance that served it; only the editors that are named may frame it; what
// is named by its content's hash is cached for good, and nothing else is.
package page

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed all:dist
var built embed.FS

// Editors are what may frame the page without being told: the webviews and
// the window of VS Code and of what is built on it, which no web page can be.
// All ancestors of a frame have to be named, so both are.
var Editors = []string{"vscode-webview:", "vscode-file:"}

// Options are what the page may be told. The zero value is fine.
type Options struct {
	// FrameAncestors are origins that may frame the page beside [Editors], as
	// "https://*.vscode-cdn.net". Each must pass [CheckAncestor].
	FrameAncestors []string
	// Files are the built page; nil: those of this program.
	Files fs.FS
}

// handler serves the files. It is safe for concurrent use.
type handler struct {
	index     []byte // up to where the nonce goes, and from there
	rest      []byte
	ancestors string
	files     map[string]*file // by path, "/assets/index-1a2b.js"
}

// file is one embedded file, compressed when it is first asked for so.
type file struct {
	kind   string // media type
	hashed bool   // its name changes with its content
	body   []byte
	gzip   func() []byte // nil where that saves nothing
}

// New reads the built page. The error says what it lacks, or which ancestor
// cannot stand in a policy.
func New(opts Options) (http.Handler, error) {
	if opts.Files == nil {
		files, err := fs.Sub(built, "dist")
		if err != nil {
			return nil, fmt.Errorf("open the built page: %w", err)
		}
		opts.Files = files
	}
	for _, a := range opts.FrameAncestors {
		if err := CheckAncestor(a); err != nil {
			return nil, err
		}
	}
	h := &handler{ancestors: strings.Join(slices.Concat(Editors, opts.FrameAncestors), " "), files: map[string]*file{}}
	if err := h.load(opts.Files); err != nil {
		return nil, fmt.Errorf("read the built page: %w", err)
	}
	return h, nil
}

func (h *handler) load(files fs.FS) error {
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(files, name)
		if err == nil {
			h.files["/"+name] = newFile(name, body)
		}
		return err
	})
	if err != nil {
		return err
	}
	index := h.files["/index.html"]
	if index == nil {
		return errors.New("it has no index.html")
	}
	delete(h.files, "/index.html")
	at := bytes.Index(index.body, []byte("</head>"))
	if at < 0 {
		return errors.New("its index.html has no </head>")
	}
	h.index, h.rest = index.body[:at], index.body[at:]
	return nil
}

// minGzip is the size below which compressing is not worth a header.
const minGzip = 1 << 10

func newFile(name string, body []byte) *file {
	f := &file{kind: mediaType(name), hashed: strings.HasPrefix(name, "assets/"), body: body}
	if len(body) >= minGzip && !strings.HasPrefix(f.kind, "image/png") && !strings.HasPrefix(f.kind, "font/") {
		f.gzip = sync.OnceValue(func() []byte { return compress(body) })
	}
	return f
}

// mediaType does not ask the system, whose registry may call a script text.
func mediaType(name string) string {
	switch path.Ext(name) {
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".json", ".map", ".webmanifest":
		return "application/json"
	case ".woff2":
		return "font/woff2"
	case ".wasm":
		return "application/wasm"
	}
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		return kind
	}
	return "application/octet-stream"
}

func compress(body []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is a constant of the package
	}
	// A bytes.Buffer takes everything.
	_, _ = w.Write(body)
	_ = w.Close()
	return out.Bytes()
}

// ServeHTTP answers a GET or HEAD. What the page shows is told by the part of
// its address behind #, so there is one document and no other path leads to it.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.EscapedPath()
	if name == "/" {
		h.serveIndex(w, r)
		return
	}
	f := h.files[name]
	if f == nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"message":"no such route","error":"not_found"}` + "\n"))
		return
	}
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("Vary", "Accept-Encoding")
	if f.hashed {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	body := f.body
	if f.gzip != nil && acceptsGzip(r) {
		header.Set("Content-Encoding", "gzip")
		body = f.gzip()
	}
	header.Set("Content-Length", fmt.Sprint(len(body)))
	write(w, r, body)
}

// serveIndex writes the document with a nonce of this answer's own for the
// styles that a code view makes.
func (h *handler) serveIndex(w http.ResponseWriter, r *http.Request) {
	nonce := rand.Text()
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", h.policy(nonce))
	header.Del("X-Frame-Options") // it knows no list of origins, and the policy has one
	write(w, r, slices.Concat(h.index, []byte(`<meta name="berth-style-nonce" content="`+nonce+`">`+"\n"), h.rest))
}

func write(w http.ResponseWriter, r *http.Request, body []byte) {
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a reader that has gone is nobody's failure
	}
}

// policy is what a document may load and who may frame it. Everything comes
// from its own instance; pictures may also be made by the page.
func (h *handler) policy(nonce string) string {
	return "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-" + nonce + "'; img-src 'self' data: blob:; " +
		"font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'none'; object-src 'none'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors " + h.ancestors
}

// acceptsGzip reads Accept-Encoding as browsers write it: gzip is refused by
// q=0 only.
func acceptsGzip(r *http.Request) bool {
	for _, header := range r.Header.Values("Accept-Encoding") {
		for part := range strings.SplitSeq(header, ",") {
			coding, params, _ := strings.Cut(strings.TrimSpace(part), ";")
			q := strings.ReplaceAll(params, " ", "")
			if strings.EqualFold(strings.TrimSpace(coding), "gzip") && q != "q=0" && q != "q=0.0" {
				return true
			}
		}
	}
	return false
}
