import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { takePayments } from '#money/jobs/take-payments.ts'
import { ownerWallet } from '../rig.ts'
import { pool, startMoneyRig } from './money-rig.ts'
import { atVenue, judge, requireMark } from './transfer-books.ts'
import { stranger, TransferScript, type Work } from './transfer-script.ts'

const money = opened(async () => {
  const started = await startMoneyRig()
  started.rig.venue.control('fund', { address: stranger, amount: '1' })
  return { ...started, second: await started.rig.second() }
})

const LONG = process.env['TEST_LONG'] === '1'
const SCRIPTS = LONG ? 1_000 : 30
/** Short scripts in each run: most of their time is the wallet's approval and the end of all transfers. */
const LENGTH = LONG ? { minLength: 10, maxLength: 30 } : { minLength: 3, maxLength: 9 }
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

const reasons = new Set<string>()
async function mark(script: TransferScript): Promise<void> {
  const reason = await requireMark(money, script)
  if (reason !== null) reasons.add(reason)
}

/** Number of owners so far: each script has an account of its own at the venue. */
let owners = 0

test('hl-leg killed between any two steps of a funding, a return and a payment sends nothing twice, and each mark is explained or withheld', async () => {
  owners += 1
  const script = new TransferScript(money, money.second, await money.leg(owners, '40'))
  const moments = new Set<string>()
  const newest = async () => (await script.rows()).at(-1) ?? expect.fail('no transfer')
  const afterDeath = async () => {
    const row = (await script.rows()).at(-1)
    const sent = row !== undefined && row.state === 'sent' && row.copies_unknown > 0
    moments.add(row === undefined ? 'none' : `${row.kind} ${row.state}${sent ? ' with a copy out' : ''}`)
    await script.mark(whole, true)
    await requireMark(money, script)
  }
  const killed = <T>(work: Work<T>) => script.killedAtEachStep(work, afterDeath)
  const lost = (fault: string) => money.rig.venue.control('fault', { kind: fault, endpoint: 'exchange', count: 1 })
  const backed = async () => {
    await killed(script.telling(await newest(), 'chain_sent'))
    await killed(script.telling(await newest(), 'chain_seen'))
  }
  for (const fault of [null, 'drop', 'status500'] as const) {
    await killed(script.opening('fund', '20'))
    await backed()
    if (fault !== null) lost(fault)
    await killed(await script.sending(await newest()))
    await killed(script.following())
    expect(await newest()).toMatchObject({ kind: 'fund', state: 'delivered' })
  }
  await killed(script.opening('fund', '20'))
  await backed()
  const sending = await script.sending(await newest())
  await script.withoutMoney(pool.address, async () => void (await killed(sending)))
  // A copy whose process ended might still arrive, until its nonce has left its window.
  expect(await newest()).toMatchObject({ kind: 'fund', state: 'sent' })
  money.rig.advance(50 * 3_600_000)
  await killed(script.following())
  await backed()
  expect(await newest()).toMatchObject({ kind: 'turn_back', state: 'confirmed' })

  const prepared = (await killed(script.preparing())) ?? expect.fail('nothing to return')
  lost('drop')
  await killed(await script.returning(prepared))
  await killed(script.following())
  await backed()
  expect(await newest()).toMatchObject({ kind: 'return', state: 'confirmed', amount: 60_000_000n })
  await judge(money, script)

  await script.drain('12', pool.address.toLowerCase() as `0x${string}`)
  await script.mark(whole, true)
  await killed((context) => takePayments(context)(AbortSignal.timeout(600_000)))
  await killed(script.opening('refund', '12'))
  await killed(await script.sending(await newest()))
  expect(await newest()).toMatchObject({ kind: 'refund', state: 'delivered', amount: 12_000_000n })
  const sent = atVenue(money, script).ledger.filter(({ delta }) => delta['user'] === pool.address.toLowerCase())
  expect(sent.map(({ delta }) => Number(delta['usdc']))).toEqual([20, 20, 20, 12])
  expect([...moments], 'a process has ended at each of these moments').toEqual([
    'none',
    'fund planned',
    'fund on_chain',
    'fund confirmed',
    'fund sent',
    'fund sent with a copy out',
    'fund delivered',
    'turn_back planned',
    'turn_back on_chain',
    'turn_back confirmed',
    'return planned',
    'return sent',
    'return sent with a copy out',
    'return delivered_at_venue',
    'return on_chain',
    'return confirmed',
    'refund planned',
    'refund sent',
    'refund sent with a copy out',
  ])
})

test('after any script of fundings, returns, faults, kills and replaced blocks no transfer was sent twice, all have ended, and whatever counted in a mark was explained', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, LENGTH), async (steps) => {
      money.rig.venue.control('clear-faults')
      owners += 1
      const script = new TransferScript(money, money.second, await money.leg(owners, '40'))
      for (const [n, one] of steps.entries()) {
        money.rig.advance(5)
        await play(script, one)
        if (LONG || n % 3 === 0) await mark(script)
      }
      money.rig.venue.control('clear-faults')
      await script.settle()
      await judge(money, script)
      money.rig.advance(5)
      await script.mark(whole, true)
      await mark(script)
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
})
