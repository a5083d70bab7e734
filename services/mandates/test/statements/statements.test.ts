import { prepare } from '@svc/chain'
import { sql } from '@svc/postgres'
import { fileReader } from '@svc/service'
import { eventually, opened, refusalOf } from '@svc/testing'
import fc from 'fast-check'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { weekAt, weekOf } from '#statements/rules/iso-week.ts'
import { forgetWorth, insertWorth, type WorthRow } from '#worth/store/worth.ts'
import {
  agent,
  buyCall,
  owner,
  startSeededRig,
  txHash,
  VENUE,
  type Executed,
  type TestMandate,
} from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig({}, '2026-11-18T10:00:00.000Z'))

const mark = (mandate: TestMandate, at: string, worth: bigint | null, more: Partial<WorthRow> = {}) =>
  rig.pool.transaction((tx) =>
    insertWorth(tx, mandate.id, {
      at,
      worth,
      vault_worth: worth ?? 1n,
      unbooked: 0n,
      positions_worth: worth === null ? null : 0n,
      leg_worth: null,
      drawn: null,
      source: 'keeper',
      block_number: 100,
      withheld_reason: worth === null ? 'no_exit_price' : null,
      positions: null,
      ...more,
    }),
  )
/** Stores a log of a mandate's vault as the sweep would. */
const moverOf =
  ({ vault }: TestMandate) =>
  (name: string, args: Readonly<Record<string, string>>, block: number, at: string) =>
    rig.pool.query(sql.unsafe`
      INSERT INTO chain_fact (chain_id, tx_hash, log_ordinal, log_index, vault, name, args, block_number, block_hash, block_time, revision, canonical)
      VALUES (31337, ${txHash()}, 0, 0, ${vault.toLowerCase()}, ${name}, ${JSON.stringify(args)}::jsonb, ${block}, 'h',
        ${at}::timestamptz, 1, true)`)
const statement = async (mandate: TestMandate, week?: string) => {
  const answer = await rig
    .as(owner(11))
    .readStatement({ public_id: mandate.publicId, ...(week === undefined ? {} : { week }) })
  if ('file' in answer) throw new Error('a file came in place of JSON')
  return answer
}
const textOf = async (file: Parameters<ReturnType<typeof fileReader>>[0]) => {
  const stream = await fileReader(rig.bus)(file)
  const data = new Uint8Array(await new Response(stream).arrayBuffer())
  const document = await getDocument({ data, verbosity: 0 }).promise
  const pages = await Promise.all(
    Array.from({ length: document.numPages }, async (_, at) => {
      const content = await (await document.getPage(at + 1)).getTextContent()
      return content.items.map((item) => ('str' in item ? item.str : '')).join('')
    }),
  )
  return { pages: document.numPages, text: pages.join('\n') }
}

describe('the worth series', () => {
  test('returns the stored rows of the window, withheld ones with their reason', async () => {
    const mandate = await rig.newMandate()
    await mark(mandate, '2026-11-01T10:00:00.000Z', 490_000_000n)
    await mark(mandate, '2026-11-18T09:00:00.000Z', 510_500_000n)
    await mark(mandate, '2026-11-18T09:30:00.000Z', null)
    const series = (window: '24h' | '30d') => rig.as(agent(21)).readWorthSeries({ public_id: mandate.publicId, window })
    expect((await series('24h')).items).toMatchObject([
      { worth_usdc: '510.5', withheld_reason: null },
      { worth_usdc: null, withheld_reason: 'no_exit_price' },
    ])
    expect((await series('30d')).items).toHaveLength(3)
    expect((await rig.as(owner(11)).readLive({ public_id: mandate.publicId })).worth).toMatchObject({
      worth_usdc: '510.5',
    })
    expect(await mark(mandate, '2026-11-18T09:30:00.000Z', 1n)).toBeNull()
    expect(await refusalOf(rig.as(owner(12)).readWorthSeries({ public_id: mandate.publicId }))).toMatchObject({
      code: 'unknown_mandate',
    })
  })

  test('keeps the closing row of each UTC day forever and other rows for 45 days', async () => {
    const mandate = await rig.newMandate()
    const days = ['2026-09-01', '2026-09-02', '2026-11-17']
    for (const day of days) for (const hour of ['01', '12', '23']) await mark(mandate, `${day}T${hour}:00:00.000Z`, 1n)
    const before = new Date('2026-10-04T00:00:00.000Z')
    expect(await rig.pool.transaction((tx) => forgetWorth(tx, before, 1000))).toBe(4)
    const all = await rig.as(owner(11)).readWorthSeries({ public_id: mandate.publicId, window: 'all' })
    expect(all.items.map(({ at }) => at)).toEqual(days.map((day) => `${day}T23:00:00.000Z`))
  })
})

