import { sql } from '@svc/postgres'
import { usdSend, type UserSignedAction } from '@svc/hyperliquid'
import { openLog } from '@svc/service'
import { opened } from '@svc/testing'
import { expectFires, scrapeHere } from '@svc/testing/alerts'
import { USDC_TOKEN } from '@svc/venue-rig'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { LegMoney } from '#readings/leg-account.ts'
import { foreignAt, ledgerEntries } from '#readings/store/ledger.ts'
import { storedReading } from '#readings/store/readings.ts'
import { owner, ownerWallet, signTypedData, startRig, walletOf } from '../rig.ts'

/** What the service logs at the level of errors. */
const lines: string[] = []
const rig = opened(() => startRig({ log: openLog('hl-leg', 'error', { write: (line) => void lines.push(line) }) }))
const stranger = walletOf(9_001)

const viewOf = (mandate: { public_id: string; owner_id: number }) =>
  rig.as(owner(mandate.owner_id)).readLeg({ public_id: mandate.public_id })
const foreign = async (publicId: string) =>
  (await foreignAt(rig.pool, new Map([[publicId, rig.clock.now()]]))).get(publicId)
/** Lets a leg be due again and reads it. */
async function read(context = rig.context) {
  rig.advance(700_000)
  return rig.run('readLegs', context)
}
const action = (type: UserSignedAction['type'], fields: object): UserSignedAction => ({
  type,
  signatureChainId: '0x7a69',
  hyperliquidChain: 'Testnet',
  ...fields,
})

describe('a reading', () => {
  test('holds every dex and position, and worth is less the allowance for closing', async () => {
    const mandate = rig.mandate(1)
    await rig.bind(mandate)
    await rig.trade(ownerWallet(1), { asset: 0, side: 'buy', price: '61000', size: '0.01' })
    await read()
    const view = await viewOf(mandate)
    const reading = await storedReading(rig.pool, mandate.public_id)
    expect(reading?.dexes.map(({ dex }) => dex)).toEqual(['', 'xyz'])
    expect(view.positions).toEqual([
      expect.objectContaining({
        market: 'hl:BTC',
        side: 'long',
        size: '0.01',
        mark_price: '60000',
        notional_usdc: '600',
      }),
    ])
    expect(view.open_notional_usdc).toBe('600')
    expect(Number(view.worth_usdc)).toBeCloseTo(Number(reading?.accountValue) - 0.9, 6)
    expect(view.worth_read_at).toBe(rig.clock.now().toISOString())
  })

  test('is not replaced by one with a failing, stale, truncated or unreadable dex', async () => {
    const mandate = rig.mandate(2)
    await rig.bind(mandate)
    const good = await storedReading(rig.pool, mandate.public_id)
    const faults = [
      { kind: 'status429' },
      { kind: 'status500' },
      { kind: 'html502' },
      { kind: 'truncated' },
      { kind: 'wrong-type' },
      { kind: 'missing-dex', dex: 'xyz' },
      { kind: 'stale', ms: 121_000 },
      { kind: 'stale', ms: 121_000, dex: 'xyz' },
    ]
    for (const fault of faults) {
      rig.venue.control('fault', { endpoint: 'info', type: 'clearinghouseState', count: 50, ...fault })
      expect(await read(), JSON.stringify(fault)).toMatchObject({ done: 0, failed: 2 })
      rig.venue.control('clear-faults', {})
    }
    expect(await storedReading(rig.pool, mandate.public_id)).toEqual(good)
    rig.venue.control('time', { now_ms: rig.clock.now().getTime() - 200_000 })
    expect(await rig.run('readLegs')).toMatchObject({ done: 0 })
    expect(await read()).toMatchObject({ done: 2, failed: 0 })
  })

  test('a venue that hangs costs one leg its reading and no other', async () => {
    rig.venue.control('fault', { kind: 'hang', endpoint: 'info', type: 'clearinghouseState' })
    expect(await read()).toMatchObject({ done: 1, failed: 1 })
  })

  test('a dex that the venue does not list counts as empty, and is read again once it is listed', async () => {
    const mandate = rig.mandate(3)
    await rig.bind(mandate)
    const dexes = rig.venue.state.dexes
    const [main] = dexes.splice(1)
    await read()
    const reading = await storedReading(rig.pool, mandate.public_id)
    expect(reading?.dexes).toEqual([
      expect.objectContaining({ dex: '', accountValue: '1000' }),
      { dex: 'xyz', at: null, accountValue: '0', withdrawable: '0', notional: '0', marginUsed: '0' },
    ])
    if (main !== undefined) dexes.push(main)
    await read()
    expect((await storedReading(rig.pool, mandate.public_id))?.dexes[1]?.at).not.toBeNull()
  })

  test('legs with a position are read four times within the maximum age, idle ones every ten minutes', async () => {
    await read()
    rig.advance(30_000)
    expect(await rig.run('readLegs')).toMatchObject({ done: 1 })
    rig.advance(29_000)
    expect(await rig.run('readLegs')).toMatchObject({ done: 0 })
  })
})

