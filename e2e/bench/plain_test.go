package main_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/berth-dev/berth/designer/page"
)

// plainPage builds designer/page/bench, a page of React Flow alone, and
// serves it as berth serves its own, with design at /design.json.
func plainPage(b testing.TB, design []byte) (url string) {
	b.Helper()
	source := filepath.Join("..", "..", "designer", "page")
	vite := filepath.Join("node_modules", "vite", "bin", "vite.js")
	if _, err := os.Stat(filepath.Join(source, vite)); err != nil {
		b.Fatal("the plain page is built with the page's packages, and they are not installed: npm ci --prefix designer/page")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		b.Fatal("the plain page is built with Node, and there is none: install Node 20.19 or newer, then npm ci --prefix designer/page")
	}
	dir := b.TempDir()
	build := exec.Command(node, vite, "build", "--config", "bench/vite.config.ts", "--outDir", dir, "--emptyOutDir")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build the plain page: %v\n%s", err, out)
	}
	files, err := page.New(page.Options{Files: os.DirFS(dir)})
	check(b, err)
	mux := http.NewServeMux()
	mux.Handle("/", files)
	mux.HandleFunc("/design.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(design)
	})
	server := httptest.NewServer(mux)
	b.Cleanup(server.Close)
	return server.URL
}
