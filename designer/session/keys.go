package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// maxPageKeys bounds the page keys of a project. Each sign-in of a browser
// creates a key, so old keys belong to browsers that are long gone.
const maxPageKeys = 64

// AddPageKey keeps the secret of a signed-in page under its id. Beyond
// 64 keys the oldest is dropped. The id must be new.
func (s *Store) AddPageKey(ctx context.Context, id string, secret []byte) error {
	if id == "" || len(secret) == 0 {
		return fmt.Errorf("add page key %q: id and secret are required", id)
	}
	return s.write(ctx, func(w *writer) error {
		if err := w.exec(insertKey, id, secret, time.Now().UnixMilli()); err != nil {
			return fmt.Errorf("add page key %q: %w", id, err)
		}
		return w.exec(trimKeys, maxPageKeys)
	}, nil)
}

// PageKey returns the secret kept under id; ok is false if there is none.
func (s *Store) PageKey(ctx context.Context, id string) (secret []byte, ok bool, err error) {
	err = s.read(ctx, func(r reader) error {
		err := r.row(selectKey, id).Scan(&secret)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		ok = err == nil
		return err
	})
	return secret, ok, err
}

// PageKeys returns when each page key was added, by id.
func (s *Store) PageKeys(ctx context.Context) (created map[string]time.Time, err error) {
	created = map[string]time.Time{}
	err = s.read(ctx, func(r reader) error {
		return r.each(selectKeys, func(rows *sql.Rows) error {
			var id string
			var ms int64
			if err := rows.Scan(&id, &ms); err != nil {
				return err
			}
			created[id] = time.UnixMilli(ms).UTC()
			return nil
		})
	})
	return created, err
}

// RevokePageKey deletes a key; it is not an error if there is none.
func (s *Store) RevokePageKey(ctx context.Context, id string) error {
	return s.write(ctx, func(w *writer) error { return w.exec(deleteKey, id) }, nil)
}
