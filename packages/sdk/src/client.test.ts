import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createClient, type Client, type ClientOptions } from './client.ts'
import type { Session } from './operations.ts'
import { NoAnswerError, RefusalError, type ProblemBody } from './refusal.ts'
import { pauseBefore } from './retry.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

interface Seen {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Starts a server that gives one answer after the other, the last one for ever, and a client of it. */
async function serving(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    seen.push({ url: request.url ?? '', headers: request.headers, body })
    answers[Math.min(seen.length, answers.length) - 1]?.(request, response, body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { seen, client: createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'svc_key', ...options }) }
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const refused = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}): Answer =>
  json(
    status,
    {
      type: `/problems/${code}`,
      title: 'T',
      status,
      detail: 'D',
      instance: '/',
      ok: false,
      code,
      request_id: 'r',
      ...more,
    },
    headers,
  )
const lost: Answer = (request) => request.socket.destroy()
const done = json(200, { ok: true })

describe('a call is repeated', () => {
  test('after a lost answer and while its first try still runs, with one Idempotency-Key', async () => {
    const { seen, client } = await serving([lost, refused(409, 'idempotency_in_flight'), json(201, { ok: true })])
    await client.api.subscribe({ tier: 1, months: 1 })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(seen.map(({ body }) => JSON.parse(body))).toEqual(Array(3).fill({ tier: 1, months: 1 }))
  })

  test('after the time of Retry-After', async () => {
    const { seen, client } = await serving([refused(429, 'rate_limited', {}, { 'retry-after': '1' }), done])
    await client.api.readBalance()
    expect(seen).toHaveLength(2)
    const refusal = new RefusalError('readBalance', { status: 429, code: 'rate_limited' } as ProblemBody, 1_000)
    expect(pauseBefore(1, refusal, false, { triesMax: 4, pauseMaxMs: 10_000 })).toBe(1_000)
  })
})

describe('a call is not repeated', () => {
  test('after a lost answer if the service could not tell the repetition from a second call', async () => {
    const { seen, client } = await serving([lost])
    await expect(client.api.unsubscribeFeed({ feed_key: 'crisis_alerts' })).rejects.toBeInstanceOf(NoAnswerError)
    expect(seen).toHaveLength(1)
  })

  test('if Retry-After asks for more patience than the caller has', async () => {
    const { seen, client } = await serving([refused(429, 'rate_limited', {}, { 'retry-after': '3600' })])
    await expect(client.api.readBalance()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000 })
    expect(seen).toHaveLength(1)
  })

  test('more often than the caller allows', async () => {
    const { seen, client } = await serving([refused(503, 'temporarily_unavailable')], { triesMax: 2, pauseMaxMs: 300 })
    await expect(client.api.readBalance()).rejects.toMatchObject({ status: 503 })
    expect(seen).toHaveLength(2)
  })

  test('after its signal has ended it', async () => {
    const ending = new AbortController()
    const { seen, client } = await serving([
      (...asked) => {
        refused(503, 'temporarily_unavailable')(...asked)
        ending.abort(new DOMException('too late', 'TimeoutError'))
      },
    ])
    const asked = client.api.readBalance({}, { signal: ending.signal })
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(seen).toHaveLength(1)
  })
})

test('a refusal carries its code, its fields and the verdict of each clause', async () => {
  const verdicts = [{ clause: 2, verdict: 'refuse' }]
  const errors = [{ pointer: '/tier', code: 'too_big', detail: 'at most 2' }]
  const { client } = await serving([refused(409, 'hub_mandate_refuses', { refusal: { verdicts }, errors })])
  const error = await client.api.readBalance().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RefusalError)
  expect(error).toMatchObject({ code: 'hub_mandate_refuses', status: 409, requestId: 'r', verdicts, errors })
  expect(String(error)).toMatch(/ \/tier: at most 2$/)
})

test('an answer of something between client and service is not taken for one of the service', async () => {
  const { client } = await serving([(_, response) => response.writeHead(403).end('<html>blocked</html>')])
  await expect(client.api.readBalance()).rejects.toMatchObject({ code: 'not_the_service', status: 403 })
})

test('an input without a name of the path is refused before anything is sent', async () => {
  const { seen, client } = await serving([done])
  await expect(client.api.readMandate({ public_id: '' })).rejects.toThrow('give public_id')
  expect(seen).toEqual([])
})

