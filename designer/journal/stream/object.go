package stream

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/berth-dev/berth/designer/journal"
)

// maxObject bounds what an object may become when it is unpacked, in bytes.
const maxObject = 256 << 20

const (
	snapshotPrefix = "snapshot-"
	keptSnapshots  = 2
)

func (j *Journal) objects(ctx context.Context) (jetstream.ObjectStore, error) {
	store, err := j.t.js.ObjectStore(ctx, bucketOf(j.name))
	if err != nil {
		return nil, fmt.Errorf("open the snapshots of team design %q: %w", j.name, err)
	}
	return store, nil
}

// putObject stores data under a name that was never used, packed.
func (j *Journal) putObject(ctx context.Context, name string, data []byte) error {
	store, err := j.objects(ctx)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("pack %s: %w", name, err)
	}
	if _, err := store.PutBytes(ctx, name, packed.Bytes()); err != nil {
		return fmt.Errorf("store %s of team design %q: %w", name, j.name, err)
	}
	return nil
}

func (j *Journal) object(ctx context.Context, name string) ([]byte, error) {
	store, err := j.objects(ctx)
	if err != nil {
		return nil, err
	}
	packed, err := store.GetBytes(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, j.broken(fmt.Sprintf("the object %s is gone", name), "restore the broker's stream OBJ_"+bucketOf(j.name))
	}
	if err != nil {
		return nil, fmt.Errorf("read %s of team design %q: %w", name, j.name, err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack %s of team design %q: %w", name, j.name, err)
	}
	data, err := io.ReadAll(io.LimitReader(r, maxObject+1))
	if err == nil && len(data) > maxObject {
		err = fmt.Errorf("it is larger than %d MB", maxObject>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack %s of team design %q: %w", name, j.name, err)
	}
	return data, nil
}

// SaveSnapshot implements [journal.Journal]. The newest two are kept.
func (j *Journal) SaveSnapshot(ctx context.Context, at journal.Position, data []byte) error {
	name := fmt.Sprintf("%s%020d-%s", snapshotPrefix, at.Seq, at.Hash)
	if err := j.putObject(ctx, name, data); err != nil {
		return err
	}
	names, err := j.snapshots(ctx)
	if err != nil || len(names) <= keptSnapshots {
		return err
	}
	store, err := j.objects(ctx)
	if err != nil {
		return err
	}
	for _, old := range names[keptSnapshots:] {
		if err := store.Delete(ctx, old); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return fmt.Errorf("delete snapshot %s: %w", old, err)
		}
	}
	return nil
}

// snapshots lists their names, the newest first.
func (j *Journal) snapshots(ctx context.Context) ([]string, error) {
	store, err := j.objects(ctx)
	if err != nil {
		return nil, err
	}
	list, err := store.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the snapshots of team design %q: %w", j.name, err)
	}
	var names []string
	for _, o := range list {
		if strings.HasPrefix(o.Name, snapshotPrefix) {
			names = append(names, o.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(b, a) })
	return names, nil
}

// Snapshot implements [journal.Journal]. One that does not fit the journal, as
// of a stream that was made again, is passed over.
func (j *Journal) Snapshot(ctx context.Context) (at journal.Position, data []byte, err error) {
	names, err := j.snapshots(ctx)
	if err != nil {
		return at, nil, err
	}
	for _, name := range names {
		if _, err := fmt.Sscanf(strings.TrimPrefix(name, snapshotPrefix), "%d-%s", &at.Seq, &at.Hash); err != nil {
			continue
		}
		if _, err := j.check(ctx, at); err != nil {
			continue
		}
		if data, err = j.object(ctx, name); err == nil {
			return at, data, nil
		}
	}
	return journal.Position{}, nil, nil
}
