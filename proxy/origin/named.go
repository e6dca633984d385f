package origin

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"
)

// portWord stands for an instance's port in the name of a host.
const portWord = "{port}"

// hostName is a name or an IPv4 address, or an IPv6 one in brackets.
var hostName = regexp.MustCompile(`^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$`)

// CheckHost checks an address under which a user wants to see pages: a name, or
// a name and a port, without which any port is meant. {port} in it stands for
// the port of the instance, as in name-{port}.example.com. It matches nothing
// but itself: a pattern could match a name of somebody else.
func CheckHost(text string) error {
	name, port, err := splitHost(strings.ReplaceAll(text, portWord, "1"))
	if err != nil || !hostName.MatchString(name) || port != "" && !validPort(port) {
		return fmt.Errorf("must be a host as a browser's address has it, as devbox.example.com, localhost:8080 or name-%s.example.com, not %q", portWord, text)
	}
	return nil
}

// splitHost divides a host into its name, in small letters, and its port, which
// may be missing.
func splitHost(host string) (name, port string, err error) {
	host = strings.ToLower(host)
	if i := strings.LastIndexByte(host, ':'); i < 0 || strings.HasSuffix(host, "]") {
		return host, "", nil
	}
	name, port, err = net.SplitHostPort(host)
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	if port == "" {
		err = errors.Join(err, errors.New("no port after the colon"))
	}
	return name, port, err
}

func validPort(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n > 0 && n <= 65535 && strconv.Itoa(n) == text
}

// HostOf is a named host, for the instance of a port.
func HostOf(named string, port int) string {
	return strings.ReplaceAll(named, portWord, strconv.Itoa(port))
}

// isNamed reports whether the user has named the host of a request.
func isNamed(host string, port int, named []string) bool {
	name, at, err := splitHost(host)
	if err != nil {
		return false
	}
	for _, entry := range named {
		entryName, entryAt, err := splitHost(HostOf(entry, port))
		if err == nil && entryName == name && (entryAt == "" || entryAt == at) {
			return true
		}
	}
	return false
}

// ShownPort is the port that a browser has in the address of a page at a host
// that [Check] has let pass. A page at a port that browsers leave out says 80.
func ShownPort(host string) int {
	_, port, _ := splitHost(host)
	n, err := strconv.Atoi(port)
	if err != nil {
		return 80
	}
	return n
}

// PageURL is the address of the page at a named host: by HTTPS, or from this
// machine, since a browser gives a page no cryptography elsewhere.
func PageURL(host string) string {
	name, _, _ := splitHost(host)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") || name == "127.0.0.1" || name == "[::1]" {
		return "http://" + host
	}
	return "https://" + host
}

// SignInURLAt is [SignInURL] for a page at a named host.
func SignInURLAt(host, code string) string { return signInURL(PageURL(host), code) }

func signInURL(page, code string) string {
	return page + "/?" + OpeningQuery + "=" + rand.Text() + "#code=" + code
}
