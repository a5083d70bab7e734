import { unitsOf } from '../../lib/money.ts'
import type { Answer } from '../../lib/routes-of-api.ts'

export type Activity = Answer<'GET /hub/agents/{agent_id}/activity'>['items'][number]

/** One line of the activity. */
export interface ActivityLine {
  /** What happened, as a key of the words; the raw kind where the page has no word for it. */
  readonly what: string
  readonly amount: Money | null
  /** True: the amount moved, and has a sign. False: it was asked for, refused or told of. */
  readonly moved: boolean
  readonly tone: 'quiet' | 'inside' | 'held' | 'out'
}

/** What moved: base units of USDC, or whole Cherry, or text of another asset. */
export type Money =
  | { readonly kind: 'usdc'; readonly units: bigint }
  | { readonly kind: 'cherry'; readonly count: bigint }
  | { readonly kind: 'asset'; readonly amount: string; readonly asset: string }

const textAt = (body: Activity['body'], member: string): string | null => {
  const value = body[member]
  return typeof value === 'string' ? value : null
}
const usdc = (text: string | null): Money | null =>
  text !== null && /^-?\d{1,40}(?:\.\d{1,6})?$/.test(text) ? { kind: 'usdc', units: unitsOf(text) } : null

const OUT = new Set(['refused', 'violation', 'chain_fact_orphaned', 'leg_stop_line', 'deposit_orphaned'])
const INSIDE = new Set(['approval_approved', 'leg_order'])

/** Returns a line for an item of the activity. */
export function lineOf({ what, kind, body }: Activity): ActivityLine {
  if (what === 'cherry') return { what: `cherry_${kind}`, amount: cherryOf(body), moved: true, tone: 'quiet' }
  if (what === 'transfer') {
    const amount = textAt(body, 'amount')
    const asset = textAt(body, 'asset') ?? ''
    return {
      what: textAt(body, 'direction') === 'out' ? 'transfer_out' : 'transfer_in',
      amount: amount === null ? null : { kind: 'asset', amount, asset },
      moved: false,
      tone: kind === 'delivered' ? 'inside' : 'held',
    }
  }
  if (kind === 'chain_fact') return factOf(body)
  if (kind === 'event') {
    const told = textAt(body, 'kind') ?? 'note'
    return {
      what: `told_${told}`,
      amount: usdc(textAt(body, 'amount_usdc')),
      moved: false,
      tone: body['violation'] === true ? 'out' : 'quiet',
    }
  }
  const tone = OUT.has(kind) ? 'out' : INSIDE.has(kind) ? 'inside' : 'quiet'
  const name = kind.startsWith('deposit_') ? 'deposit' : kind
  return {
    what: name,
    amount: usdc(textAt(body, 'amount_usdc') ?? (name === 'deposit' ? textAt(body, 'amount') : null)),
    moved: name === 'deposit' && tone !== 'out',
    tone,
  }
}

function cherryOf(body: Activity['body']): Money | null {
  const { amount } = body
  return typeof amount === 'number' && Number.isSafeInteger(amount) ? { kind: 'cherry', count: BigInt(amount) } : null
}

/** Facts by which USDC comes into a vault, and those by which it leaves. */
const COMES = new Set(['Deposited', 'DirectDeposit', 'Unwound', 'LegReturned'])
const LEAVES = new Set(['Withdrawn', 'FeeClaimed', 'LegFunded'])

function factOf(body: Activity['body']): ActivityLine {
  const name = textAt(body, 'name') ?? 'fact'
  const args =
    typeof body['args'] === 'object' && body['args'] !== null ? (body['args'] as Record<string, unknown>) : {}
  const figure = (member: string): bigint => {
    const value = args[member]
    return typeof value === 'string' && /^\d{1,39}$/.test(value) ? BigInt(value) : 0n
  }
  if (name !== 'Executed') {
    const member = name === 'Unwound' ? 'received' : 'amount'
    const moved = member in args && (COMES.has(name) || LEAVES.has(name))
    const units = LEAVES.has(name) ? -figure(member) : figure(member)
    return { what: name, amount: moved ? { kind: 'usdc', units } : null, moved, tone: 'quiet' }
  }
  const [spent, received] = [figure('spent'), figure('received')]
  const what = spent > 0n ? 'bought' : received > 0n ? 'sold' : 'called'
  return { what, amount: { kind: 'usdc', units: received - spent }, moved: true, tone: 'inside' }
}
