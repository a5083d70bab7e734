import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askVenue, isMadeUp, openTransport, sendAction, venueUrls, VenueUnavailable, weightOf } from '../src/index.ts'

/** What the server does with the next request. */
let act: (response: ServerResponse, body: string) => void
let server: Server
let url: string
const reply = (status: number, body: unknown) => (response: ServerResponse) =>
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body))

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => act(response, body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Longer than a busy machine takes for an answer; a test that waits for the end of it sets its own. */
const PATIENCE_MS = 60_000
const open = (at = url, timeoutMs = PATIENCE_MS) => openTransport({ info: at, exchange: at }, { timeoutMs })
const ok = (statuses: unknown) => ({ status: 'ok', response: { type: 'order', data: { statuses } } })

describe('answers to a signed action', () => {
  test.each([
    [
      'a fill',
      200,
      ok([{ filled: { oid: 7, totalSz: '0.1', avgPx: '100' } }]),
      { kind: 'accepted', orders: [{ kind: 'filled', oid: 7, size: '0.1', averagePrice: '100' }] },
    ],
    [
      'an order that met nothing',
      200,
      ok([{ error: 'Order could not immediately match against any resting orders. asset=0' }]),
      { kind: 'accepted', orders: [{ kind: 'missed' }] },
    ],
    [
      'too little margin',
      200,
      ok([{ error: 'Insufficient margin to place order. asset=0' }]),
      { kind: 'accepted', orders: [{ kind: 'refused', cause: 'margin' }] },
    ],
    [
      'an action without results',
      200,
      { status: 'ok', response: { type: 'default' } },
      { kind: 'accepted', orders: [] },
    ],
    [
      'the nonce of an earlier copy',
      200,
      { status: 'err', response: 'Invalid nonce: duplicate nonce 5' },
      { kind: 'landed' },
    ],
    [
      'a nonce too low',
      200,
      { status: 'err', response: 'Invalid nonce: nonce too low 5 < 6' },
      { kind: 'refused', cause: 'nonce' },
    ],
    [
      'an unknown agent',
      200,
      { status: 'err', response: 'User or API Wallet 0x12 does not exist.' },
      { kind: 'refused', cause: 'agent_unknown' },
    ],
    [
      'an owner without account',
      200,
      { status: 'err', response: 'Must deposit before performing actions. User: 0x12' },
      { kind: 'refused', cause: 'account_unknown' },
    ],
    [
      'a unified account',
      200,
      { status: 'err', response: 'Action disabled when unified account is active' },
      { kind: 'refused', cause: 'account_mode' },
    ],
    [
      'words that are not known',
      200,
      { status: 'err', response: 'The moon is full' },
      { kind: 'refused', cause: 'other', reason: 'The moon is full' },
    ],
    ['a limit of requests', 429, 'null', { kind: 'retriable' }],
    ['an error of the venue', 500, 'null', { kind: 'unknown' }],
    ['a page of a proxy', 502, '<html>', { kind: 'unknown' }],
    ['a body that the venue cannot read', 422, 'Failed to deserialize', { kind: 'ours' }],
    ['text that is cut off', 200, '{"status":"ok","respon', { kind: 'unknown' }],
    [
      'a number in place of decimal text',
      200,
      ok([{ filled: { oid: 7, totalSz: 0.1, avgPx: '100' } }]),
      { kind: 'unknown' },
    ],
    ['a redirect', 307, '', { kind: 'unknown' }],
  ])('%s is read as what it means', async (_, status, body, outcome) => {
    act = reply(status, body)
    const venue = open()
    expect(await sendAction(venue.post, '{}')).toMatchObject(outcome)
    await venue.close()
  })

  test('no answer in time leaves it open whether the action executed', async () => {
    act = () => {}
    const venue = open(url, 300)
    expect(await sendAction(venue.post, '{}')).toMatchObject({ kind: 'unknown' })
  })

  test('a venue that cannot be reached has not executed the action', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    expect(await sendAction(open(`http://127.0.0.1:${port}/`).post, '{}')).toMatchObject({ kind: 'retriable' })
  })
})

describe('readings', () => {
  test('an answer is returned without fields that are not known', async () => {
    act = reply(200, [{ name: 'svc-leg', address: `0x${'AB'.repeat(20)}`, validUntil: 5, more: 1 }])
    const venue = open()
    expect(await askVenue(venue.post, 'extraAgents', { user: `0x${'1'.repeat(40)}` })).toEqual([
      { name: 'svc-leg', address: `0x${'ab'.repeat(20)}`, validUntil: 5 },
    ])
    await venue.close()
  })

  test.each([
    ['another form', { balances: 'none' }],
    ['a number in place of decimal text', { balances: [{ coin: 'USDC', token: 0, total: 1, hold: '0' }] }],
    ['a negative size', { balances: [{ coin: 'USDC', token: 0, total: '-1', hold: '0' }] }],
    ['text that is cut off', '{"balances":['],
    ['more than 8 MiB', `{"balances":"${'x'.repeat(9 * 1024 * 1024)}"}`],
  ])('an answer of %s is no reading', async (_, body) => {
    act = reply(200, body)
    const venue = open()
    await expect(askVenue(venue.post, 'spotClearinghouseState')).rejects.toThrow(VenueUnavailable)
  })

  test('rows of an answer add to the weight of a question', () => {
    expect([weightOf('userFills'), weightOf('userFills', 2_000), weightOf('l2Book', 40)]).toEqual([20, 120, 2])
  })
})

describe('addresses of the venue', () => {
  const here = 'http://127.0.0.1:9/info'
  test('an override on this machine counts on testnet', () => {
    expect(venueUrls('testnet', { info: here }).info).toBe(here)
    expect(venueUrls('testnet', { info: 'http://localhost:9/info' }).info).toBe('http://localhost:9/info')
  })

  test('figures are made up if and only if the questions go to this machine', () => {
    expect(isMadeUp(venueUrls('testnet', { info: here }))).toBe(true)
    expect(isMadeUp(venueUrls('testnet', { info: 'http://example.com/info' }))).toBe(false)
    expect(isMadeUp(venueUrls('testnet'))).toBe(false)
    expect(isMadeUp(venueUrls('mainnet', { info: here }))).toBe(false)
  })

  test('an override never counts on mainnet', () => {
    expect(venueUrls('mainnet', { info: here }).info).toBe('https://api.hyperliquid.xyz/info')
  })

  test.each([
    'https://127.0.0.1/info',
    'http://127.0.0.1.example.com/info',
    'http://user@127.0.0.1/info',
    'http://127.0.0.1@example.com/info',
    'http://example.com/info',
    'http://[::1]/info',
    'file:///etc/passwd',
    'nonsense',
  ])('the override %s is ignored', (info) => {
    expect(venueUrls('testnet', { info }).info).toBe('https://api.hyperliquid-testnet.xyz/info')
  })
})
