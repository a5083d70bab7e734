import { expect, test } from 'vitest'
import { entriesOf, provedUpTo, unreadRecord, withAnswer, type RecordStep } from './record.ts'
import { foldRecord, recompute } from './refused.ts'
import { termsOfTypedData } from './signed-terms.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`
const message = {
  owner: address('1'),
  agent: address('2'),
  feeRecipient: address('2'),
  usdc: address('3'),
  legGateway: address('0'),
  budget: '500000000',
  perTxCap: '80000000',
  dailyCap: '150000000',
  approvalAbove: '50000000',
  stopLine: '400000000',
  legBudget: '0',
  endsAt: '1798675200',
  feeBps: '1000',
  calls: [{ target: address('4'), selector: '0xfc18d034' }],
}
const judging = { terms: termsOfTypedData(message, true), markets: ['hl:BTC'] }
const NOON = '2026-11-22T12:00:00.000Z'
const DAY = String(Math.floor(Date.parse(NOON) / 86_400_000))
const place = { chain_id: 31_337, vault: address('5') }

type Step = Pick<RecordStep, 'kind' | 'body'> & Partial<RecordStep>
const recordOf = (steps: readonly Step[]): readonly RecordStep[] =>
  steps.map((step, at) => ({
    id: `entry:${at + 1}`,
    group: step.tx_hash ? `tx:${step.tx_hash}` : `entry:${at + 1}`,
    seq: at + 1,
    at: NOON,
    source: 'chain',
    tx_hash: null,
    ...step,
  }))
const fact = (name: string, block: number, args: Record<string, string | boolean>): Step => ({
  kind: 'chain_fact',
  tx_hash: `0x${String(block).padStart(64, '0')}`,
  body: { ...place, name, args, block_number: block, log_ordinal: 0, block_time: NOON, revision: 1 },
})
const deposited = fact('Deposited', 10, { amount: '500000000', principal: '500000000' })
const executed = (block: number, spent: string, usedToday: string) =>
  fact('Executed', block, { target: address('4'), spent, received: '0', day: DAY, usedToday })
const refusedOnChain = (kind: string, block: number, amount_usdc: string, more: object = {}): Step => ({
  kind: 'refused',
  tx_hash: `0x${String(block).padStart(64, 'f')}`,
  body: {
    kind,
    target: address('4'),
    selector: '0xfc18d034',
    amount_usdc,
    block_number: block,
    block_time: NOON,
    ...more,
  },
})
const judged = (steps: readonly Step[]) => {
  const entries = recordOf(steps)
  const last = entries.at(-1)
  if (last === undefined) throw new Error('no entry')
  return recompute(foldRecord(entries, judging), last)
}
const clause = (steps: readonly Step[], n: number) => judged(steps)?.verdicts.find((one) => one.clause === n)

test('a refusal over the daily cap follows from what the facts before it had used', () => {
  const steps = [deposited, executed(11, '75000000', '75000000'), refusedOnChain('OverDailyCap', 12, '76')]
  expect(judged(steps)).toMatchObject({ finding: 'agrees', computed: 'OverDailyCap', clause: 3, amount: 76_000_000n })
  expect(clause(steps, 3)).toMatchObject({ limit: '150', used: '75', would_be: '151' })
})

test('a fact after the refused call in the chain does not count, whenever the record learned of it', () => {
  const late = [deposited, executed(13, '75000000', '75000000'), refusedOnChain('OverDailyCap', 12, '76')]
  expect(judged(late)).toMatchObject({ finding: 'differs', computed: null })
})

test('a fact in the block of the refused call counts if it explains the refusal: the record does not order a block', () => {
  const steps = [deposited, executed(12, '75000000', '75000000'), refusedOnChain('OverDailyCap', 12, '76')]
  expect(judged(steps)).toMatchObject({ finding: 'agrees' })
})

