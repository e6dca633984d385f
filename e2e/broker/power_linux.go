package broker

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/needs"
)

// Disk is a disk in a file, at which a power cut can be played. It needs root.
type Disk struct {
	Dir string // where its file system is

	t     testing.TB
	image string
}

// diskSize is what a few thousand entries need, and is copied in an instant.
const diskSize = 64 << 20

// NewDisk returns an empty disk. Its file system writes what nobody has asked it
// to write, data and names, after ten minutes.
func NewDisk(t testing.TB) *Disk {
	t.Helper()
	needs.Root(t)
	for _, name := range []string{"mkfs.ext4", "mount"} {
		needs.Program(t, name)
	}
	dir := t.TempDir()
	d := &Disk{Dir: filepath.Join(dir, "disk"), t: t, image: filepath.Join(dir, "image")}
	require.NoError(t, os.Mkdir(d.Dir, 0o755))
	f, err := os.Create(d.image)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(diskSize))
	require.NoError(t, f.Close())
	d.run("mkfs.ext4", "-q", "-F", d.image)
	d.mount()
	t.Cleanup(func() { d.run("umount", d.Dir) })
	return d
}

// PowerCut ends a server that has its store on the disk as the end of power
// does: what had not reached the disk is gone. The file system is there again
// as the next start of a machine finds it, and the server has to be started.
func (b *Broker) PowerCut(d *Disk) {
	b.t.Helper()
	b.Stop() // or it could acknowledge what the copy lacks
	copied := d.image + ".copy"
	d.run("cp", "--sparse=always", d.image, copied)
	b.Kill()
	d.run("umount", d.Dir)
	require.NoError(b.t, os.Rename(copied, d.image))
	d.mount()
}

func (d *Disk) mount() {
	d.t.Helper()
	d.run("mount", "-o", "loop,commit=600", d.image, d.Dir)
}

func (d *Disk) run(name string, args ...string) {
	d.t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(d.t, err, "%s %v: %s", name, args, out)
}
