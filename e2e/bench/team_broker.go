package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// natsServer is the broker that is measured, as in e2e/broker.
const (
	natsServer        = "github.com/nats-io/nats-server/v2"
	natsServerVersion = "v2.15.3"
)

// broker is a running nats-server, or a cluster, that writes before it
// acknowledges.
type broker struct {
	url     string
	monitor string // the HTTP address of its first server
	servers int
	pid     int // of its first server
	js      jetstream.JetStream
	stop    func()
}

// startBroker starts a broker on a free port with an empty folder.
func startBroker(ctx context.Context, p program, dir string) (*broker, error) {
	return startBrokers(ctx, p, dir, 1)
}

// startBrokers starts n servers that are one broker: one, or a cluster of three.
func startBrokers(ctx context.Context, p program, dir string, n int) (*broker, error) {
	if p.missing != "" {
		return nil, fmt.Errorf("a shared design needs a broker: %s", p.missing)
	}
	servers, err := addresses(n)
	if err != nil {
		return nil, err
	}
	var urls, routes []string
	for _, s := range servers {
		urls, routes = append(urls, "nats://"+s.clients), append(routes, "nats://"+s.route)
	}
	b := &broker{url: strings.Join(urls, ","), monitor: "http://" + servers[0].monitor, servers: n}
	var running []*exec.Cmd
	kill := func() {
		for _, cmd := range running {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}
	for _, s := range servers {
		more := ""
		if n > 1 {
			more = fmt.Sprintf("server_name: %q\ncluster { name: bench, listen: %s, routes: [%s] }\n", s.route, s.route, strings.Join(routes, ", "))
		}
		cmd, err := s.start(ctx, p, dir, more)
		if err != nil {
			kill()
			return nil, err
		}
		running = append(running, cmd)
	}
	nc, err := nats.Connect(b.url, nats.RetryOnFailedConnect(true), nats.ReconnectWait(20*time.Millisecond), nats.MaxReconnects(-1))
	if err != nil {
		kill()
		return nil, err
	}
	b.pid, b.stop = running[0].Process.Pid, func() { nc.Close(); kill() }
	if b.js, err = jetstream.New(nc); err == nil {
		err = b.ready(ctx)
	}
	if err != nil {
		b.stop()
		return nil, err
	}
	return b, nil
}

// natsAt is where one nats-server listens.
type natsAt struct{ clients, monitor, route string }

// start starts the server with an empty folder.
func (s natsAt) start(ctx context.Context, p program, dir, more string) (*exec.Cmd, error) {
	dir = filepath.Join(dir, "brokers", fmt.Sprint(projects.Add(1)))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	conf := filepath.Join(dir, "nats.conf")
	text := fmt.Sprintf("listen: %s\nhttp: %s\n%sjetstream { store_dir: %q, sync_interval: always }\n", s.clients, s.monitor, more, filepath.Join(dir, "store"))
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, p.path, "-c", conf)
	cmd.WaitDelay = time.Second
	return cmd, cmd.Start()
}

// addresses are free ones for n servers.
func addresses(n int) (list []natsAt, err error) {
	for range n {
		var s natsAt
		for _, at := range []*string{&s.clients, &s.monitor, &s.route} {
			if *at, err = freeAddress(); err != nil {
				return nil, err
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// freeAddress is one of 127.0.0.1 where nothing listened a moment ago.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// ready waits until JetStream answers. A cluster does not answer what it is
// asked before it has a leader.
func (b *broker) ready(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		try, stop := context.WithTimeout(ctx, time.Second)
		_, err = b.js.AccountInfo(try)
		stop()
		if err == nil {
			return nil
		}
	}
	return fmt.Errorf("the broker does not answer: %w", err)
}

// journal reports how many entries a design has, and the bytes of them in the
// broker's file.
func (b *broker) journal(ctx context.Context, design string) (entries, bytes float64, err error) {
	s, err := b.js.Stream(ctx, "BERTH_J_"+design)
	if err != nil {
		return 0, 0, err
	}
	state := s.CachedInfo().State
	return float64(state.Msgs), float64(state.Bytes), nil
}
