import { nobody, sameAddress } from '@svc/limits'
import { bodyNumber, bodyPart, bodyText, type RecordStep } from './record.ts'
import { amountOf } from './record-fold.ts'

/** How an item looks: inside the limits, waiting for the owner, refused or broken, or neither. */
export type Tone = 'inside' | 'held' | 'out' | 'quiet'

/** A call that an entry tells of; `data` is null where the entry has no calldata. */
export interface RecordedCall {
  readonly target: string
  readonly data: string | null
}

/** An order of the leg that an entry tells of; the size is null where it has none. */
export interface RecordedOrder {
  readonly side: string
  readonly market: string
  readonly size: string | null
}

/** One thing that happened, with the entries that tell of it. */
export interface TimelineItem {
  /** The entry that says what happened. */
  readonly step: RecordStep
  /** Further entries of the same transaction or held call that add to it. */
  readonly also: readonly RecordStep[]
  /** What happened, as a key of the words of the timeline. */
  readonly what: string
  readonly tone: Tone
  /** Base units; null if nothing moved. */
  readonly amount: bigint | null
  /** Whether the amount is a change of the vault, shown with its sign. */
  readonly change: boolean
  /** The call or the order that it is about; null for anything else. */
  readonly call: RecordedCall | null
  readonly order: RecordedOrder | null
  /** Words of the agent or of the owner; a stranger's text. */
  readonly note: string | null
  /** When it happened: by the clock of the chain where the chain tells of it. */
  readonly at: string
}

/** Facts of the chain, and what each is called. */
const FACTS: Readonly<Record<string, string>> = {
  Deposited: 'deposited',
  DirectDeposit: 'arrived',
  Unwound: 'closed_position',
  Settled: 'settled',
  Withdrawn: 'withdrawn',
  FeeClaimed: 'fee_claimed',
  LegFunded: 'leg_funded',
  LegReturned: 'leg_returned',
  Rescued: 'rescued',
}

/** Entries that add to another one of their group, and say nothing of their own beside it. */
const ADDING = new Set([
  'event',
  'vault_transaction',
  'state_changed',
  'approval_used',
  'refusal_proved',
  'settled',
  'foreign_agent',
])

/** Returns what happened, newest first. Entries of one transaction are one item where one of them says it all. */
export function timelineOf(entries: readonly RecordStep[], agent: string | null): readonly TimelineItem[] {
  const groups = Map.groupBy(entries, ({ group, seq }) => (group.startsWith('tx:') ? group : `entry:${seq}`))
  const calls = heldCalls(entries)
  const items = [...groups.values()].flatMap((group) => itemsOfGroup(group, agent))
  return items
    .map((item) => ({ ...item, call: recordedCall(item.step, calls) }))
    .toSorted((one, other) => other.step.seq - one.step.seq)
}

function itemsOfGroup(group: readonly RecordStep[], agent: string | null): TimelineItem[] {
  // A stop revokes the agent in the same transaction.
  const stops = group.some((step) => step.kind === 'chain_fact' && bodyText(step, 'name') === 'Stopped')
  const adds = (step: RecordStep) => ADDING.has(step.kind) || (stops && bodyText(step, 'name') === 'AgentSet')
  const main = group.filter((step) => !adds(step))
  if (main.length === 0) return group.map((step) => itemOf(step, [], agent))
  const adding = group.filter(adds)
  return main.map((step, at) => itemOf(step, at === 0 ? adding : [], agent))
}

function itemOf(step: RecordStep, also: readonly RecordStep[], agent: string | null): TimelineItem {
  const said = step.kind === 'chain_fact' ? factOf(step, agent) : entryOf(step)
  const told = [step, ...also].map((one) => bodyText(one, 'note')).find((note) => note !== null && note !== '')
  return {
    step,
    also,
    amount: null,
    change: false,
    call: null,
    order: recordedOrder(step),
    note: told ?? null,
    at: bodyText(step, 'block_time') ?? step.at,
    ...said,
  }
}

type Said = Pick<TimelineItem, 'what' | 'tone'> & Partial<Pick<TimelineItem, 'amount' | 'change'>>

function factOf(step: RecordStep, agent: string | null): Said {
  const name = bodyText(step, 'name') ?? ''
  const args = bodyPart(step, 'args')
  const figure = (key: string): bigint => {
    const value = args[key]
    return typeof value === 'string' && /^\d{1,39}$/.test(value) ? BigInt(value) : 0n
  }
  switch (name) {
    case 'Executed': {
      const [spent, received] = [figure('spent'), figure('received')]
      const what = spent > 0n ? (received > 0n ? 'traded' : 'bought') : received > 0n ? 'sold' : 'called'
      return { what, tone: 'inside', amount: received - spent, change: true }
    }
    case 'AgentSet': {
      const set = typeof args['agent'] === 'string' ? args['agent'] : ''
      if (sameAddress(set, nobody)) return { what: 'paused', tone: 'held' }
      const known = agent !== null && sameAddress(set, agent)
      return known ? { what: 'resumed', tone: 'inside' } : { what: 'foreign_agent', tone: 'out' }
    }
    case 'Stopped':
      return { what: args['reason'] === '2' ? 'stopped_by_line' : 'stopped', tone: 'out' }
    case 'Unwound':
      return { what: 'closed_position', tone: 'inside', amount: figure('received'), change: true }
    case 'Settled':
      return { what: 'settled', tone: 'quiet', amount: figure('fee') }
    case 'Withdrawn':
    case 'LegFunded':
      return { what: FACTS[name] ?? name, tone: 'quiet', amount: -figure('amount'), change: true }
    default:
      return { what: FACTS[name] ?? 'fact', tone: 'quiet', amount: 'amount' in args ? figure('amount') : null }
  }
}

