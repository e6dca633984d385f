package instance

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
)

// maxPathBytes bounds the path of a request; the longest paths contain a
// table's name.
const maxPathBytes = 4 << 10

// match returns the route of r. It uses the path as sent, so that an encoded
// slash is part of a name, and does not clean it: a path with dots or empty
// segments matches no route.
func (s *Server) match(r *http.Request) (route, string, *failure) {
	path := r.URL.EscapedPath()
	if !plainPath(path) {
		return route{}, "", fail(wire.CodeNotFound, "no such route")
	}
	var allowed []string
	for _, rt := range s.routes {
		param, ok := matchPath(rt.path, path)
		if ok && rt.method == r.Method {
			return rt, param, nil
		}
		if ok {
			allowed = append(allowed, rt.method)
		}
	}
	if len(allowed) > 0 {
		slices.Sort(allowed)
		return route{}, "", fail(wire.CodeMethodNotAllowed, "this route takes %s", strings.Join(allowed, ", "))
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return route{method: r.Method, path: "page", auth: open, handle: s.getPage}, "", nil
	}
	return route{}, "", fail(wire.CodeNotFound, "no such route")
}

func plainPath(path string) bool {
	if len(path) > maxPathBytes || !strings.HasPrefix(path, "/") {
		return false
	}
	segments := strings.Split(path[1:], "/")
	for i, segment := range segments {
		last := i == len(segments)-1
		if segment == "." || segment == ".." || segment == "" && !last {
			return false
		}
	}
	return true
}

// matchPath matches an escaped path with a route's, segment by segment.
func matchPath(pattern, path string) (param string, ok bool) {
	for {
		want, restWant, moreWant := strings.Cut(pattern[1:], "/")
		got, restGot, moreGot := strings.Cut(path[1:], "/")
		if strings.HasPrefix(want, "{") {
			name, err := url.PathUnescape(got)
			if err != nil || name == "" {
				return "", false
			}
			param = name
		} else if want != got {
			return "", false
		}
		if !moreWant || !moreGot {
			return param, moreWant == moreGot
		}
		pattern, path = "/"+restWant, "/"+restGot
	}
}