test('a fact that a reorganisation took back does not count', () => {
  const spent = executed(11, '75000000', '75000000')
  const gone = { ...spent, kind: 'chain_fact_orphaned' }
  expect(judged([deposited, spent, gone, refusedOnChain('OverDailyCap', 12, '76')])).toMatchObject({
    finding: 'differs',
  })
})

test('a recorded kind that the facts do not lead to is found, with the kind that they lead to', () => {
  const steps = [deposited, refusedOnChain('OverDailyCap', 12, '81')]
  expect(judged(steps)).toMatchObject({
    finding: 'differs',
    recorded: 'OverDailyCap',
    computed: 'OverPerTxCap',
    clause: 2,
  })
})

test('a foreign function, a pause, a stop and the end are each recomputed', () => {
  const foreign = refusedOnChain('TargetNotAllowed', 12, '1', { selector: '0xdeadbeef' })
  expect(judged([deposited, foreign])).toMatchObject({ finding: 'agrees', clause: 4 })
  const paused = fact('AgentSet', 11, { agent: address('0') })
  expect(judged([deposited, paused, refusedOnChain('MandateStopped', 12, '1')])).toMatchObject({ finding: 'agrees' })
  const stopped = fact('Stopped', 11, { reason: '2', stoppedAt: '1795348800' })
  expect(judged([deposited, stopped, refusedOnChain('MandateStopped', 12, '1')])).toMatchObject({
    finding: 'agrees',
    clause: 7,
  })
  const ended = refusedOnChain('MandateEnded', 12, '1', { block_time: '2027-01-01T00:00:00.000Z' })
  expect(judged([deposited, ended])).toMatchObject({ finding: 'agrees', clause: 5 })
})

const asks = (id: string, amount_usdc: string, more: object = {}): Step => ({
  kind: 'approval_requested',
  source: 'agent',
  body: { approval_id: id, target: address('4'), amount_usdc, ...more },
})
const refusedByGuard = (kind: string, amount_usdc: string, more: object = {}): Step => ({
  kind: 'refused',
  source: 'server',
  body: { kind, target: address('4'), selector: '0xfc18d034', amount_usdc, ...more },
})

test('the guard counts held calls, the vault does not', () => {
  const spent = [deposited, executed(11, '80000000', '80000000'), asks('apr_1', '60')]
  expect(judged([...spent, refusedByGuard('server_guard', '20')])).toMatchObject({ finding: 'agrees', clause: 3 })
  expect(judged([...spent, refusedOnChain('OverDailyCap', 12, '20')])).toMatchObject({ finding: 'differs' })
})

test('a decided, used or expired item holds nothing, and a released one holds again', () => {
  const ends: readonly Step[] = [
    { kind: 'approval_used', source: 'chain', body: { approval_id: 'apr_1' } },
    { kind: 'approval_expired', source: 'server', body: { approval_id: 'apr_1' } },
    { kind: 'refused', source: 'owner', body: { kind: 'owner_declined', approval_id: 'apr_1', amount_usdc: '60' } },
  ]
  const spent = [deposited, executed(11, '80000000', '80000000'), asks('apr_1', '60')]
  for (const end of ends)
    expect(judged([...spent, end, refusedByGuard('server_guard', '20')])).toMatchObject({ finding: 'open' })
  const released: Step = { kind: 'approval_released', source: 'server', body: { approval_id: 'apr_1' } }
  const again = [...spent, ...ends.slice(0, 1), released, refusedByGuard('server_guard', '20')]
  expect(judged(again)).toMatchObject({ finding: 'agrees' })
})

test('a stop in the record refuses for the guard alone', () => {
  const stop: Step = { kind: 'stopped_in_record', source: 'owner', body: {} }
  expect(judged([deposited, stop, refusedByGuard('server_guard', '1')])).toMatchObject({ finding: 'agrees' })
  expect(judged([deposited, stop, refusedOnChain('MandateStopped', 12, '1')])).toMatchObject({ finding: 'differs' })
})