describe('foreign money', () => {
  test('payments of strangers and of the owner count, moves between dexes that are read do not', async () => {
    const mandate = rig.mandate(10)
    const wallet = ownerWallet(10)
    await rig.bind(mandate)
    const { public_id } = mandate
    expect(await foreign(public_id)).toBe('1000')
    rig.advance(1_000)
    rig.venue.control('fund', { address: stranger.address, amount: '100' })
    await rig.act(stranger, usdSend(rig.scope(), { destination: wallet.address, amountUsdc: '1' }))
    await read()
    expect(await foreign(public_id)).toBe('1001')
    // The same amount twice in the same instant is two payments.
    rig.venue.control('fund', { address: wallet.address, amount: '20' })
    rig.venue.control('fund', { address: wallet.address, amount: '20' })
    await read()
    expect(await foreign(public_id)).toBe('1041')
    await rig.act(wallet, usdSend(rig.scope(), { destination: stranger.address, amountUsdc: '41' }))
    await read()
    expect(await foreign(public_id)).toBe('1000')
    const { nonce } = rig.scope()
    const move = {
      destination: wallet.address.toLowerCase(),
      token: USDC_TOKEN,
      fromSubAccount: '',
      amount: '50',
      nonce,
    }
    await rig.act(wallet, action('sendAsset', { ...move, sourceDex: '', destinationDex: 'xyz' }))
    await rig.act(wallet, action('usdClassTransfer', { amount: '30', toPerp: false, nonce: nonce + 500 }))
    await read()
    expect(await foreign(public_id)).toBe('970')
    const entries = await ledgerEntries(rig.pool, public_id, new Date(0))
    expect(entries.map(({ type, effect }) => [type, effect]).slice(0, 5)).toEqual([
      ['deposit', '0'],
      ['internalTransfer', '1'],
      ['deposit', '20'],
      ['deposit', '20'],
      ['internalTransfer', '-41'],
    ])
    expect(new Map(entries.slice(5).map(({ type, effect }) => [type, effect]))).toEqual(
      new Map([
        ['send', '0'],
        ['accountClassTransfer', '-30'],
      ]),
    )
    expect(await viewOf(mandate)).toMatchObject({ foreign_usdc: '970', worth_usdc: '970' })
  })

  test('a result of trading is not foreign, and a transfer of ours is not either', async () => {
    const mandate = rig.mandate(11)
    await rig.bind(mandate)
    const { public_id } = mandate
    await rig.trade(ownerWallet(11), { asset: 0, side: 'buy', price: '61000', size: '0.01' })
    rig.venue.control('mark', { coin: 'BTC', price: '66000' })
    await rig.trade(ownerWallet(11), { asset: 0, side: 'sell', price: '65000', size: '0.01' })
    rig.venue.control('mark', { coin: 'BTC', price: '60000' })
    rig.venue.control('fund', { address: ownerWallet(11).address, amount: '77' })
    const money: LegMoney = {
      debtOf: () => Promise.resolve(0n),
      withMoneyOut: () => Promise.resolve(new Set()),
      ours: (_db, _account, entries) =>
        Promise.resolve(new Set(entries.filter(({ delta }) => delta['usdc'] === '77').map(({ key }) => key))),
    }
    await read({ ...rig.context, money })
    expect(await foreign(public_id)).toBe('1000')
    const { worth_usdc } = await viewOf(mandate)
    expect(Number(worth_usdc)).toBeGreaterThan(1130)
  })

  test('a payment counts once, whatever time the venue tells', async () => {
    const mandate = rig.mandate(34)
    rig.venue.control('fund', { address: ownerWallet(34).address, amount: '1000' })
    rig.advance(1_000)
    const client = rig.as(owner(34))
    const { typed_data, nonce } = await client.prepareApproval({ public_id: mandate.public_id })
    const signature = await signTypedData(ownerWallet(34), typed_data)
    await client.bindLeg({ public_id: mandate.public_id, signature, nonce })
    rig.advance(60_000)
    rig.venue.control('fund', { address: ownerWallet(34).address, amount: '50' })
    const wrong = (ms: number) =>
      rig.venue.control('fault', { kind: 'stale', ms, endpoint: 'info', type: 'userNonFundingLedgerUpdates' })
    // An answer with a time before the requested start is rejected.
    wrong(600_000)
    await read()
    expect(await foreign(mandate.public_id)).toBe('1000')
    // A wrong time after the requested start is stored. The same payment at its own time is not stored again.
    wrong(30_000)
    await read()
    expect(await foreign(mandate.public_id)).toBe('1050')
    await read()
    expect(await foreign(mandate.public_id)).toBe('1050')
  })

  test('an unknown type of the ledger counts the USDC that it states', async () => {
    const mandate = rig.mandate(12)
    await rig.bind(mandate)
    const address = ownerWallet(12).address.toLowerCase()
    const account = rig.venue.state.accounts[address]
    rig.advance(1_000)
    const time = rig.clock.now().getTime()
    account?.ledger.push({ time, hash: '0x01', delta: { type: 'mystery', usdc: '5' } })
    account?.ledger.push({ time, hash: '0x02', delta: { type: 'otherMystery' } })
    account?.ledger.push({ time, hash: '0x03', delta: { type: 'gift', usdc: '2', user: address, destination: '0x0' } })
    account?.ledger.push({ time, hash: '0x04', delta: { type: 'mystery', usdc: '0' } })
    const before = [await scrapeHere()]
    await rig.run('watchApprovals')
    await expectFires('VenueRowUnknown', { before, after: [await scrapeHere()] })
    expect(await foreign(mandate.public_id)).toBe('1003')
    const counted = sql.type(
      z.object({ type: z.string(), rows: z.number() }),
    )`SELECT type, rows FROM unknown_row ORDER BY type`
    expect(await rig.pool.any(counted)).toEqual([
      { type: 'gift', rows: 1 },
      { type: 'mystery', rows: 2 },
      { type: 'otherMystery', rows: 1 },
    ])
    // The second row of a type is counted, and pages on another day alone.
    const paged = () => lines.flatMap((line) => /"alarm":"venue_row_unknown".*"type":"(\w+)"/.exec(line)?.[1] ?? [])
    expect(paged()).toHaveLength(3)
    expect(paged()).toEqual(expect.arrayContaining(['gift', 'mystery', 'otherMystery']))
    rig.advance(86_400_000)
    const later = rig.clock.now().getTime()
    account?.ledger.push({ time: later, hash: '0x05', delta: { type: 'mystery', usdc: '0' } })
    account?.ledger.push({ time: later, hash: '0x06', delta: { type: 'mystery', usdc: '0' } })
    await rig.run('watchApprovals')
    expect(paged().slice(3)).toEqual(['mystery'])
  })

  test('money that was moved away and back, of which the ledger was read in between alone, is no worth of the leg', async () => {
    const mandate = rig.mandate(13)
    const wallet = ownerWallet(13)
    await rig.bind(mandate)
    await read()
    const move = (toPerp: boolean) => rig.app(wallet, { type: 'usdClassTransfer', amount: '400', toPerp })
    rig.advance(1_000)
    await move(false)
    rig.advance(31 * 60_000)
    await rig.run('watchApprovals')
    expect(await foreign(mandate.public_id)).toBe('600')
    await move(true)
    await read()
    // The cash is the one of before, and so is what belongs to the owner.
    expect(await foreign(mandate.public_id)).toBe('1000')
    expect(await viewOf(mandate)).toMatchObject({ foreign_usdc: '1000', worth_usdc: '1000' })
  })
})
