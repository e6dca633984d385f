// Package hosts is the user's other machines as a front-end and the commands
// reach them: those that the user's config.yaml names, each by a relay that is
// started when it is needed. It follows the file: a host that is named while an
// agent works can be called at once.
//
// Start with [New].
package hosts

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/portmap/homefile"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/projectlist"
	"github.com/berth-dev/berth/proxy/relay"
)

// Directory is the hosts of a user. It implements [proxy.Hosts].
type Directory struct {
	file   string
	logins relay.Logins
	start  bool // calls may start projects, where a host's entry says so

	files homefile.Cache[[]settings.Host]
	mu    sync.Mutex
	open  map[string]*relay.Host
}

// New returns the hosts of a user's home. It reads nothing before a call names a
// host or asks for all. autostart lets calls start stopped projects of hosts
// whose entries allow it.
func New(home portmap.Home, autostart bool) *Directory {
	return &Directory{file: home.ConfigFile(), start: autostart,
		logins: relay.Logins{Dir: filepath.Join(home.Dir(), "hosts")}, open: map[string]*relay.Host{}}
}

// Close ends all relays.
func (d *Directory) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, h := range d.open {
		h.Close()
		delete(d.open, name)
	}
}

// All returns the hosts, sorted by name.
func (d *Directory) All() ([]*relay.Host, error) {
	named, err := d.named()
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dropLocked(named)
	list := make([]*relay.Host, len(named))
	for i, n := range named {
		list[i] = d.hostLocked(n)
	}
	return list, nil
}

// named returns the hosts that the file names.
func (d *Directory) named() ([]settings.Host, error) {
	list, err := d.files.Read(d.file, settings.LoadHosts)
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Way implements [proxy.Hosts].
func (d *Directory) Way(name string) (proxy.Way, error) {
	named, err := d.named()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(named, func(h settings.Host) bool { return h.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("%w: %s", proxy.ErrNoHost, name)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.hostLocked(named[i]), nil
}

// hostLocked returns the relay of a host; one whose entry has changed is another.
func (d *Directory) hostLocked(n settings.Host) *relay.Host {
	old := d.open[n.Name]
	if old != nil && old.Serves(n.Command, n.Autostart && d.start) {
		return old
	}
	if old != nil {
		old.Close()
	}
	h := relay.NewHost(relay.HostOptions{Name: n.Name, Command: n.Command, Autostart: n.Autostart && d.start, Logins: d.logins})
	d.open[n.Name] = h
	return h
}

// dropLocked ends the relays of hosts that are named no longer.
func (d *Directory) dropLocked(named []settings.Host) {
	for name, h := range maps.All(d.open) {
		if !slices.ContainsFunc(named, func(n settings.Host) bool { return n.Name == name }) {
			h.Close()
			delete(d.open, name)
		}
	}
}

// Names implements [proxy.Hosts].
func (d *Directory) Names() []string {
	named, _ := d.named() // the error is that of Way
	list := make([]string, len(named))
	for i, n := range named {
		list[i] = n.Name
	}
	return list
}

// Known implements [proxy.Hosts].
func (d *Directory) Known(ctx context.Context) (list []projectlist.Project, note string) {
	all, err := d.All()
	if err != nil {
		return nil, "The hosts cannot be read: " + err.Error()
	}
	lists, whys := make([][]projectlist.Project, len(all)), make([]string, len(all))
	var group sync.WaitGroup
	for i, h := range all {
		group.Go(func() { lists[i], whys[i] = h.Known(ctx) })
	}
	group.Wait()
	var missing []string
	for i, why := range whys {
		if why != "" {
			missing = append(missing, all[i].Name()+" ("+clip(why)+")")
		}
	}
	return slices.Concat(lists...), missingNote(missing)
}

// Bounds of the note about hosts.
const (
	maxWhy   = 120
	maxHosts = 8
)

func clip(why string) string {
	if len(why) <= maxWhy {
		return why
	}
	return strings.ToValidUTF8(why[:maxWhy], "") + "…"
}

func missingNote(missing []string) string {
	if len(missing) == 0 {
		return ""
	}
	more := ""
	if n := len(missing) - maxHosts; n > 0 {
		missing, more = missing[:maxHosts], fmt.Sprintf(" and %d more", n)
	}
	return "Not listed are the projects of the hosts " + strings.Join(missing, ", ") + more + ". One that is connecting is listed by a later call; a person sees all with: berth hosts"
}
