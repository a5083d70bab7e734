import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { eventually, opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { leaflet, startWorld } from './fixture.ts'

const world = opened(() => startWorld())

interface Reader {
  readonly status: number
  readonly ids: number[]
  /** Heartbeats so far; a stream also reads again at each. */
  beats(): number
  readonly ended: Promise<void>
  stop(): void
}

async function follow(topic: string, headers: Record<string, string> = {}, query = ''): Promise<Reader> {
  const abort = new AbortController()
  const answer = await fetch(`${world.url}/news/${topic}${query}`, {
    headers: { 'x-svc-user-key': world.key, ...headers },
    signal: abort.signal,
  })
  const ids: number[] = []
  let beats = 0
  const read = async () => {
    let text = ''
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const id = /^id: (\d+)\ndata: (.*)$/.exec(part)
        if (part === ': still here') beats += 1
        if (id === null) continue
        expect(JSON.parse(id[2] ?? '')).toEqual({ seq: Number(id[1]), text: `${topic} ${id[1]}` })
        ids.push(Number(id[1]))
      }
    }
  }
  return { status: answer.status, ids, beats: () => beats, ended: read().catch(() => {}), stop: () => abort.abort() }
}
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('a stream', () => {
  test('sends existing and new items, each once and in order', async () => {
    world.publish('steady', 120)
    const reader = await follow('steady')
    await eventually(() => expect(reader.ids).toHaveLength(120))
    for (let round = 0; round < 20; round += 1) world.publish('steady', 3)
    await eventually(() => expect(reader.ids).toEqual(upTo(180)))
    reader.stop()
  })

  test('from now on sends only what is published later', async () => {
    world.publish('fresh', 5)
    const reader = await follow('fresh', {}, '?since=now')
    world.publish('fresh', 2)
    await eventually(() => expect(reader.ids).toEqual([6, 7]))
    reader.stop()
  })

  test('continues after Last-Event-ID, which overrides the query', async () => {
    world.publish('resumed', 10)
    const reader = await follow('resumed', { 'last-event-id': '7' }, '?since=2')
    await eventually(() => expect(reader.ids).toEqual([8, 9, 10]))
    reader.stop()
  })

  test.each(['abc', '-1', '1.5', '7,8', '9'.repeat(16)])(
    'rejects Last-Event-ID %j with the header name and the fix, instead of sending the backlog',
    async (id) => {
      world.publish('garbage', 3)
      const answer = await fetch(`${world.url}/news/garbage`, {
        headers: { 'x-svc-user-key': world.key, 'last-event-id': id },
      })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/header/last-event-id', code: 'invalid_format', detail: expect.stringContaining('id') }],
      })
    },
  )

  test.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['null', 'null'],
    ['{}', '{}'],
    ['an answer of JetStream', '{"type":"io.nats.jetstream.api.v1.stream_info_response","error":{"code":404}}'],
    ['an event without a payload', '{"id":"x-1","seq":1,"payload":null}'],
    ['a mebibyte of garbage', new Uint8Array(1_048_576).fill(0xff)],
  ])('is woken by the next event, and requests are answered, after %s came as an event', async (what, junk) => {
    const topic = `junk-${what.length}`
    world.publish(topic, 1)
    const reader = await follow(topic)
    await eventually(() => expect(reader.ids).toEqual([1]))
    world.announce(junk)
    world.publish(topic, 1)
    await eventually(() => expect(reader.ids).toEqual([1, 2]))
    // A quiet stream also reads again by itself, with a heartbeat.
    expect(reader.beats()).toBe(0)
    const answer = await fetch(`${world.url}/news/${topic}`, {
      headers: { 'x-svc-user-key': world.key, accept: 'application/json' },
      signal: AbortSignal.timeout(600_000),
    })
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
    reader.stop()
  })

  test('is woken only by events of its topic', async () => {
    const [reader, other] = [await follow('quiet'), await follow('loud')]
    world.publish('quiet', 1)
    await eventually(() => expect(reader.ids).toEqual([1]))
    world.publish('quiet', 1, true)
    world.publish('loud', 1)
    await eventually(() => expect(other.ids).toEqual([1]))
    expect(reader.ids).toEqual([1])
    world.publish('quiet', 1)
    await eventually(() => expect(reader.ids).toEqual([1, 2, 3]))
    reader.stop()
    other.stop()
  })

  test('whose reader reads nothing does not delay the others', async () => {
    const { hostname, port } = new URL(world.url)
    const stuck = connect({ host: hostname, port: Number(port) })
    stuck.write(`GET /news/flood HTTP/1.1\r\nHost: x\r\nX-SVC-User-Key: ${world.key}\r\n\r\n`)
    await new Promise((resolve) => stuck.once('data', resolve))
    stuck.pause()
    const reader = await follow('flood')
    for (let round = 0; round < 100; round += 1) world.publish('flood', 100)
    await eventually(() => expect(reader.ids).toHaveLength(10_000))
    expect(reader.ids).toEqual(upTo(10_000))
    stuck.destroy()
    reader.stop()
  })

  test('counts towards a maximum of ten per account', async () => {
    // Readers of the tests before this one may still be leaving.
    await eventually(async () => {
      const readers = await Promise.all(Array.from({ length: 12 }, () => follow('many')))
      for (const reader of readers) reader.stop()
      await Promise.all(readers.map(({ ended }) => ended))
      expect(readers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        ...Array<number>(10).fill(200),
        429,
        429,
      ])
    })
  })

  test('requires a credential', async () => {
    const answer = await fetch(`${world.url}/news/steady`)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    await answer.text()
  })
})

describe('a stored file', () => {
  const get = (name: string, headers: Record<string, string> = {}) =>
    fetch(`${world.url}/leaflets/${name}`, { headers: { 'x-svc-user-key': world.key, ...headers } })

  test('is sent complete, with its digest, in place of the answer that names it', async () => {
    const answer = await get('whole')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.status).toBe(200)
    expect(bytes.equals(leaflet)).toBe(true)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-length')).toBe('300000')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="leaflet.pdf"')
    expect(answer.headers.get('repr-digest')).toBe(`sha-256=:${createHash('sha256').update(leaflet).digest('base64')}:`)
    const again = await get('whole', { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  test('that an answer names but that is missing causes an outage, not a partial file', async () => {
    const answer = await get('lost')
    expect(answer.status).toBe(503)
    await answer.text()
  })

  test('is optional: an answer without one is sent as JSON', async () => {
    const answer = await get('none')
    expect(await answer.json()).toEqual({ text: 'no leaflet' })
  })
})

test('a stream ends after its caller loses the right to read', async () => {
  const reader = await follow('revoked')
  world.revoke()
  let isOver = false
  void reader.ended.then(() => (isOver = true))
  await eventually(() => isOver)
})
