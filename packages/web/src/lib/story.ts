import { apply, assess, newVault, type Holdings, type Terms, type Vault } from '@svc/limits'
import type { Address, Hex } from './wallet.ts'

/** A recorded or made-up day: the worth of a mandate minute by minute, with the alerts that the crash rule sent. */
export interface Story {
  readonly source: string
  readonly venue: string
  readonly symbol: string
  readonly starts_at: string
  /** Pairs that the rule compared with. */
  readonly pairs: number
  /** Amounts are base units. */
  readonly paid_in: number
  readonly limits: {
    readonly budget: number
    readonly per_tx: number
    readonly per_day: number
    readonly ask_above: number
    readonly stop_line: number
  }
  readonly worths: readonly number[]
  readonly alerts: readonly {
    readonly minute: number
    readonly severity: number
    readonly return_60m_bps: number | null
    readonly market_return_60m_bps: number | null
  }[]
}

/** Something that happens in a story. */
export type Beat =
  | {
      readonly minute: number
      readonly kind: 'alert'
      readonly return60m: number | null
      readonly marketReturn60m: number | null
    }
  /** The keeper marked a worth at which the vault stopped the agent for good. */
  | { readonly minute: number; readonly kind: 'stopped'; readonly worth: bigint }
  /** The agent tried to buy, and the rules answered. */
  | {
      readonly minute: number
      readonly kind: 'passed' | 'asked' | 'refused'
      readonly amount: bigint
      readonly code: string | null
    }

const party = (n: number): Address => `0x${String(n).padStart(40, '0')}`
const [owner, agent, keeper, usdc, venue, factory, address] = [1, 2, 3, 4, 5, 6, 7].map(party) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const BUY: Hex = '0xfc18d034'
/** Minutes between attempts of the agent to buy the fall. */
const TRIES_EVERY = 12
const TRIED = 50_000_000n

/** Tells a story: every mark of the worth goes to the vault's own rules, and so does every attempt of the agent. */
export function tellStory(story: Story): readonly Beat[] {
  const { vault, terms } = vaultOf(story)
  const since = BigInt(Date.parse(story.starts_at)) / 1000n
  let holdings = holdingsOf(story)
  const beats: Beat[] = []
  story.worths.forEach((units, minute) => {
    const at = since + BigInt(minute) * 60n
    const worth = BigInt(units)
    for (const alert of story.alerts)
      if (alert.minute === minute)
        beats.push({
          minute,
          kind: 'alert',
          return60m: alert.return_60m_bps,
          marketReturn60m: alert.market_return_60m_bps,
        })
    const marked = apply(vault, holdings, { name: 'markWorth', caller: keeper, worth, asOf: at, at })
    const wasOpen = holdings.vault.stopReason === 0
    if ('vault' in marked) holdings = marked
    if (wasOpen && holdings.vault.stopReason !== 0) beats.push({ minute, kind: 'stopped', worth })
    if (minute % TRIES_EVERY === TRIES_EVERY - 1) beats.push(attempt({ terms, holdings, worth, minute, at }))
  })
  return beats
}

function vaultOf({ starts_at, limits }: Story): { readonly vault: Vault; readonly terms: Terms } {
  const terms: Terms = {
    budget: BigInt(limits.budget),
    perTxCap: BigInt(limits.per_tx),
    dailyCap: BigInt(limits.per_day),
    approvalAbove: BigInt(limits.ask_above),
    stopLine: BigInt(limits.stop_line),
    endsAt: BigInt(Date.parse(starts_at)) / 1000n + 30n * 86_400n,
    feeBps: 0n,
    owner,
    agent,
    feeRecipient: agent,
    usdc,
    legGateway: party(0),
    legBudget: 0n,
    calls: [{ target: venue, selector: BUY }],
  }
  return { terms, vault: { terms, address, factory, implementation: factory, isVault: () => false, keeper } }
}

/** What is left in the vault while the rest is in the token. */
function holdingsOf({ paid_in }: Story): Holdings {
  const left = BigInt(paid_in) / 5n
  return { vault: { ...newVault(agent), accounted: left, principal: BigInt(paid_in) }, balance: left }
}

interface Tried {
  readonly terms: Terms
  readonly holdings: Holdings
  readonly worth: bigint
  readonly minute: number
  readonly at: bigint
}

function attempt({ terms, holdings, worth, minute, at }: Tried): Beat {
  const nothingBeside = { held: 0n, own: 0n, legUsed: 0n, legHeld: 0n, approved: false, stoppedInRecord: false }
  const { refusal } = assess(
    terms,
    { ...holdings, worth, ...nothingBeside },
    { caller: agent, target: venue, data: BUY, amount: TRIED, at },
  )
  const kind = refusal === null ? 'passed' : refusal.code === 'approval_required' ? 'asked' : 'refused'
  return { minute, kind, amount: TRIED, code: refusal?.code ?? null }
}

/** Returns the time of a minute of a story, UTC: `02:32`. */
export const storyTime = ({ starts_at }: Story, minute: number): string =>
  new Date(Date.parse(starts_at) + minute * 60_000).toISOString().slice(11, 16)
