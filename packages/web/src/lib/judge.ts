import {
  apply,
  assess,
  newVault,
  type Assessment,
  type Figures,
  type Holdings,
  type Observed,
  type RefusalCode,
  type Terms,
  type Vault,
} from '@svc/limits'
import type { Address, Hex } from './wallet.ts'

/** The limits of a mandate as a person sets them, in base units and basis points. */
export type DraftFigures = Omit<Figures, 'endsAt'>

const madeUp = (n: number): Address => `0x${String(n).padStart(40, '0')}`
const [owner, agent, keeper, usdc, factory, vaultAddress, venue, stranger] = [1, 2, 3, 4, 5, 6, 7, 8].map(madeUp) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const BUY: Hex = '0xfc18d034'
/** Midnight UTC of some day; the rules know no other calendar. */
const MIDNIGHT = 1_800_057_600n

/** Returns limits as terms between made-up parties, so that the rules can judge them before anybody signed. */
const termsOf = (figures: DraftFigures): Terms => ({
  ...figures,
  endsAt: MIDNIGHT + 30n * 86_400n,
  owner,
  agent,
  feeRecipient: agent,
  usdc,
  legGateway: madeUp(0),
  legBudget: 0n,
  calls: [{ target: venue, selector: BUY }],
})

const vaultOf = (terms: Terms): Vault => ({
  terms,
  address: vaultAddress,
  factory,
  implementation: factory,
  isVault: () => false,
  keeper,
})

const nothingBeside = { held: 0n, own: 0n, legUsed: 0n, legHeld: 0n, approved: false, stoppedInRecord: false } as const
const observed = ({ vault, balance }: Holdings): Observed => ({ vault, balance, worth: null, ...nothingBeside })

/** Returns the holdings of a vault whose whole budget was paid in. */
const fullVault = ({ budget }: DraftFigures): Holdings => ({
  vault: { ...newVault(agent), accounted: budget, principal: budget },
  balance: budget,
})

/** Returns how the rules judge one purchase of the day, after `used` was spent on it already. */
export function judgePurchase(figures: DraftFigures, amount: bigint, used = 0n): Assessment {
  const at = MIDNIGHT + 43_200n
  const before = fullVault(figures)
  const vault = { ...before.vault, usedDay: at / 86_400n, usedAmount: used }
  return assess(termsOf(figures), observed({ ...before, vault }), {
    caller: agent,
    target: venue,
    data: BUY,
    amount,
    at,
  })
}

/** How an attempt ends. */
export type DayVerdict = 'passes' | 'asks' | 'refused'

/** An attempt of the made-up day. */
export interface DayAttempt {
  /** UTC, `HH:MM`. */
  readonly time: string
  readonly what: 'buys' | 'foreign' | 'worth'
  /** What is bought, or the worth; null for a call of a foreign contract. */
  readonly amount: bigint | null
  readonly verdict: DayVerdict
  readonly code: RefusalCode | null
  /** The largest purchase that would have passed; null if none. */
  readonly most: bigint | null
}

/**
 * Plays a day in which the agent goes too far: half a cap, the cap, a quarter over, 90 %, the cap again, a foreign
 * contract, and a worth that falls to the stop line. The vault's own rules judge each; what asks is taken as approved.
 */
export function dayOf(figures: DraftFigures): readonly DayAttempt[] {
  const terms = termsOf(figures)
  const cap = figures.perTxCap
  let holdings = fullVault(figures)
  const buys = (time: string, amount: bigint): DayAttempt => {
    const attempt = { caller: agent, target: venue, data: BUY, amount, at: secondsOf(time) }
    const judged = assess(terms, observed(holdings), attempt)
    const verdict = verdictOf(judged)
    if (verdict !== 'refused') {
      const effect = { pulled: amount, paid: 0n }
      const outcome = apply(vaultOf(terms), holdings, { name: 'execute', ...attempt, effect })
      if ('vault' in outcome) holdings = outcome
    }
    return { time, what: 'buys', amount, verdict, code: judged.refusal?.code ?? null, most: judged.maxPassing }
  }
  return [
    buys('09:12', cap / 2n),
    buys('11:40', cap),
    buys('13:05', cap + cap / 4n),
    buys('14:30', (cap * 9n) / 10n),
    buys('16:02', cap),
    foreign(terms, holdings),
    worthFalls(terms, holdings),
  ]
}

const secondsOf = (time: string): bigint => {
  const [hours = '0', minutes = '0'] = time.split(':')
  return MIDNIGHT + BigInt(hours) * 3_600n + BigInt(minutes) * 60n
}

const verdictOf = ({ refusal }: Assessment): DayVerdict =>
  refusal === null ? 'passes' : refusal.code === 'approval_required' ? 'asks' : 'refused'

function foreign(terms: Terms, holdings: Holdings): DayAttempt {
  const time = '18:20'
  const attempt = { caller: agent, target: stranger, data: BUY, amount: 0n, at: secondsOf(time) }
  const judged = assess(terms, observed(holdings), attempt)
  const code = judged.refusal?.code ?? null
  return { time, what: 'foreign', amount: null, verdict: verdictOf(judged), code, most: null }
}

/** The keeper marks a worth at the stop line, and the agent tries to go on. Without a stop line the worth falls by half. */
function worthFalls(terms: Terms, holdings: Holdings): DayAttempt {
  const time = '20:45'
  const at = secondsOf(time)
  // What is left in the vault is worth itself, so no mark is below it.
  const spent = { ...holdings, vault: { ...holdings.vault, accounted: 0n }, balance: 0n }
  const worth = terms.stopLine === 0n ? terms.budget / 2n : terms.stopLine
  const marked = apply(vaultOf(terms), spent, { name: 'markWorth', caller: keeper, worth, asOf: at, at })
  const after = 'vault' in marked ? marked : spent
  const judged = assess(terms, observed(after), { caller: agent, target: venue, data: BUY, amount: 0n, at })
  const code = judged.refusal?.code ?? null
  return { time, what: 'worth', amount: worth, verdict: verdictOf(judged), code, most: null }
}

/** Returns how many attempts of a day end in each way. */
export function tallyOf(day: readonly DayAttempt[]): Readonly<Record<DayVerdict, number>> {
  const tally = { passes: 0, asks: 0, refused: 0 }
  for (const { verdict } of day) tally[verdict] += 1
  return tally
}