/** Kinds of entries that wait for somebody, refuse, or stop something. */
const TONES: Readonly<Record<string, Tone>> = {
  approval_requested: 'held',
  approval_approved: 'inside',
  violation: 'out',
  refused: 'out',
  foreign_agent: 'out',
  other_vault_created: 'out',
  stopped_in_record: 'out',
  leg_stop_line: 'out',
  leg_ended: 'out',
  vault_orphaned: 'out',
  chain_fact_orphaned: 'out',
  leg_order: 'inside',
}

function entryOf(step: RecordStep): Said {
  const { kind } = step
  const amount = amountOf(bodyText(step, 'amount_usdc'))
  if (kind === 'refused')
    return { what: `refused_${bodyText(step, 'kind') ?? 'server_guard'}`, tone: 'out', ...asked(step) }
  if (kind === 'event') return { what: `told_${bodyText(step, 'kind') ?? 'note'}`, tone: toneOfReport(step), amount }
  if (kind === 'state_changed') return { what: `state_${bodyText(step, 'to') ?? ''}`, tone: 'quiet' }
  if (kind === 'leg_order') {
    const filled = bodyText(step, 'filled_size')
    if (filled === null || /^[0.]+$/.test(filled)) return { what: 'leg_missed', tone: 'quiet' }
    return { what: bodyText(step, 'side') === 'sell' ? 'leg_sold' : 'leg_bought', tone: 'inside', amount }
  }
  return { what: kind, tone: TONES[kind] ?? 'quiet', amount }
}

const toneOfReport = (step: RecordStep): Tone =>
  step.body['violation'] === true || step.body['contradicts_chain'] === true ? 'out' : 'quiet'

function asked(step: RecordStep): Pick<TimelineItem, 'amount'> {
  const told = bodyPart(step, 'attempted')['amount_usdc']
  return { amount: amountOf(bodyText(step, 'amount_usdc') ?? (typeof told === 'string' ? told : null)) }
}

/** Calls that waited for the owner, by the id of their approval. */
export type HeldCalls = ReadonlyMap<string, RecordedCall>

/** Returns the calls that waited for the owner: later entries of an approval may name it by its id alone. */
export function heldCalls(entries: readonly RecordStep[]): HeldCalls {
  const asked = entries.flatMap((step) => {
    const [id, target] = [bodyText(step, 'approval_id'), bodyText(step, 'target')]
    if (step.kind !== 'approval_requested' || id === null || target === null) return []
    return [[id, { target, data: bodyText(step, 'data') }] as const]
  })
  return new Map(asked)
}

const CALL_FACTS = new Set(['Executed', 'Unwound'])

/** Returns the call that an entry tells of; null for an entry of another kind. */
export function recordedCall(step: Pick<RecordStep, 'kind' | 'body'>, held: HeldCalls): RecordedCall | null {
  const data = bodyText(step, 'data')
  if (step.kind === 'chain_fact') {
    const { target } = bodyPart(step, 'args')
    return CALL_FACTS.has(bodyText(step, 'name') ?? '') && typeof target === 'string' ? { target, data } : null
  }
  if (step.kind !== 'refused' && !step.kind.startsWith('approval_')) return null
  const attempted = bodyPart(step, 'attempted')['target']
  const target = bodyText(step, 'target') ?? (typeof attempted === 'string' ? attempted : null)
  const asked = held.get(bodyText(step, 'approval_id') ?? '') ?? null
  return target === null || data === null ? (asked ?? (target === null ? null : { target, data })) : { target, data }
}

/** Returns the order of the leg that an entry tells of; null for an entry of another kind. */
function recordedOrder(step: RecordStep): RecordedOrder | null {
  const [market, side] = [bodyText(step, 'market'), bodyText(step, 'side')]
  if (market === null || side === null || step.kind === 'event') return null
  return { side, market, size: bodyText(step, 'filled_size') ?? bodyText(step, 'size') }
}

/** Returns true for an item that tells of a refusal. */
export const isRefusal = ({ step }: TimelineItem): boolean => step.kind === 'refused'

/** Who told of an item. A fact that no block confirms yet is only seen. */
export type TellerOf = 'proven' | 'seen' | 'owner' | 'agent' | 'server' | 'keeper' | 'venue'

/**
 * Returns who told of a step. `proved` is the number up to which the chain has confirmed the record; null for none. A
 * refusal of the chain is recorded only once its block is confirmed.
 */
export function tellerOf(step: RecordStep, proved: number | null): TellerOf {
  if (step.source === 'chain') {
    const confirmed = step.kind === 'refused' || (bodyNumber(step, 'revision') ?? 0) > 0
    return confirmed || (proved !== null && step.seq <= proved) ? 'proven' : 'seen'
  }
  const known: readonly string[] = ['owner', 'agent', 'keeper', 'venue']
  return known.includes(step.source) ? (step.source as TellerOf) : 'server'
}
