import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endingOf } from './ending.ts'
import { createWalk, type Walk } from './walk.ts'

let answer: (request: IncomingMessage, response: ServerResponse) => void
let asked: string[]
let walk: Walk
let printed: () => string
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`)
  answer(request, response)
})

beforeEach(async () => {
  asked = []
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  walk = createWalk(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  printed = () => log.mock.calls.flat().join('\n')
})
afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
})

const json = (status: number, body: object) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

test('an answer with another status than documented fails the walk and is named', async () => {
  answer = json(418, { code: 'teapot' })
  await expect(walk.ask('/pot', [200, 404])).rejects.toThrow(
    'GET /pot answered 418, the documents say 200 or 404: {"code":"teapot"}',
  )
})

test('secrets and long calldata are not printed', async () => {
  answer = json(200, { api_key: 'svc_0123456789abcdef', data: `0x${'ab'.repeat(100)}` })
  await walk.ask('/keys', 200)
  expect(printed()).toContain('svc_0123…')
  expect(printed()).toContain('0xabababab… (100 bytes)')
  expect(printed()).not.toContain('456789abcdef')
})

test('after an outage what may be repeated is asked again, and nothing else', async () => {
  const outageOnce: typeof answer = (request, response) =>
    json(asked.length === 1 ? 503 : 200, { ok: true })(request, response)
  answer = outageOnce
  await walk.ask('/read', 200)
  expect(asked).toEqual(['GET /read', 'GET /read'])
  asked = []
  await walk.ask('/write', 200, { body: {}, idempotencyKey: 'one' })
  expect(asked).toEqual(['POST /write', 'POST /write'])
  asked = []
  await expect(walk.ask('/write', 200, { body: {} })).rejects.toThrow('answered 503')
  expect(asked).toEqual(['POST /write'])
})

/** Lets every deadline of a request pass after a moment. */
const hurry = () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(100))
}
const endingAfter = async (step: Promise<unknown>) => endingOf(await step.catch((error: unknown) => error), walk.at())

test('a request that gets no answer in time is asked again, and the demo goes on', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.timeout(100))
  answer = (request, response) => void (asked.length > 1 && json(200, { ok: true })(request, response))
  await walk.ask('/read', 200)
  expect(printed()).toContain('no answer within 120 s: asking again')
})

test('a demo whose step takes too long ends with a sentence that names that step, or the one before it', async () => {
  hurry()
  answer = () => {}
  expect(await endingAfter(walk.ask('/write', 200, { body: {} }))).toBe(
    'NOT as documented: POST /write: no answer within 120 s (1 try)',
  )
  walk.step('GET /before')
  expect(await endingAfter(walk.until('the payout', { timeoutMs: 0 }, () => false))).toBe(
    'NOT as documented: after step 1 (GET /before): the payout did not happen within 0 s',
  )
  expect(await endingAfter(walk.download('/file', {}, 'application/pdf'))).toBe(
    'Stopped after step 1 (GET /before): the next step took too long (The operation was aborted due to timeout). Run the demo again.',
  )
  expect(await endingAfter(Promise.reject(new TypeError('a bug')))).toBeNull()
})

test('a file that differs from its digest fails the walk', async () => {
  const digest = `sha-256=:${createHash('sha256').update('the file').digest('base64')}:`
  const file = (content: string) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/pdf', 'repr-digest': digest }).end(content)
  answer = file('the file')
  expect(String(await walk.download('/file', {}, 'application/pdf'))).toBe('the file')
  answer = file('another file')
  await expect(walk.download('/file', {}, 'application/pdf')).rejects.toThrow('Repr-Digest is')
})
