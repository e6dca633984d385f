package relay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// protocol is the version of what the two sides say to each other.
const protocol = 1

// magic begins the line behind which HTTP/2 follows.
const magic = "berth-relay "

// maxSkipped bounds what may come before that line: banners, the output of a
// shell's start-up files.
const maxSkipped = 64 << 10

// writeHello writes the line. The blank before it ends a line that a login left
// open.
func writeHello(w io.Writer, version string) error {
	_, err := fmt.Fprintf(w, "%s%d %s\n", magic, protocol, strings.Join(strings.Fields(version), "_"))
	return err
}

// hello is what a far side said of itself, or what came in its place.
type hello struct {
	version string
	skipped string // the end of what came before
}

// Errors of a greeting; what came in its place is in the hello.
var (
	errNoHello  = errors.New("it ended before berth answered")
	errMuch     = fmt.Errorf("it printed more than %d bytes and no greeting of berth's", maxSkipped)
	errTerminal = errors.New("it runs berth on a terminal, which changes what is sent: leave out -t and -tt of ssh, docker and kubectl")
)

// readHello reads up to the greeting. What follows it stays in r.
func readHello(r *bufio.Reader) (hello, error) {
	var h hello
	for total := 0; ; {
		line, err := r.ReadSlice('\n')
		total += len(line)
		if number, version, ok := parseHello(line); ok {
			h.version = version
			switch {
			case number != protocol:
				return h, fmt.Errorf("berth %s there speaks version %d of the relay's protocol, and this berth version %d: update the older of the two", version, number, protocol)
			case bytes.HasSuffix(line, []byte("\r\n")):
				return h, errTerminal
			}
			return h, nil
		}
		h.skipped = tail(h.skipped+string(line), maxQuoted)
		switch {
		case total > maxSkipped:
			return h, errMuch
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return h, fmt.Errorf("%w (%w)", errNoHello, err)
		}
	}
}

// parseHello parses a line that ends in a greeting: what a login printed
// without a line break may be before it.
func parseHello(line []byte) (number int, version string, ok bool) {
	at := bytes.LastIndex(line, []byte(magic))
	if at < 0 || !bytes.HasSuffix(line, []byte("\n")) {
		return 0, "", false
	}
	words := strings.Split(strings.TrimRight(string(line[at+len(magic):]), "\r\n"), " ")
	if len(words) != 2 || words[1] == "" || len(words[1]) > 100 {
		return 0, "", false
	}
	number, err := strconv.Atoi(words[0])
	return number, words[1], err == nil && number > 0 && strconv.Itoa(number) == words[0] // as berth writes it
}
