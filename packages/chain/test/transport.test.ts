import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { SettingError } from '@svc/contract'
import { isOutage } from '@svc/service'
import { causeOf, chainOf, read, RpcRefused, RpcUnavailable, type Chain } from '../src/index.ts'

const KEY = 'k3y-0123456789abcdef'
const ADDRESS = '0x00000000000000000000000000000000000000aa'
let stop: (() => void) | null = null
afterEach(() => stop?.())

/** A node that serves chain 7 and answers everything else as `answer` says; the chain is opened with a key in its address. */
async function node(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: { timeoutMs?: number; retriesMax?: number } = {},
): Promise<{ chain: Chain; rpcUrl: string; calls: () => string[] }> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const { method, id } = JSON.parse(body) as { method: string; id: number }
      calls.push(method)
      response.setHeader('content-type', 'application/json')
      if (method === 'eth_chainId') response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x7' }))
      else answer(request, response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const { port } = server.address() as AddressInfo
  const rpcUrl = `http://someone:${KEY}@127.0.0.1:${port}/v3/${KEY}?key=${KEY}`
  return { chain: chainOf({ rpcUrl, id: 7, pauseMs: 1, ...options }), rpcUrl, calls: () => calls.slice(1) }
}

const json =
  (value: unknown, status = 200) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.statusCode = status
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...(value as object) }))
  }
const head = (chain: Chain) => chain.request('eth_blockNumber', [])

describe('no key of the address stands in an error, whatever fails:', () => {
  const leaky = { code: -32_000, message: `project ${KEY} is out of quota`, data: `see ${KEY}` }
  test.each([
    ['an error answer that echoes it', json({ error: leaky })],
    ['HTTP 401 with it in the body', json({ error: { message: KEY } }, 401)],
    ['HTTP 403 with a JSON-RPC error', json({ error: leaky }, 403)],
    ['HTTP 500 with a JSON-RPC error', json({ error: leaky }, 500)],
    ['HTTP 413', json({ error: leaky }, 413)],
    ['HTTP 429', json({ error: leaky }, 429)],
    ['HTTP 502 with a page', (_: IncomingMessage, response: ServerResponse) => void response.writeHead(502).end(KEY)],
    ['an answer that is no JSON', (_: IncomingMessage, response: ServerResponse) => void response.end(`<p>${KEY}`)],
    ['a connection that ends', (request: IncomingMessage) => void request.socket.destroy()],
    ['a redirect', (_: IncomingMessage, r: ServerResponse) => void r.writeHead(302, { location: `/${KEY}` }).end()],
  ])('%s', async (_, answer) => {
    const { chain } = await node(answer, { retriesMax: 1 })
    const errors = await Promise.all([
      head(chain).catch((error: unknown) => error),
      chain.client.getBlockNumber().catch((error: unknown) => error),
      read(chain)
        .usdc(ADDRESS)
        .decimals()
        .catch((error: unknown) => error),
    ])
    for (const error of errors) {
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(KEY)
      expect(String((error as Error).stack)).not.toContain(KEY)
      const causes = JSON.stringify(
        error,
        Object.getOwnPropertyNames(Error.prototype).concat('url', 'details', 'cause'),
      )
      expect(causes).not.toContain(KEY)
    }
  })

  test('no node at all', async () => {
    const chain = chainOf({ rpcUrl: `http://127.0.0.1:9/${KEY}`, id: 7, retriesMax: 0 })
    const error = await head(chain).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RpcUnavailable)
    expect(inspect(error, { depth: 20 })).not.toContain(KEY)
  })
})