test('an order of the leg is judged by its caps, and what the record does not hold is left open', () => {
  const order = (kind: string, amount_usdc: string, market = 'hl:BTC'): Step => ({
    kind: 'refused',
    source: 'server',
    body: { kind, market, side: 'buy', amount_usdc },
  })
  expect(judged([deposited, order('OverPerTxCap', '81')])).toMatchObject({ finding: 'agrees', clause: 2 })
  expect(judged([deposited, order('TargetNotAllowed', '1', 'hl:ETH')])).toMatchObject({ finding: 'agrees', clause: 4 })
  expect(judged([deposited, order('OverDailyCap', '40')])).toMatchObject({ finding: 'open' })
})

test('a question is judged by what was used before it, and states no refusal', () => {
  const asked: Step = {
    kind: 'approval_requested',
    source: 'agent',
    body: { approval_id: 'apv_1', target: address('4'), data: `0xfc18d034${'0'.repeat(64)}`, amount_usdc: '60' },
  }
  const steps = [deposited, executed(11, '75000000', '75000000'), asked]
  expect(judged(steps)).toMatchObject({ finding: 'shown', recorded: null, amount: 60_000_000n })
  expect(clause(steps, 3)).toMatchObject({ used: '75', would_be: '135', verdict: 'pass' })
  expect(clause(steps, 6)).toMatchObject({ limit: '50', would_be: '60', verdict: 'refuse' })
})

test('a trade is judged by the books before it; one that spent nothing, or whose calldata is unknown, is not', () => {
  const trade = (spent: string): Step => {
    const step = executed(12, spent, '105000000')
    return { ...step, body: { ...step.body, data: `0xfc18d034${'0'.repeat(64)}` } }
  }
  const steps = [deposited, executed(11, '75000000', '75000000'), trade('30000000')]
  expect(judged(steps)).toMatchObject({ finding: 'shown', recorded: null, computed: null, amount: 30_000_000n })
  expect(clause(steps, 3)).toMatchObject({ used: '75', would_be: '105', verdict: 'pass' })
  expect(judged([deposited, trade('0')])).toBeNull()
  expect(judged([deposited, executed(11, '75000000', '75000000')])).toBeNull()
})

test('a declined request and an entry without an amount are not judged', () => {
  expect(judged([{ kind: 'refused', source: 'owner', body: { kind: 'owner_declined', amount_usdc: '9' } }])).toBeNull()
  expect(judged([{ kind: 'refused', source: 'agent', body: { kind: 'OverDailyCap', attempted: {} } }])).toBeNull()
  expect(judged([deposited])).toBeNull()
})

test('facts that contradict the running totals before them are found', () => {
  const entries = recordOf([deposited, executed(11, '75000000', '80000000')])
  expect(foldRecord(entries, judging).folded.contradictions).toEqual([
    { figure: 'usedAmount', books: 75_000_000n, event: 80_000_000n },
  ])
})

test('an answer replaces its groups as a whole and its steps by id, and asking again changes nothing', () => {
  const [one, two, three] = recordOf([
    { kind: 'a', tx_hash: '0x1', body: {} },
    { kind: 'b', tx_hash: '0x1', body: {} },
    { kind: 'c', body: {} },
  ]) as [RecordStep, RecordStep, RecordStep]
  const proved = { ...one, id: 'proved', group: 'proved', kind: 'proved', seq: 2 }
  const first = withAnswer(unreadRecord, { steps: [one, two, proved], next_since: '2' })
  expect(provedUpTo(first)).toBe(2)
  expect(entriesOf(first).map(({ kind }) => kind)).toEqual(['a', 'b'])
  const later = withAnswer(first, { steps: [{ ...one, kind: 'A' }, three], next_since: '3' })
  expect(entriesOf(later).map(({ kind }) => kind)).toEqual(['A', 'c'])
  expect(withAnswer(later, { steps: [], next_since: '3' })).toBe(later)
})
