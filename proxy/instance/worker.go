package instance

import (
	"io"
	"net/http"
)

// endOfWorker is the script of a service worker that ends itself and has the
// pages it served loaded again. berth has no service worker: one of this
// origin was left by another program that had the port.
const endOfWorker = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
  for (const page of await self.clients.matchAll({type: "window"})) page.navigate(page.url).catch(() => undefined);
})()));
`

// writeEndOfWorker answers a browser that looks whether a service worker has
// changed. It asks at whatever path the worker was registered under.
func writeEndOfWorker(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Service-Worker-Allowed", "/") // or a worker of a wider scope than its path stays as it is
	_, err := io.WriteString(w, endOfWorker)
	return err
}