describe('a request', () => {
  test('carries user and password as a header', async () => {
    let authorization: string | undefined
    const { chain } = await node((request, response) => {
      authorization = request.headers.authorization
      json({ result: '0x10' })(request, response)
    })
    expect(await head(chain)).toBe('0x10')
    expect(authorization).toBe(`Basic ${Buffer.from(`someone:${KEY}`).toString('base64')}`)
  })

  test('ends in time although the body never does', async () => {
    const { chain } = await node((_, response) => void response.write('{"jsonrpc":'), { timeoutMs: 100, retriesMax: 0 })
    await expect(head(chain)).rejects.toThrow(/no answer in time/)
  })

  test.each([408, 429, 500, 502, 503, 504])('is tried again after HTTP %i, as often as it may', async (status) => {
    const { chain, calls } = await node(json({}, status), { retriesMax: 2 })
    await expect(head(chain)).rejects.toThrow(RpcUnavailable)
    expect(calls()).toHaveLength(3)
  })

  test('succeeds when a later try does', async () => {
    let tries = 0
    const { chain } = await node((request, response) =>
      json({ result: '0x1' }, ++tries < 3 ? 503 : 200)(request, response),
    )
    expect(await head(chain)).toBe('0x1')
  })

  test('is not tried again when its answer is an error, or the key is wrong', async () => {
    const refused = await node(json({ error: { code: -32_601, message: 'no' } }))
    await expect(head(refused.chain)).rejects.toThrow(RpcRefused)
    expect(refused.calls()).toHaveLength(1)
    stop?.()
    const locked = await node(json({}, 401))
    await expect(head(locked.chain)).rejects.toThrow(/HTTP 401; check the address and key in HUB_RPC_URL/)
    expect(locked.calls()).toHaveLength(1)
  })

  const zipped = (bytes: Buffer) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes)

  test('asks for gzip and reads it', async () => {
    let accepted: string | undefined
    const { chain } = await node((request, response) => {
      accepted = request.headers['accept-encoding']
      zipped(gzipSync('{"result":"0xé10"}'))(request, response)
    })
    expect(await head(chain)).toBe('0xé10')
    expect(accepted).toBe('gzip')
  })

  test('whose zipped answer is cut short is an outage', async () => {
    const { chain } = await node(zipped(gzipSync('{"result":"0x10"}').subarray(0, 20)), { retriesMax: 0 })
    await expect(head(chain)).rejects.toThrow(RpcUnavailable)
  })

  test('whose answer grows above 64 MiB when it is unzipped is refused, and not read to its end', async () => {
    const { chain } = await node(zipped(gzipSync(Buffer.alloc(80 * 1024 * 1024, 32))))
    await expect(head(chain)).rejects.toThrow(/above 64 MiB/)
  })

  test.each(['null', '[]', '7', '{}', '{"error":"no"}', '{"result":'])('answered by %s is an outage', async (body) => {
    const { chain } = await node((_, response) => void response.end(body), { retriesMax: 0 })
    await expect(head(chain)).rejects.toThrow(/not JSON-RPC/)
  })

  test('answered by a result beside an empty error has that result, also when it is null', async () => {
    const { chain } = await node(json({ result: '0x10', error: null }))
    expect(await head(chain)).toBe('0x10')
    stop?.()
    const other = await node(json({ result: null }))
    expect(await head(other.chain)).toBeNull()
  })

  test('that sends a transaction is never repeated', async () => {
    const { chain, calls } = await node(json({}, 503))
    await expect(chain.request('eth_sendRawTransaction', ['0x'])).rejects.toThrow(RpcUnavailable)
    expect(calls()).toHaveLength(1)
  })

  test('stops at its signal, even during a pause', async () => {
    const { chain } = await node((_, response) => void response.writeHead(429, { 'retry-after': '3' }).end())
    const signal = AbortSignal.timeout(100)
    await expect(chain.request('eth_blockNumber', [], signal)).rejects.toThrow(/aborted/)
  })

  test('to the wrong chain rejects with SettingError each time and reads nothing', async () => {
    const { rpcUrl, calls } = await node(json({ result: '0x1' }))
    const wrong = chainOf({ rpcUrl, id: 8 })
    for (const _ of [1, 2])
      await expect(head(wrong)).rejects.toThrow(/^HUB_RPC_URL serves chain 7, but chain 8 is expected/)
    await expect(head(wrong)).rejects.toThrow(SettingError)
    expect(new Set(calls())).toEqual(new Set(['eth_chainId']))
  })
})

test("an outage is found inside what viem's actions reject with", async () => {
  const { chain } = await node(json({}, 503), { retriesMax: 0 })
  const error = await chain.client.getBalance({ address: ADDRESS }).catch((reason: unknown) => reason)
  expect(causeOf(error, RpcUnavailable)).toBeInstanceOf(RpcUnavailable)
  expect(isOutage(error)).toBe(true)
})
