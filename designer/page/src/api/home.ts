import type { Credential } from './proof'
import { webview } from './webview'

// Home is where the page is shown: a browser tab, or a tab of an editor. It is
// the one way to the instance, and to everything that is another in each.
//
//   browser   ── fetch ─────────────────────────▶ instance
//   webview   ── messages ─▶ the extension ── fetch ─▶ instance
export interface Home {
  // request is fetch for a path of the API.
  request: (path: string, init: RequestInit) => Promise<Response>
  // standing is how a page stands that does not sign in by itself: the one
  // around it holds the key. null: this page signs in.
  standing: (() => Promise<Credential | null>) | null
  // shares: pages of one project hear one stream together.
  shares: boolean
  announces: boolean // the one around it says what waits for a person and what was edited unasked
  themed: boolean // the one around it says whether it is light or dark
  // read and keep are a store for what is nice to have back; it may be gone.
  read: (name: string) => string | null
  keep: (name: string, value: string) => void
  // address and showAddress are what stands behind # in a browser.
  address: () => string
  showAddress: (text: string) => void
  worker: (url: string) => Promise<Worker>
}

const browser: Home = {
  request: (path, init) => fetch(`.${path}`, init),
  standing: null,
  shares: true,
  announces: false,
  themed: false,
  read(name) {
    try {
      return localStorage.getItem(name)
    } catch {
      return null // the store is blocked
    }
  },
  keep(name, value) {
    try {
      localStorage.setItem(name, value)
    } catch {
      // it is blocked or full
    }
  },
  address: () => location.hash.slice(1),
  showAddress(text) {
    history.replaceState(null, '', text ? `#${text}` : location.pathname + location.search)
  },
  worker: (url) => Promise.resolve(new Worker(url)),
}

export const home: Home = webview() ?? browser
