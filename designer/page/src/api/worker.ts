// A service worker stands between a page and its instance and answers in its
// place. berth has none: one of this origin was left by a program that had the
// port before, and outlives it.

// endWorkers removes what such a program left to the browser, and reports
// whether this page came through it: then it is not to be trusted with a code
// or a key, and loads again.
export async function endWorkers(): Promise<boolean> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer } // missing in some frames
  if (!serviceWorker) return false
  const controlled = serviceWorker.controller !== null
  try {
    const left = await serviceWorker.getRegistrations()
    await Promise.all(left.map((registration) => registration.unregister()))
    if (controlled || left.length > 0) await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
  } catch {
    // the browser keeps them to itself: what counts is whether one controls us
  }
  return controlled
}

// loadedAgain reports whether this page is a reload, which a worker that was
// removed does not survive.
export function loadedAgain(): boolean {
  return performance.getEntriesByType('navigation').some((entry) => (entry as PerformanceNavigationTiming).type === 'reload')
}