describe('a statement', () => {
  test('adds up the chain facts and stored rows of the week', async () => {
    const mandate = await rig.newMandate()
    await rig.pool.query(sql.unsafe`
      INSERT INTO chain_fact (chain_id, tx_hash, log_ordinal, log_index, vault, name, args, block_number, block_hash, block_time, revision, canonical)
      SELECT 31337, ${txHash()}, n, n, ${mandate.vault.toLowerCase()}, name, args::jsonb, 90, 'h', at::timestamptz, 1, canonical FROM (VALUES
        (1, 'Deposited', '{"amount":"100000000","principal":"100000000"}', '2026-11-10T00:00:00Z', true),
        (2, 'Deposited', '{"amount":"50000000","principal":"150000000"}', '2026-11-16T00:00:00Z', true),
        (3, 'DirectDeposit', '{"amount":"5000000","principal":"155000000"}', '2026-11-17T00:00:00Z', true),
        (4, 'Deposited', '{"amount":"70000000","principal":"1"}', '2026-11-17T00:00:00Z', false),
        (0, 'VaultCreated', '{}', '2026-11-08T00:00:00Z', true),
        (5, 'Withdrawn', '{"amount":"154000000","feeAccrued":"1000000"}', '2026-11-17T12:00:00Z', true)
      ) AS fact (n, name, args, at, canonical)`)
    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 30_000_000n, at: rig.clock.now() })
    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 45_000_000n, at: rig.clock.now() })
    await mark(mandate, '2026-11-15T23:00:00.000Z', 100_000_000n)
    await mark(mandate, '2026-11-18T09:00:00.000Z', 131_250_000n)
    const found = await eventually(async () => {
      const answer = await statement(mandate)
      if (answer.violations !== 1) throw new Error('the execution is not judged yet')
      return answer
    })
    expect(found).toMatchObject({
      week: '2026-W47',
      from: '2026-11-16T00:00:00.000Z',
      to: '2026-11-23T00:00:00.000Z',
      complete: false,
      opening_worth_usdc: '100',
      closing_worth_usdc: '131.25',
      deposits_usdc: '55',
      withdrawals_usdc: '154',
      unbooked_usdc: '0',
      profit_usdc: '130.25',
      fees_usdc: '1',
      trades: 2,
      spent_usdc: '75',
      violations: 1,
      days: { counted: 1, inside_limits: 0 },
    })
    const detail = await rig.as(owner(11)).readMandate({ public_id: mandate.publicId })
    expect(found.record_head).toEqual(detail.record_head)
    expect(found.record_head.jws).not.toBeNull()
    expect(await statement(mandate, '2026-W46')).toMatchObject({ complete: true, deposits_usdc: '100', trades: 0 })
  })

  test('has null for a worth that was not marked', async () => {
    const mandate = await rig.newMandate()
    expect(await statement(mandate)).toMatchObject({
      opening_worth_usdc: '0',
      closing_worth_usdc: '0',
      profit_usdc: '0',
    })
    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 1_000_000n, at: new Date('2026-11-10T10:00:00.000Z') })
    await eventually(async () => (await statement(mandate, '2026-W46')).trades === 1)
    expect(await statement(mandate)).toMatchObject({
      opening_worth_usdc: null,
      closing_worth_usdc: null,
      profit_usdc: null,
    })
  })

  test('uses no mark before the last deposit or withdrawal, which would count as profit', async () => {
    const mandate = await rig.newMandate()
    const move = moverOf(mandate)
    await move('Deposited', { amount: '100000000', principal: '100000000' }, 101, '2026-11-17T10:00:00Z')
    await move('Unwound', { received: '4000000' }, 102, '2026-11-17T10:30:00Z')
    await mark(mandate, '2026-11-17T11:00:00.000Z', 104_000_000n, { block_number: 102 })
    expect(await statement(mandate)).toMatchObject({ closing_worth_usdc: '104', profit_usdc: '4' })
    await move('Withdrawn', { amount: '104000000', feeAccrued: '0' }, 103, '2026-11-17T12:00:00Z')
    expect(await statement(mandate)).toMatchObject({ closing_worth_usdc: null, profit_usdc: null })
    await mark(mandate, '2026-11-17T13:00:00.000Z', 0n, { block_number: 103 })
    expect(await statement(mandate)).toMatchObject({ closing_worth_usdc: '0', profit_usdc: '4' })
  })

  test('does not count money that was sent to the address of the vault as profit, whether or not it was recognised', async () => {
    const mandate = await rig.newMandate()
    const move = moverOf(mandate)
    const at = (hour: number) => `2026-11-17T${String(hour).padStart(2, '0')}:00:00.000Z`
    await move('Deposited', { amount: '100000000', principal: '100000000' }, 101, '2026-11-10T10:00:00Z')
    await mark(mandate, '2026-11-15T10:00:00.000Z', 130_000_000n, { block_number: 102, unbooked: 30_000_000n })
    expect(await statement(mandate, '2026-W46')).toMatchObject({ unbooked_usdc: '30', profit_usdc: '0' })
    expect(await statement(mandate)).toMatchObject({ unbooked_usdc: '0', profit_usdc: '0' })
    // Of 70 that lie there by then, the books take up 50.
    await move('DirectDeposit', { amount: '50000000', principal: '150000000' }, 103, at(10))
    await mark(mandate, at(11), 172_000_000n, { block_number: 104, unbooked: 20_000_000n })
    expect(await statement(mandate)).toMatchObject({ deposits_usdc: '50', unbooked_usdc: '-10', profit_usdc: '2' })
    await move('Withdrawn', { amount: '170000000', feeAccrued: '0' }, 105, at(12))
    await mark(mandate, at(13), 0n, { block_number: 105 })
    expect(await statement(mandate)).toMatchObject({
      opening_worth_usdc: '130',
      closing_worth_usdc: '0',
      withdrawals_usdc: '170',
      unbooked_usdc: '-10',
      profit_usdc: '0',
    })
  })

  test('counts a call that a reorganisation moved once, and not at all if the reorganisation removed it', async () => {
    const mandate = await rig.newMandate()
    const data = buyCall(7)
    const input = { public_id: mandate.publicId, target: VENUE, data, approve_amount_usdc: '45' }
    const held = await rig.as(agent(21)).prepareExecution(input)
    if (!('approval' in held)) throw new Error('the call was not held')
    const { approval_id } = held.approval
    await rig.as(owner(11)).decideApproval({ public_id: mandate.publicId, approval_id, decision: 'approve' })
    const [used, unasked, gone] = [txHash(), txHash(), txHash()]
    const at = new Date(rig.clock.now().getTime() + 1000)
    const tell = (tx: string, more: Partial<Executed>) =>
      rig.tell({ vault: mandate.vault, tx, amount: 45_000_000n, data, at, ...more })
    await tell(used, { revision: 1 })
    await tell(used, { revision: 2, canonical: false })
    await tell(used, { revision: 3, block: 200 })
    // Behind the one that has the approval.
    await tell(unasked, { revision: 1, block: 201 })
    await tell(gone, { revision: 1 })
    await tell(gone, { revision: 2, canonical: false })
    const report = {
      public_id: mandate.publicId,
      kind: 'buy',
      amount_usdc: '45',
      occurred_at: at.toISOString(),
    } as const
    rig.clock.advance(2000)
    await eventually(async () => (await rig.as(agent(21)).reportEvent({ ...report, tx_hash: unasked })).violation)
    const found = await eventually(async () => {
      const answer = await statement(mandate)
      if (answer.trades !== 2 || answer.approvals.used !== 1) throw new Error('the executions are not judged yet')
      return answer
    })
    expect(found).toMatchObject({
      trades: 2,
      violations: 1,
      approvals: { requested: 1, approved: 1, declined: 0, used: 1, expired: 0 },
      days: { counted: 1, inside_limits: 0 },
    })
  })

  test('has a trade and its violation in the week of their block, even if they arrive late', async () => {
    const mandate = await rig.newMandate()
    const at = new Date('2026-11-15T23:59:59.000Z')
    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 45_000_000n, at })
    await eventually(async () => (await statement(mandate, '2026-W46')).violations === 1)
    expect(await statement(mandate, '2026-W46')).toMatchObject({ trades: 1, spent_usdc: '45', violations: 1 })
    expect(await statement(mandate)).toMatchObject({ trades: 0, spent_usdc: '0', violations: 0 })
  })

  test('is drawn as a PDF with the same figures', async () => {
    const mandate = await rig.newMandate()
    await mark(mandate, '2026-11-18T09:00:00.000Z', 77_000_000n)
    const answer = await rig.as(owner(11)).readStatement({ public_id: mandate.publicId, format: 'pdf' })
    if (!('file' in answer)) throw new Error('JSON came in place of a file')
    const { pages, text } = await textOf(answer.file)
    expect(pages).toBe(1)
    for (const word of ['Weekend basis', '2026-W47', '77.00', mandate.publicId]) expect(text).toContain(word)
  })

  test('lists the executed calls of the week in the PDF, each with what it meant', async () => {
    const mandate = await rig.newMandate()
    const at = rig.clock.now()
    const { data } = prepare(31_337)
      .venue(VENUE)
      .buy({ m: stringToHex('BTC', { size: 32 }), usdcIn: 20_000_000n, minUnits: 330n })
    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 20_000_000n, data, at, block: 300 })
    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 5_000_000n, input: null, at, block: 301 })
    await eventually(async () => (await statement(mandate)).trades === 2)
    const answer = await rig.as(owner(11)).readStatement({ public_id: mandate.publicId, format: 'pdf' })
    if (!('file' in answer)) throw new Error('JSON came in place of a file')
    const { pages, text } = await textOf(answer.file)
    expect(pages).toBe(2)
    expect(text).toContain('Buy BTC for 20 USDC, at most 60606.060607 USDC for 1 BTC')
    expect(text).toContain('Asset and price unknown')
    expect(text).toContain('-20.00')
  })

  test('over all mandates has totals and excludes drafts', async () => {
    const [one, other] = [await rig.newMandate({ ownerId: 31 }), await rig.newMandate({ ownerId: 31 })]
    await mark(one, '2026-11-18T09:00:00.000Z', 10_000_000n)
    await mark(other, '2026-11-18T09:00:00.000Z', 5_500_000n)
    const answer = await rig.as(owner(31)).readOwnStatement({})
    if ('file' in answer) throw new Error('a file came in place of JSON')
    expect(answer.items).toHaveLength(2)
    expect(answer).toMatchObject({
      owner_id: 31,
      omitted: 0,
      totals: { closing_worth_usdc: '15.5', profit_usdc: '15.5' },
    })
    const drawn = await rig.as(owner(31)).readOwnStatement({ format: 'pdf' })
    if (!('file' in drawn)) throw new Error('JSON came in place of a file')
    expect(await textOf(drawn.file)).toMatchObject({ pages: 3, text: expect.stringContaining('15.50') })
    const none = await rig.as(owner(32)).readOwnStatement({})
    expect(none).toMatchObject({ items: [], totals: { profit_usdc: '0' } })
  })

  test('is refused for strangers, for drafts, and for weeks that do not exist or have not begun', async () => {
    const mandate = await rig.newMandate()
    const ask = (week: string) => refusalOf(statement(mandate, week))
    for (const week of ['2026-W54', '2025-W53', '2026-W48', '2026-11', 'W47'])
      expect(await ask(week)).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(await refusalOf(rig.as(owner(11)).readOwnStatement({ week: '2026-W54' }))).toMatchObject({
      code: 'invalid_request',
    })
    expect(await refusalOf(rig.as(owner(12)).readStatement({ public_id: mandate.publicId }))).toMatchObject({
      code: 'unknown_mandate',
    })
    await rig.pool.query(sql.unsafe`
      UPDATE mandate SET state = 'draft', expires_at = now() + interval '1 year' WHERE id = ${mandate.id}`)
    expect(await refusalOf(statement(mandate))).toMatchObject({ code: 'hub_wrong_state' })
  })
})

