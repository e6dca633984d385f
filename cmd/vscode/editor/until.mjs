import { setTimeout as pause } from 'node:timers/promises'

const patience = 90_000

// until waits for something that becomes true.
export async function until(what, check) {
  const limit = Date.now() + patience
  for (;;) {
    const found = await check()
    if (found) return found
    if (Date.now() > limit) throw new Error(`this never was so: ${what}`)
    await pause(100)
  }
}
