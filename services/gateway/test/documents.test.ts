import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Contract } from '@svc/contract'
import { gateway } from '@svc/contracts/gateway'
import { start } from '@svc/gateway/main'
import type { RunningService } from '@svc/service'
import { opened, testStack } from '@svc/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const OPEN_PER_MINUTE = 20

let running: RunningService
let url: string

const stack = opened(() => testStack([gateway] as unknown as Contract[]))
beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  url = `http://127.0.0.1:${port}`
  running = await start(
    stack.environmentOf('gateway', {
      SVC_PORT: String(port),
      SVC_PUBLIC_URL: url,
      SVC_OPEN_LIMIT_MINUTE: String(OPEN_PER_MINUTE),
    }),
  )
})
afterAll(async () => {
  await running.stop()
})

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' })

test('production settings serve nothing for development', async () => {
  for (const path of ['/dev/rpc', '/dev/agent/work', '/dev/story.json'])
    for (const method of ['GET', 'POST'])
      expect((await fetch(`${url}${path}`, { method, redirect: 'manual' })).status).toBe(404)
})

describe('a document', () => {
  test.each([
    ['br', 'gzip, deflate, br', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['gzip', 'br;q=0.5, gzip', 'gzip'],
    ['br', '*', 'br'],
  ])('is sent as %s, at least seven times shorter, for Accept-Encoding: %s', async (_what, accepted, coding) => {
    const plain = await read('/openapi.json', { 'accept-encoding': 'identity' })
    const coded = await read('/openapi.json', { 'accept-encoding': accepted })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(coded.headers.get('content-encoding')).toBe(coding)
    for (const answer of [plain, coded]) expect(answer.headers.get('vary')).toBe('accept-encoding')
    const lengthOf = ({ headers }: Response) => Number(headers.get('content-length'))
    expect(lengthOf(coded)).toBeLessThan(lengthOf(plain) / 7)
    expect(await coded.text()).toBe(await plain.text())
  })

  test.each(['identity', 'br;q=0, gzip;q=0', 'br;q=0.1, identity'])(
    'is sent uncompressed for Accept-Encoding: %s',
    async (accepted) => {
      const answer = await read('/openapi.json', { 'accept-encoding': accepted })
      expect(answer.headers.get('content-encoding')).toBeNull()
      expect(Object.keys((await answer.json()) as object)).toContain('openapi')
    },
  )

  test('has an ETag for each coding, which gets 304 only with that coding', async () => {
    const tags = new Map<string, string>()
    for (const coding of ['identity', 'gzip', 'br']) {
      const answer = await read('/openapi.json', { 'accept-encoding': coding })
      await answer.arrayBuffer()
      tags.set(coding, answer.headers.get('etag') ?? '')
    }
    expect(new Set(tags.values()).size).toBe(3)
    const again = (coding: string, tag: string) =>
      read('/openapi.json', { 'accept-encoding': coding, 'if-none-match': tags.get(tag) ?? '' })
    expect((await again('br', 'br')).status).toBe(304)
    expect((await again('gzip', 'br')).status).toBe(200)
  })

  test('can be read without using the allowance of calls, and after the allowance is used up', async () => {
    for (let count = 0; count < OPEN_PER_MINUTE * 2; count += 1) {
      const answer = await read('/discovery')
      await answer.arrayBuffer()
      expect(answer.status).toBe(200)
    }
    expect((await read('/nothing')).status).toBe(404)
    let status = 404
    for (let count = 0; status === 404 && count < OPEN_PER_MINUTE * 2; count += 1)
      status = (await read('/nothing')).status
    expect(status).toBe(429)
    expect((await read('/llms.txt')).status).toBe(200)
  })
})

test('the exit page is served as the file in the repository, with its own policy as a header', async () => {
  const answer = await read('/ui/exit-kit')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/=]+'; .*; frame-ancestors 'none'$/,
  )
  expect(await answer.text()).toBe(readFileSync(new URL('../../../docs/exit-kit/index.html', import.meta.url), 'utf8'))
})

test('the front door of programs has the same bytes at both places and links only to what answers', async () => {
  const text = await (await read('/ui/llms.txt')).text()
  expect(text).toBe(await (await read('/llms.txt')).text())
  expect((await read('/ui/llms.txt')).headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const links = [...text.matchAll(/https?:\/\/[^\s)>"']+/g)].map(([link]) => link.replace(/[.,;]$/, ''))
  expect(links.length).toBeGreaterThan(3)
  for (const link of links) expect([200, 402], link).toContain((await fetch(link)).status)
})

test('pages count neither as calls nor as documents', async () => {
  const answer = await read('/ui/docs')
  expect(answer.headers.get('ratelimit-policy')).toBe('"pages";q=600;w=60')
  expect((await read('/discovery')).headers.get('ratelimit-policy')).toBe('"documents";q=600;w=60')
})

test('a page under another name of the host is found at the public address; documents and routes answer there too', async () => {
  const elsewhere = url.replace('127.0.0.1', 'localhost')
  const get = (path: string, init: RequestInit = {}) => fetch(`${elsewhere}${path}`, { redirect: 'manual', ...init })
  for (const path of ['/ui/docs', '/ui/docs/errors?from=mail', '/ui/config.json']) {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([307, `${url}${path}`])
  }
  expect((await get('/ui/docs', { method: 'HEAD' })).status).toBe(307)
  expect((await get('/discovery')).status).toBe(200)
  expect((await get('/uis')).headers.get('location')).toBeNull()
  expect((await get('//evil.example/ui')).headers.get('location')).toBeNull()
  const aside = await get('/ui/docs//evil.example')
  expect(new URL(aside.headers.get('location') ?? '').origin).toBe(url)
})

test('without a chain the configuration of the pages names none of its contracts, and it is read again each time', async () => {
  const answer = await read('/ui/config.json')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  expect(await answer.json()).toEqual({
    web_base: url,
    chain: { id: 31_337, name: 'Local test chain', explorer: null, test: true },
    factory: null,
    factory_v2: null,
    usdc: null,
    leg_gateway: null,
    test_venues: [],
    demo_wallet: false,
    version: '0.1.0',
  })
  const again = await read('/ui/config.json', { 'if-none-match': answer.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

test.each([
  ['/docs', '/ui/docs'],
  ['/docs/', '/ui/docs'],
  ['/ui/docs/', '/ui/docs'],
  ['/ui/docs/errors/', '/ui/docs/errors'],
])('%s redirects to %s', async (from, to) => {
  const answer = await read(from)
  expect(answer.status).toBe(308)
  expect(answer.headers.get('location')).toBe(to)
  expect((await read(to)).status).toBe(200)
})