describe('the bookings of a mandate', () => {
  const bookings = (mandate: TestMandate, after?: string) =>
    rig.as(owner(11)).listBookings({ public_id: mandate.publicId, ...(after === undefined ? {} : { after }) })

  test('are its deposits, trades, fees and withdrawals in the order of the chain', async () => {
    const mandate = await rig.newMandate()
    const move = moverOf(mandate)
    const at = new Date('2026-11-17T11:00:00.000Z')
    await move('Deposited', { amount: '100000000', principal: '100000000' }, 101, '2026-11-17T10:00:00Z')
    const { data } = prepare(31_337)
      .venue(VENUE)
      .buy({ m: stringToHex('BTC', { size: 32 }), usdcIn: 20_000_000n, minUnits: 330n })
    const [known, unread] = [txHash(), txHash()]
    await rig.tell({ vault: mandate.vault, tx: known, amount: 20_000_000n, data, at, block: 300 })
    await rig.tell({ vault: mandate.vault, tx: unread, amount: 5_000_000n, input: null, at, block: 301 })
    await eventually(async () => (await bookings(mandate)).items.length === 3)
    await move('Withdrawn', { amount: '74000000', feeAccrued: '1000000' }, 302, '2026-11-17T12:00:00Z')
    const { items, more } = await bookings(mandate)
    expect(more).toBe(false)
    expect(items).toMatchObject([
      { n: 1, kind: 'deposit', amount_usdc: '100', fee_usdc: '0' },
      { n: 2, kind: 'buy', market: 'testvenue', instrument: 'BTC', value_usdc: '20', lot: 2, tx_hash: known },
      { n: 3, kind: 'call', market: null, amount_usdc: '-5', lot: null, tx_hash: unread },
      { n: 4, kind: 'withdrawal', amount_usdc: '-74', fee_usdc: '1' },
    ])
    expect((await bookings(mandate, '3')).items).toEqual(items.slice(3))
  })

  test('are none of a mandate without a vault, and are shown to its owner alone', async () => {
    const { publicId: public_id } = await rig.newMandate({ vaultless: true })
    expect(await rig.as(owner(11)).listBookings({ public_id })).toEqual({ public_id, items: [], more: false })
    expect(await refusalOf(rig.as(owner(12)).listBookings({ public_id }))).toMatchObject({ code: 'unknown_mandate' })
    expect(await refusalOf(rig.as(owner(11)).listBookings({ public_id, after: 'x' }))).toMatchObject({
      code: 'invalid_request',
    })
  })
})

test('every time is in exactly one ISO week, the one of its name', () => {
  const times = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(times, (at) => {
      const week = weekAt(at)
      expect(week.from <= at && at < week.to).toBe(true)
      expect(week.from.getUTCDay()).toBe(1)
      expect(weekOf(week.name)).toEqual(week)
      expect(weekAt(week.to).name).not.toBe(week.name)
    }),
  )
  expect([weekAt(new Date('2026-01-01')).name, weekAt(new Date('2027-01-01')).name]).toEqual(['2026-W01', '2026-W53'])
})
