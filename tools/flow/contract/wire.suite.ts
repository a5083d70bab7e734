import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import type { World } from './world.ts'

let world: World

/** Sends bytes unchanged and reads until the server closes the connection. */
function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(world.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ''
    socket.setTimeout(10_000, () =>
      socket.destroy(new Error(`the server kept the connection after: ${text.slice(0, 200)}`)),
    )
    socket.on('data', (chunk) => (text += chunk.toString('utf8')))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.write(bytes)
  })
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`
const HOST = 'Host: 127.0.0.1'
const JSON_TYPE = 'Content-Type: application/json'

export function wireSuite(given: () => World): void {
  beforeAll(() => void (world = given()))

  describe('bytes that are not a valid request', () => {
    test.each([
      ['no HTTP at all', lines('hello', '', ''), 400],
      [
        'two lengths',
        lines('POST /auth/wallet/nonce HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 2', 'Content-Length: 3', '', '{}'),
        400,
      ],
      [
        'a length and chunks',
        lines(
          'POST /auth/wallet/nonce HTTP/1.1',
          HOST,
          JSON_TYPE,
          'Content-Length: 2',
          'Transfer-Encoding: chunked',
          '',
          '0',
          '',
          '',
        ),
        400,
      ],
      [
        'a chunk that is no chunk',
        lines('POST /auth/wallet/nonce HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding: chunked', '', 'zz', '{}', ''),
        400,
      ],
      [
        'a negative length',
        lines('POST /auth/wallet/nonce HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: -1', '', ''),
        400,
      ],
      ['a folded header', lines('GET /prices HTTP/1.1', HOST, 'X-Odd: a', ' b', 'X-Bad : c', '', ''), 400],
      ['a NUL in a header', lines('GET /prices HTTP/1.1', HOST, 'X-Odd: a\u0000b', '', ''), 400],
      ['a space in the path', lines('GET /pri ces HTTP/1.1', HOST, '', ''), 400],
      ['headers of 50 KB', lines('GET /prices HTTP/1.1', HOST, `X-Large: ${'x'.repeat(50_000)}`, '', ''), 431],
      ['a path of 50 KB', lines(`GET /${'x'.repeat(50_000)} HTTP/1.1`, HOST, '', ''), 431],
    ])('%s is refused with a problem body and the connection closed', async (_name, bytes, status) => {
      const answer = await exchange(bytes)
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      expect(head.split('\r\n')[0]).toContain(` ${status} `)
      expect(head.toLowerCase()).toContain('content-type: application/problem+json')
      expect(JSON.parse(body)).toMatchObject({ ok: false, status })
    })

    test('a request smuggled behind another one is not answered', async () => {
      const hidden = lines('GET /health HTTP/1.1', HOST, '', '')
      const answer = await exchange(
        lines(
          'POST /auth/wallet/nonce HTTP/1.1',
          HOST,
          JSON_TYPE,
          `Content-Length: ${hidden.length}`,
          'Transfer-Encoding: chunked',
          '',
          '0',
          '',
        ) + hidden,
      )
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    })

    test('a request without a host does not reach a route', async () => {
      expect(await exchange(lines('GET /prices HTTP/1.1', 'Connection: close', '', ''))).toMatch(/^HTTP\/1\.1 400 /)
    })
  })
}
