import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { legStandings } from '#money/leg-standings.ts'
import type { Transfer } from '#money/store/transfers.ts'
import { ownerWallet } from '../rig.ts'
import { pool, startMoneyRig } from './money-rig.ts'
import { stranger, TransferScript } from './transfer-script.ts'

const money = opened(async () => {
  const started = await startMoneyRig()
  started.rig.venue.control('fund', { address: stranger, amount: '1' })
  return { ...started, second: await started.rig.second() }
})

const LONG = process.env['TEST_LONG'] === '1'
const SCRIPTS = LONG ? 300 : 8
/** Each comes before admission or after execution, but for a late answer. */
const FAULTS = ['drop', 'status429', 'status500', 'html502', 'refuse', 'truncated', 'delay'] as const

/** A process ends in every third act. */
const life = fc.record({
  process: fc.constantFrom(0 as const, 1 as const),
  lives: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 12 }) },
  ),
})
const twice = fc.boolean()
const step = fc.oneof(
  // Few amounts, so that entries of the ledger are alike.
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('fund' as const), life, twice, amount: fc.constantFrom('20', '50') }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('chain' as const), life, n: fc.nat({ max: 60 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('send' as const), life, twice, poolIsEmpty: fc.nat({ max: 7 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('follow' as const), life, twice }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('goOn' as const), life }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('return' as const),
      life,
      twice,
      drains: fc.boolean(),
      signs: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lateCopy' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom(...FAULTS),
      endpoint: fc.constantFrom('exchange' as const, 'exchange' as const, 'info' as const),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pay' as const), amount: fc.constantFrom('7.5', '50') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trade' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mark' as const), life, explains: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), sec: fc.constantFrom(1, 30, 130, 3_600, 180_000) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const whole = { process: 0, lives: null } as const
const dropped = { kind: 'fault', endpoint: 'exchange', count: 1 } as const
/** A script that is played always: the first copy arrives without an answer, is read, and the second one is refused. */
const always: Step[] = [
  { kind: 'fund', life: whole, twice: false, amount: '20' },
  { kind: 'goOn', life: whole },
  { kind: 'goOn', life: whole },
  { ...dropped, fault: 'drop' },
  { kind: 'send', life: whole, twice: false, poolIsEmpty: 1 },
  { kind: 'mark', life: whole, explains: false },
  { ...dropped, fault: 'refuse' },
  { kind: 'send', life: { process: 1, lives: null }, twice: false, poolIsEmpty: 1 },
]

async function play(script: TransferScript, one: Step): Promise<unknown> {
  const { rig } = money
  switch (one.kind) {
    case 'fund':
      return script.fund(one.life, one.amount, one.twice)
    case 'chain':
      return script.chain(one.life, one.n)
    case 'send':
      return script.send(one.life, one.twice, one.poolIsEmpty === 0)
    case 'follow':
      return script.follow(one.life, one.twice)
    case 'goOn': {
      const row = (await script.rows()).find(({ open }) => open)
      return row === undefined ? null : script.goOn(one.life, row)
    }
    case 'return':
      return script.giveBack(one.life, one)
    case 'lateCopy':
      return script.lateCopy()
    case 'fault': {
      const { fault, endpoint, count } = one
      // A lost answer is the same as none for a question.
      const kind = endpoint === 'info' && (fault === 'drop' || fault === 'refuse') ? 'status500' : fault
      return rig.venue.control('fault', { kind, endpoint, count, ms: kind === 'delay' ? 20 : 0 })
    }
    case 'pay':
      return rig.venue.control('fund', {
        address: ownerWallet(script.mandate.owner_id).address,
        amount: one.amount,
      })
    case 'trade':
      return script.trade()
    case 'mark':
      return script.mark(one.life, one.explains)
    case 'wait':
      return rig.advance(one.sec * 1_000)
  }
}

/** What the venue knows of the owner's account. */
function atVenue({ mandate }: TransferScript) {
  const account = money.rig.venue.state.accounts[ownerWallet(mandate.owner_id).address.toLowerCase()]
  if (account === undefined) throw new Error('the account is not open')
  return account
}

const reasons = new Set<string>()

/** A figure that counts in a mark is what the venue's own rows explain, or is withheld with the reason. */
async function requireMark(script: TransferScript): Promise<void> {
  const [leg] = await legStandings(money.rig.context, [script.publicId])
  if (leg === undefined) throw new Error('the leg is gone')
  const { value_usdc, foreign_usdc, delivered_usdc, left_usdc, read_at, withheld_reason } = leg
  if (withheld_reason !== null) {
    reasons.add(withheld_reason)
    return
  }
  if (value_usdc === null || foreign_usdc === null || read_at === null) return
  const won = atVenue(script)
    .fills.filter(({ time }) => time <= Date.parse(read_at))
    .reduce((sum, { closedPnl, fee }) => sum + Number(closedPnl) - Number(fee), 0)
  const counted = Number(value_usdc) - Number(foreign_usdc)
  const explained = Number(delivered_usdc) - Number(left_usdc) + won
  expect(Math.abs(counted - explained), `${counted} counts, ${explained} is explained`).toBeLessThan(0.02)
}

/** Compares the rows of a leg, which have all ended, with the venue's ledger of its account. */
async function judge(script: TransferScript): Promise<void> {
  const rows = await script.rows()
  const ofOwner = ownerWallet(script.mandate.owner_id).address.toLowerCase()
  const house = pool.address.toLowerCase()
  expect(
    // A return that nobody signed moves nothing, and an account that was emptied meanwhile has none.
    rows
      .filter(({ open, kind, state }) => open && !(kind === 'return' && state === 'planned'))
      .map(({ kind, state }) => `${kind}: ${state}`),
    'every transfer has ended',
  ).toEqual([])
  const entries = atVenue(script)
    .ledger.filter(({ delta }) => delta['user'] === house || delta['destination'] === house)
    .map(
      ({ hash, delta }) => `${hash} ${String(delta['user'])} ${String(delta['destination'])} ${Number(delta['usdc'])}`,
    )
  const landed = rows
    .filter(({ venue }) => venue === 'landed')
    .map(({ kind, venue_hash, amount }) => {
      const [payer, payee] = kind === 'return' ? [ofOwner, house] : [house, ofOwner]
      return `${venue_hash} ${payer} ${payee} ${Number(amount) / 1e6}`
    })
  expect(landed.toSorted(), 'the ledger has one entry for each transfer that was sent').toEqual(entries.toSorted())
  for (const row of rows) await requireEnd(row, rows)
}

/** Nobody's money is lost or doubled between the chain and the venue. */
async function requireEnd(row: Transfer, rows: readonly Transfer[]): Promise<void> {
  const sides = `${row.kind} ${row.chain} ${row.venue}`
  expect(sides, 'both sides of a transfer agree').toMatch(
    /^(fund (seen|failed) landed|fund (seen|failed) refused|fund failed none|turn_back seen none|return seen landed|return none (none|refused|void))$/,
  )
  const backs = rows.filter(({ kind }) => kind === 'turn_back').length
  const turned = rows.filter(({ state }) => state === 'turned_back').length
  expect(backs, 'what the venue refused is given back once').toBe(turned)
  const debts = await money.rig.pool.anyFirst(sql.type(z.object({ amount: z.string() }))`
    SELECT amount::text AS amount FROM leg_debt WHERE transfer_id = ${row.transfer_id}`)
  expect(debts, 'what no vault paid is owed').toEqual(row.state === 'leg_debt' ? [String(row.amount)] : [])
}

let owners = 0

test(
  'after any script of fundings, returns, faults, kills and replaced blocks no transfer was sent twice, all have ended, and whatever counted in a mark was explained',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        money.rig.venue.control('clear-faults')
        owners += 1
        const script = new TransferScript(money, money.second, await money.leg(owners, '40'))
        for (const one of steps) {
          money.rig.advance(5)
          await play(script, one)
          await requireMark(script)
        }
        money.rig.venue.control('clear-faults')
        await script.settle()
        await judge(script)
        money.rig.advance(5)
        await script.mark({ process: 0, lives: null }, true)
        await requireMark(script)
      }),
      { numRuns: SCRIPTS, seed: 16, endOnFailure: true, examples: [[always]] },
    )
    const ends = await money.rig.pool.anyFirst(sql.type(z.object({ state: z.string() }))`
      SELECT DISTINCT kind || ' ' || state AS state FROM transfer`)
    const common = ['fund delivered', 'return confirmed', 'fund cancelled', 'fund turned_back', 'turn_back confirmed']
    expect(ends, 'the scripts reach these ends').toEqual(
      expect.arrayContaining(LONG ? [...common, 'fund leg_debt', 'return refused', 'return void'] : common.slice(0, 2)),
    )
    if (LONG) expect([...reasons].toSorted()).toContain('leg_transfer_stuck')
  },
  LONG ? 3_600_000 : 120_000,
)
