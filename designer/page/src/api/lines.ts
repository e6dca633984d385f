// lines yields the lines of a stream as they arrive, without their ends.
export async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      rest += value
      let end = rest.indexOf('\n')
      let start = 0
      while (end >= 0) {
        yield rest.slice(start, rest[end - 1] === '\r' ? end - 1 : end)
        start = end + 1
        end = rest.indexOf('\n', start)
      }
      rest = rest.slice(start)
    }
    if (rest) yield rest
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
