import { connect } from 'node:net'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { startWorld } from './fixture.ts'

const world = opened(() => startWorld())

/** Status and body of what a raw request is answered with, and whether the connection ends by itself. */
const sent = (text: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(world.url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (piece) => (answer += piece.toString('utf8')))
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), body })
    })
  })
const leaflet = (version: string, headers: string) =>
  `GET /leaflets/none${version}\r\nX-SVC-User-Key: ${world.key}\r\n${headers}\r\n`

test.each([
  ['two Host headers', 'Host: a\r\nHost: b\r\n'],
  ['two equal Host headers, one of them in capitals', 'HOST: a\r\nHost: a\r\n'],
  ['no Host header', ''],
])('a request with %s is rejected with the name of the header, and its connection ends', async (_what, headers) => {
  const { status, body } = await sent(leaflet(' HTTP/1.1', headers))
  expect(status).toBe(400)
  expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/header/host' }] })
})

test.each([
  ['without a version', ''],
  ['of HTTP/0.9', ' HTTP/0.9'],
  ['of HTTP/2.0', ' HTTP/2.0'],
])('a request line %s is rejected', async (_what, version) => {
  const { status, body } = await sent(leaflet(version, 'Host: a\r\nConnection: close\r\n'))
  expect(status).toBe(400)
  expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request' })
})

test('an HTTP/1.0 request without a Host header is answered, because that version does not require one', async () => {
  expect(await sent(leaflet(' HTTP/1.0', ''))).toMatchObject({ status: 200, body: '{"text":"no leaflet"}' })
})

test('a short X-Request-Id is kept', async () => {
  const headers = { 'x-svc-user-key': world.key, 'x-request-id': 'a1' }
  const answer = await fetch(`${world.url}/leaflets/none`, { headers })
  await answer.text()
  expect(answer.headers.get('x-request-id')).toBe('a1')
})

test('an answer from the cache has the headers of the first answer, for every way to read it', async () => {
  const changing = /^(date|x-request-id|ratelimit)$/
  const read = async (topic: string, init: RequestInit) => {
    const answer = await fetch(`${world.url}/headlines/${topic}`, init)
    const headers = [...answer.headers].filter(([name]) => !changing.test(name))
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    return { status: answer.status, headers, body: await answer.text(), ratelimit: answer.headers.get('ratelimit') }
  }
  const ways = {
    plain: {},
    head: { method: 'HEAD' },
    crossOrigin: { headers: { origin: 'https://elsewhere.example' } },
  }
  for (const [way, init] of Object.entries(ways)) {
    const [first, kept] = [await read(way, init), await read(way, init)]
    expect({ ...kept, ratelimit: null }).toEqual({ ...first, ratelimit: null })
    expect(first.headers.length).toBeGreaterThan(10)
    const left = [first, kept].map(({ ratelimit }) => Number(/^"open_minute";r=(\d+)/.exec(ratelimit ?? '')?.[1]))
    expect(left[1]).toBe((left[0] ?? NaN) - 1)
    const etag = Object.fromEntries(kept.headers)['etag'] ?? ''
    const known = await read(way, { ...init, headers: { ...Reflect.get(init, 'headers'), 'if-none-match': etag } })
    expect([known.status, known.body, Object.fromEntries(known.headers)]).toMatchObject([
      304,
      '',
      { etag, vary: 'Origin', 'cache-control': 'public, max-age=60', deprecation: '@1795305600' },
    ])
  }
})

test.each([
  ['no type', {}, 'The body has no Content-Type. Send Content-Type: application/json.'],
  [
    'the type that curl sends by itself',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'The Content-Type says that the body is a form, as curl does by itself. Send Content-Type: application/json.',
  ],
  [
    'another type',
    { 'content-type': 'text/csv' },
    'The Content-Type is not JSON. Send Content-Type: application/json.',
  ],
  [
    'a compressed body',
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    'The body is compressed. Send it as it is, without Content-Encoding.',
  ],
])('a body with %s is refused with what to send', async (_what, headers, detail) => {
  const answer = await fetch(`${world.url}/desk/keep`, {
    method: 'POST',
    headers,
    body: new TextEncoder().encode('{}'),
  })
  expect(answer.status).toBe(415)
  expect(await answer.json()).toMatchObject({ code: 'unsupported_media_type', detail })
})
