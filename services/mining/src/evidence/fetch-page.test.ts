import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchPage } from './fetch-page.ts'
import { publicPolicy, type PublicPolicy } from '@svc/service/public-web'
import { lookAtEvidence } from './look-at-evidence.ts'

let hits = 0
const routes: Record<string, RequestListener> = {
  '/page': (_request, response) => response.setHeader('content-type', 'text/html').end('<p>decimals: 18</p>'),
  '/host': (request, response) =>
    response
      .setHeader('content-type', 'text/plain')
      .end(`${request.headers.host} ${request.headers.cookie ?? 'no cookie'}`),
  '/to-page': (_request, response) => response.writeHead(302, { location: '/page', 'set-cookie': 'a=b' }).end(),
  '/to-host': (_request, response) => response.writeHead(302, { location: '/host', 'set-cookie': 'a=b' }).end(),
  '/to-metadata': (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/to-inside': (request, response) =>
    response.writeHead(302, { location: `http://inside.test:${request.socket.localPort}/page` }).end(),
  '/to-other': (request, response) =>
    response.writeHead(302, { location: `http://other.test:${request.socket.localPort}/page` }).end(),
  '/to-below': (request, response) =>
    response.writeHead(302, { location: `http://www.docs.site.test:${request.socket.localPort}/page` }).end(),
  '/to-file': (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/large': (_request, response) => response.setHeader('content-type', 'text/plain').end('x'.repeat(200_000)),
  '/pdf': (_request, response) => response.setHeader('content-type', 'application/pdf').end('%PDF 18'),
  '/gzip': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end('x'),
  '/slow': (_request, response) => void response.setHeader('content-type', 'text/plain').write('a'),
  '/missing': (_request, response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('18'),
}
const server = createServer((request, response) => {
  hits += 1
  routes[request.url ?? '']?.(request, response)
})
let base = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://site.test:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const names: Record<string, readonly string[]> = {
  'site.test': ['127.0.0.1'],
  'other.test': ['127.0.0.1'],
  'www.docs.site.test': ['127.0.0.1'],
  'inside.test': ['10.0.0.1'],
  'mixed.test': ['127.0.0.1', '10.0.0.1'],
}
/** The time limit ends what hangs, but in the test of a page that does not end. */
const policy = (timeoutMs = 60_000): PublicPolicy => ({
  ...publicPolicy({ timeoutMs, maxBytes: 50_000 }),
  schemes: new Map([['http:', httpRequest as never]]),
  allowsPort: () => true,
  allowsAddress: (address) => address === '127.0.0.1',
  resolve: async (host) => names[host] ?? [],
})
const never = new AbortController().signal
const get = (path: string, timeoutMs?: number) => fetchPage(`${base}${path}`, policy(timeoutMs), never)

describe('evidence fetch', () => {
  it('reads a page and follows a redirect without cookies, with the requested host name', async () => {
    expect(await get('/page')).toEqual({
      status: 200,
      body: '<p>decimals: 18</p>',
      host: 'site.test',
      reason: null,
    })
    expect(await get('/to-page')).toMatchObject({ status: 200 })
    expect((await get('/to-host')).body).toBe(`${new URL(base).host} no cookie`)
  })

  it.each([
    ['/to-metadata', 'address_not_public'],
    ['/to-inside', 'address_not_public'],
    ['/to-file', 'scheme_not_allowed'],
    ['/slow', 'timeout', 400],
  ])('goes nowhere for %s: %s', async (path, reason, timeoutMs?: number) => {
    expect(await get(path, timeoutMs)).toEqual({ status: null, body: null, host: null, reason })
  })

  it('stops at the limits of redirects, size and content', async () => {
    expect(await get('/loop')).toMatchObject({ status: 302, reason: 'too_many_redirects' })
    expect((await get('/large')).body).toHaveLength(50_000)
    expect(await get('/pdf')).toMatchObject({ status: 200, body: null, reason: 'content_type_not_text' })
    expect(await get('/gzip')).toMatchObject({ body: null, reason: 'content_encoding_not_supported' })
  })

  it('refuses a name when any of its addresses is not public, and an unknown name', async () => {
    const port = new URL(base).port
    const before = hits
    expect(await fetchPage(`http://mixed.test:${port}/page`, policy(), never)).toMatchObject({
      reason: 'address_not_public',
    })
    expect(await fetchPage(`http://nowhere.test:${port}/page`, policy(), never)).toMatchObject({
      reason: 'host_not_found',
    })
    expect(hits).toBe(before)
  })

  it('by default reaches no loopback server, by name, by number or in another notation', async () => {
    const { port } = new URL(base)
    const before = hits
    const strict = { ...publicPolicy({ timeoutMs: 2_000, maxBytes: 1_000 }), resolve: async () => ['127.0.0.1'] }
    for (const url of [
      `http://127.0.0.1:${port}/page`,
      `https://127.0.0.1:${port}/page`,
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f000001/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[64:ff9b::7f00:1]/',
      'https://site.test/',
      'https://user:pw@site.test/',
      'file:///etc/passwd',
      'not a url',
    ]) {
      expect(await fetchPage(url, strict, never), url).toMatchObject({ status: null, body: null })
    }
    expect(hits).toBe(before)
  })

  it('reports a value as found, not found or unknown', async () => {
    const now = () => new Date('2026-11-21T00:00:00.000Z')
    const look = (path: string, value: string) => lookAtEvidence({ url: `${base}${path}`, value }, policy(), now, never)
    expect(await look('/page', '18')).toEqual({
      reachable: true,
      status: 200,
      value_found: true,
      checked_at: '2026-11-21T00:00:00.000Z',
      reason: null,
    })
    expect(await look('/page', '8')).toMatchObject({ value_found: false })
    expect(await look('/pdf', '18')).toMatchObject({ reachable: true, value_found: null })
    expect(await look('/large', 'y')).toMatchObject({ value_found: null, reason: 'page_too_large' })
    expect(await look('/missing', '18')).toMatchObject({ reachable: false, status: 404 })
    expect(await look('/to-other', '18')).toMatchObject({
      reachable: true,
      value_found: null,
      reason: 'answered_by other.test',
    })
    expect(await look('/to-below', '18')).toMatchObject({ value_found: true, reason: null })
    expect(await look('/to-inside', '18')).toMatchObject({
      reachable: false,
      status: null,
      value_found: null,
      reason: 'address_not_public',
    })
  })
})
