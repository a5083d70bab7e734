/** An event of a stream. */
export interface StreamEvent {
  /** Last id seen, this event's own included; the empty string before the first. */
  readonly id: string
  readonly data: string
}

/** Most characters of one event; a longer one is no event of this service. */
const EVENT_CHARS_MAX = 4_000_000

/** Returns the id and the data of one block of lines; comments and unknown fields are ignored. */
function eventOf(block: string, lastId: string): StreamEvent {
  let id = lastId
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'id' && !value.includes('\0')) id = value
    if (name === 'data') data.push(value)
  }
  return { id, data: data.join('\n') }
}

/** Yields the events of a body of Server-Sent Events, until it ends. Rejects if the connection breaks. */
export async function* eventsOf(body: ReadableStream<Uint8Array>, lastId = ''): AsyncGenerator<StreamEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let id = lastId
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // A CR at the end of a chunk may belong to a CR LF, so it waits for the next chunk.
      const text = rest + decoder.decode(value, { stream: true })
      const whole = text.endsWith('\r') ? text.slice(0, -1) : text
      const blocks = whole.replaceAll(/\r\n?/g, '\n').split('\n\n')
      rest = `${blocks.pop() ?? ''}${text.endsWith('\r') ? '\r' : ''}`
      if (rest.length > EVENT_CHARS_MAX)
        throw new TypeError('an event of the stream is longer than 4,000,000 characters')
      for (const block of blocks) {
        const event = eventOf(block, id)
        id = event.id
        if (event.data !== '') yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
