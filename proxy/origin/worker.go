package origin

import (
	"io"
	"net/http"
)

// endOfWorker is the script of a service worker that unregisters itself and
// reloads the pages it served. berth has no service worker: one of this origin
// was left by another program that had the port.
const endOfWorker = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
  for (const page of await self.clients.matchAll({type: "window"})) page.navigate(page.url).catch(() => undefined);
})()));
`

// AsksForWorker reports whether a browser asks for the script of a service
// worker.
func AsksForWorker(r *http.Request) bool { return r.Header.Get("Service-Worker") != "" }

// WriteEndOfWorker answers a browser that checks for an update of a service
// worker, at whatever path the worker was registered under.
func WriteEndOfWorker(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Service-Worker-Allowed", "/") // otherwise a worker with a wider scope than its path is not updated
	_, err := io.WriteString(w, endOfWorker)
	return err
}
