// Lines cuts a stream of text into lines and hands on those that are JSON
// objects. What a program writes beside them is no business of its reader.
export class Lines {
  private rest = ''

  constructor(private readonly take: (line: Record<string, unknown>) => void) {}

  feed(text: string): void {
    const parts = (this.rest + text).split('\n')
    this.rest = parts.pop() ?? ''
    for (const part of parts) this.line(part)
  }

  private line(text: string): void {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return
    }
    if (typeof value === 'object' && value !== null) this.take(value as Record<string, unknown>)
  }
}