describe('a call from a page whose browser gives no answer', () => {
  const blocked = () => Promise.reject(new TypeError('Failed to fetch'))
  const from = (origin: string) => vi.stubGlobal('location', { origin })
  const failing = async (options: Partial<ClientOptions>, call: (client: Client) => Promise<unknown>) => {
    const client = createClient({ baseUrl: 'https://api.example', fetch: blocked, triesMax: 1, ...options })
    return (await call(client).catch((error: unknown) => error)) as NoAnswerError
  }
  const nonce = ({ api }: Client) => api.requestNonce({ wallet_address: '0x1', purpose: 'session' })
  afterEach(() => vi.unstubAllGlobals())

  test('says that the service may not allow the origin, and what to do', async () => {
    from('https://pages.example')
    const error = await failing({}, nonce)
    expect(error).toBeInstanceOf(NoAnswerError)
    expect(error.fix).toContain('ask its operator to add https://pages.example to SVC_WEB_ORIGINS')
    expect(error.message).toBe(`requestNonce: no answer after 1 try. ${error.fix}`)
    expect((await failing({ apiKey: 'svc_key' }, ({ api }) => api.readBalance())).fix).toBe(error.fix)
  })

  test('says nothing of it where the browser hides no answer', async () => {
    expect((await failing({}, nonce)).fix).toBeNull()
    from('https://api.example')
    expect((await failing({}, nonce)).message).toBe('requestNonce: no answer after 1 try')
    from('https://pages.example')
    expect((await failing({}, ({ api }) => api.readPrices())).fix).toBeNull()
    const late = () => Promise.reject(new DOMException('late', 'TimeoutError'))
    expect((await failing({ fetch: late }, nonce)).fix).toBeNull()
  })
})

test('a key is not sent to the address of a redirection', async () => {
  const { seen, client } = await serving([(_, response) => response.writeHead(302, { location: '/elsewhere' }).end()], {
    triesMax: 1,
  })
  await expect(client.api.readBalance()).rejects.toBeInstanceOf(NoAnswerError)
  expect(seen).toHaveLength(1)
})

const session = (token: string, lifeMs: number): Session => ({
  ok: true,
  token,
  refresh_token: `refresh-${token}`,
  expires_at: new Date(Date.now() + lifeMs).toISOString(),
  user_id: 1,
  wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7',
})

test('calls at the end of a token wait for one renewal, and the caller receives the new session', async () => {
  const stored: Session[] = []
  const { seen, client } = await serving([json(200, session('second', 900_000)), done], {
    apiKey: undefined,
    session: session('first', 1_000),
    onSession: (one) => void stored.push(one),
  })
  await Promise.all([client.api.readBalance(), client.api.readStatus(), client.api.listKeys()])
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, ...Array(3).fill('Bearer second')])
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ refresh_token: 'refresh-first' })
  expect(stored.map(({ token }) => token)).toEqual(['second'])
})

test('a stream continues behind the last item after a break, over chunks that cut its events anywhere', async () => {
  const event = (seq: number) => `id: ${seq}\r\ndata: {"seq":${seq},"text":"물"}\r\n\r\n`
  const streaming =
    (text: string, atEnd: (response: ServerResponse) => void): Answer =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += 3) response.write(bytes.subarray(at, at + 3))
      atEnd(response)
    }
  const { seen, client } = await serving([
    streaming(`retry: 1000\n\n: still here\n\n${event(1)}${event(2)}id: 3\ndata: {"se`, (response) => response.end()),
    refused(503, 'temporarily_unavailable'),
    streaming(event(3), () => {}),
  ])
  const items: number[] = []
  for await (const { seq } of client.follow('followFeed', { feed_key: 'crisis_alerts' })) {
    items.push(seq)
    if (seq === 3) break
  }
  expect(items).toEqual([1, 2, 3])
  expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '2'])
})

test('a refused stream ends with the refusal', async () => {
  const { client } = await serving([refused(403, 'not_subscribed')])
  await expect(client.follow('followFeed', { feed_key: 'crisis_alerts' }).next()).rejects.toMatchObject({
    code: 'not_subscribed',
  })
})
