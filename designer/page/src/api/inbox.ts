// Inbox is a queue with one reader: put and end never wait, the reader does.
export class Inbox<T> implements AsyncIterable<T> {
  private readonly items: T[] = []
  private over = false
  private cause: Error | null = null
  private wake: () => void = () => undefined

  put(item: T): void {
    if (this.over) return
    this.items.push(item)
    this.wake()
  }

  // end lets the reader finish what is there; a cause is then thrown at it.
  end(cause: Error | null = null): void {
    if (this.over) return
    this.over = true
    this.cause = cause
    this.wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const item = this.items.shift()
      if (item !== undefined) yield item
      else if (!this.over) await new Promise<void>((done) => (this.wake = done))
      else if (this.cause) throw this.cause
      else return
    }
  }
}
