import { execFile } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { forgedJws } from '@svc/testing/forged-jws'
import { startVenueRig, type VenueRig } from '@svc/venue-rig'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareWithVenue } from './at-venue.ts'
import { ReceiptProblem, receiptText, verifyReceipt, type Receipt } from './verify.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }]

const ACCOUNT = `0x${'ab'.repeat(20)}`
const NONCE = 1_795_000_000_000
const receipt = {
  version: 2,
  mandate: `mdt_${'1'.repeat(32)}`,
  network: 'testnet',
  account: ACCOUNT,
  terms_hash: `0x${'ab'.repeat(32)}`,
  judgement: { kind: null },
  market: 'hl:BTC',
  coin: 'BTC',
  side: 'buy',
  opening: true,
  size: '0.003',
  worst_price: '63000',
  mark_price: '60000',
  amount_usdc: '190',
  reference_price: '63000',
  best_bid: '59994',
  best_ask: '60006',
  readings: [{ dex: '', time: NONCE - 100, account_value_usdc: '1000' }],
  book_time: NONCE - 50,
  cloid: `0x${'c1'.repeat(16)}`,
  oid: 1_000,
  nonce: NONCE,
  expires_after: NONCE + 15_000,
  status: 'partial',
  filled_size: '0.002',
  average_price: '60010',
  notional_usdc: '120.02',
  fee_usdc: '0.054009',
  fills: [
    { tid: 1, px: '60000', sz: '0.001', fee: '0.027', time: NONCE + 40 },
    { tid: 2, px: '60020', sz: '0.001', fee: '0.027009', time: NONCE + 40 },
  ],
  resolved_at: '2026-11-18T14:26:40.000Z',
  signed_at: '2026-11-18T14:26:40.000Z',
} satisfies Receipt

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwsOf = (content: object, { key = privateKey, kid = 'k1', typ = 'leg-receipt+json', alg = 'EdDSA' } = {}) => {
  const input = `${part({ alg, typ, kid })}.${part(content)}`
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`
}
const problemOf = (jws: string): string => {
  try {
    verifyReceipt(jws, keys)
    return 'holds'
  } catch (error) {
    if (error instanceof ReceiptProblem) return error.message
    throw error
  }
}

/** What the venue lists of an execution besides its figures. */
const listed = {
  coin: 'BTC',
  side: 'B',
  startPosition: '0',
  dir: 'Open Long',
  closedPnl: '0',
  hash: '0x',
  crossed: true,
  oid: 1_000,
  feeToken: 'USDC',
  twapId: null,
  cloid: receipt.cloid,
} as const

let rig: VenueRig
let infoUrl: string
beforeAll(async () => {
  rig = await startVenueRig()
  infoUrl = `${rig.url}/info`
  rig.control('fund', { address: ACCOUNT, amount: '1000' })
  // What the venue lists of the order, as its own matching would have stored it.
  for (const { tid, px, sz, fee, time } of receipt.fills)
    rig.state.accounts[ACCOUNT]?.fills.unshift({ ...listed, tid, px, sz, fee, time })
})
afterAll(() => rig.close())

test('a receipt holds by its signature, its sums and the executions of the venue', async () => {
  const read = verifyReceipt(jwsOf(receipt), keys)
  expect(read).toEqual(receipt)
  expect(await compareWithVenue(read, infoUrl)).toBe(2)
  expect(receiptText(JSON.stringify({ ok: true, receipt: 'a.b.c' }))).toBe('a.b.c')
  expect(() => receiptText(JSON.stringify({ ok: true, receipt: null }))).toThrow(ReceiptProblem)
})

test('a receipt of the version before, which judged at the worst price, holds without a reference price', () => {
  const { amount_usdc, reference_price, best_bid, best_ask, ...former } = receipt
  expect([amount_usdc, reference_price, best_bid, best_ask]).not.toContain(undefined)
  expect(problemOf(jwsOf({ ...former, version: 1 }))).toBe('holds')
  expect(problemOf(jwsOf({ ...former, version: 2 }))).toMatch(/another form/)
  expect(problemOf(jwsOf({ ...receipt, version: 1 }))).toMatch(/another form/)
})

describe('a forged receipt is caught', () => {
  test.each(forgedJws({ typ: 'leg-receipt+json', kid: 'k1', content: receipt, privateKey, publicKey }))(
    'by its signature: %s',
    (_title, jws) => {
      expect(problemOf(jws)).toMatch(/signature|keys hold none|another form/)
    },
  )

  test.each([
    ['signed with another key', jwsOf(receipt, { key: stranger.privateKey }), /signature is not good/],
    ['with a changed member', changedPayload({ filled_size: '0.003' }), /signature is not good/],
    ['of another kind', jwsOf(receipt, { typ: 'record-head+json' }), /another kind/],
    ['without a signature', `${jwsOf(receipt, { alg: 'none' })}`, /another kind/],
    ['by an unknown key', jwsOf(receipt, { kid: 'k2' }), /none with id k2/],
    ['that is no receipt', 'hello', /cannot be read/],
    ['with a member more', jwsOf({ ...receipt, note: 'x' }), /another form/],
  ])('%s', (_, jws, problem) => {
    expect(problemOf(jws)).toMatch(problem)
  })

  test.each([
    ['a larger size than its executions', { filled_size: '0.003' }, /filled_size is 0.003/],
    ['another notional', { notional_usdc: '120.03' }, /notional_usdc/],
    ['another fee', { fee_usdc: '0.05' }, /fee_usdc/],
    ['a better average', { average_price: '60000' }, /average_price/],
    ['a missed order with executions', { status: 'missed' }, /the executions say partial/],
    ['an execution twice', { fills: [receipt.fills[0], receipt.fills[0]] }, /stands in it twice/],
    ['executions beyond the order', { size: '0.001' }, /more was executed|status/],
    ['executions beyond its worst price', { worst_price: '60010', reference_price: '60010' }, /execution 2 is worse/],
    [
      'a reference price below its readings',
      { reference_price: '60000' },
      /the highest price of its readings is 63000/,
    ],
    ['a size above its amount', { amount_usdc: '188.999999' }, /worth 189 USDC/],
    [
      'a short that counts at its worst price',
      { side: 'sell', worst_price: '57000', reference_price: '57000' },
      /the highest price of its readings is 60000/,
    ],
    ['executions after its end', { expires_after: NONCE - 120_000 }, /was not good/],
    ['a judgement that refuses', { judgement: { kind: 'OverPerTxCap' } }, /refused the order/],
    [
      'readings from after the order',
      { readings: [{ dex: '', time: NONCE + 200_000, account_value_usdc: '1' }] },
      /later/,
    ],
  ])('although it is signed: %s', (_, changed, problem) => {
    expect(problemOf(jwsOf({ ...receipt, ...changed }))).toMatch(problem)
  })

  test.each([
    ['an execution that the venue does not list', { fills: [{ tid: 9 }] }, /lists no execution 9/],
    ['another price', { fills: [{ px: '59999' }] }, /its price is 59999/],
    ['another size', { fills: [{ sz: '0.002' }] }, /its size is 0.002/],
    ['another fee', { fills: [{ fee: '0' }] }, /its fee is 0/],
    ['another time', { fills: [{ time: NONCE + 41 }] }, /its time is/],
    ['the other side', { side: 'sell' as const }, /its side is A/],
    ['another market', { coin: 'ETH' }, /its market is ETH/],
    ['one execution less', { fills: [] }, /execution 1, which the receipt leaves out/],
    ['another account', { account: `0x${'cd'.repeat(20)}` }, /lists no execution 1/],
    ['another order', { oid: 7 }, /its order is 7/],
  ])(
    'against the venue: %s',
    async (_, { fills, ...changed }: { fills?: object[] } & Omit<Partial<Receipt>, 'fills'>, problem) => {
      const told = fills?.map((fill, index) => ({ ...receipt.fills[index], ...fill })) ?? receipt.fills
      const read = { ...receipt, ...changed, fills: told } as Receipt
      await expect(compareWithVenue(read, infoUrl)).rejects.toThrow(problem)
      await expect(compareWithVenue(read, infoUrl)).rejects.toThrow(ReceiptProblem)
    },
  )
})

test('a venue whose answer is full is no witness against a receipt', async () => {
  const fills = rig.state.accounts[ACCOUNT]?.fills ?? []
  const known = [...fills]
  const [one] = known
  if (one === undefined) throw new Error('the venue lists no execution')
  const others = Array.from({ length: 2_000 }, (_, index) => ({ ...one, tid: 100 + index, oid: 1, cloid: null }))
  fills.splice(0, fills.length, ...known, ...others)
  const told = compareWithVenue(receipt, infoUrl)
  await expect(told).rejects.toThrow('more executions than one answer holds')
  await expect(told).rejects.not.toThrow(ReceiptProblem)
  fills.splice(0, fills.length, ...known)
  expect(await compareWithVenue(receipt, infoUrl)).toBe(2)
})

test('the command ends with 0 for a receipt that holds, 1 for one that does not, 2 when it cannot check', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'verify-order-'))
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const jwks = await write('jwks.json', JSON.stringify({ keys }))
  const run = async (file: string, ...more: string[]) => {
    const command = [join(import.meta.dirname, 'main.ts'), file, '--jwks', jwks, ...more]
    return promisify(execFile)(process.execPath, command).then(
      ({ stdout }) => [0, stdout] as const,
      (error: { code: number; stdout: string }) => [error.code, error.stdout] as const,
    )
  }
  try {
    const good = await write('good.json', JSON.stringify({ ok: true, receipt: jwsOf(receipt) }))
    expect(await run(good, '--info', infoUrl)).toEqual([0, expect.stringContaining('2 executions are at the venue')])
    const forged = await write('forged.txt', jwsOf(receipt, { key: stranger.privateKey }))
    expect(await run(forged)).toEqual([1, expect.stringContaining('does not hold: the signature is not good')])
    expect(await run(join(folder, 'none'))).toEqual([2, expect.stringContaining('could not be checked')])
  } finally {
    await rm(folder, { recursive: true })
  }
})

function changedPayload(changed: object): string {
  const [header, , signature] = jwsOf(receipt).split('.')
  return [header, part({ ...receipt, ...changed }), signature].join('.')
}
