import { randomOf, type Random } from '#flow/contract/random.ts'

/** How large a history is. */
export interface HistorySize {
  readonly agents: number
  /** Whole UTC days before today. */
  readonly days: number
}

/** The history of `npm start -- --with-history`. */
export const MONTH: HistorySize = { agents: 40, days: 31 }

/** What an agent does on a day; amounts follow from the vault when the day comes. */
export type Act =
  | { readonly kind: 'buy'; readonly market: string; readonly shareOfCapBps: bigint }
  | { readonly kind: 'sell'; readonly market: string; readonly shareOfUnitsBps: bigint }
  /** Asks for more than one call may spend, which the vault refuses. */
  | { readonly kind: 'overreach'; readonly market: string }

/** A market of the test venue with the price of each day, in USDC base units for a whole unit. */
export interface MarketPlan {
  readonly name: string
  readonly prices: readonly bigint[]
}

export interface AgentPlan {
  readonly name: string
  /** Day of its registration. */
  readonly from: number
  /** Owner to whom it is paired. */
  readonly owner: number
  /** Day on which that owner tightens its policy. */
  readonly policyDay: number | null
}

/** A mandate; amounts are USDC base units. */
export interface MandatePlan {
  readonly agent: number
  readonly owner: number
  readonly from: number
  readonly budget: bigint
  readonly deposit: bigint
  readonly topUpDay: number | null
  /** Day on which it ends by its terms; null lets it outlive the history. */
  readonly endsDay: number | null
  /** Day on which its owner stops it. */
  readonly stopDay: number | null
  readonly stopLine: bigint
  readonly approvalAbove: bigint | null
  readonly publicProof: boolean
  /** Acts by day. */
  readonly acts: readonly (readonly Act[])[]
}

/** A month in the life of agents and their owners. Equal sizes give equal plans. */
export interface HistoryPlan {
  readonly size: HistorySize
  readonly owners: number
  readonly markets: readonly MarketPlan[]
  readonly agents: readonly AgentPlan[]
  readonly mandates: readonly MandatePlan[]
}

const USDC = 1_000_000n
const SEED = 24_031
const BPS = 10_000n

/** Opening price in USDC, daily drift and daily deviation, in basis points. */
const MARKETS: readonly (readonly [name: string, price: number, drift: number, deviation: number])[] = [
  ['BTC', 60_000, 12, 180],
  ['ETH', 3_000, -8, 240],
  ['SOL', 150, 25, 420],
  ['AVAX', 32, -20, 380],
  ['LINK', 14, 6, 300],
  ['RAIN-SEOUL', 100, 0, 500],
]

const FIRST = ['Amber', 'Basalt', 'Cinder', 'Dune', 'Ember', 'Fjord', 'Glacier', 'Harbor']
const LAST = ['Heron', 'Lynx', 'Marten', 'Otter', 'Raven']

/** Largest share of a limit that a buy takes, by the kind of agent. */
const CAP_SHARES = [3_000n, 6_000n, 9_000n]

/** Returns the plan of a history. */
export function historyPlan(size: HistorySize): HistoryPlan {
  const random = randomOf(SEED)
  const markets = MARKETS.map(([name, price, drift, deviation]) => ({
    name,
    prices: pathOf(random, size.days + 1, { price, drift, deviation }),
  }))
  const agents = Array.from({ length: size.agents }, (_, index) => agentOf(index, size))
  const people = peopleOf(agents)
  const mandates = agents.flatMap((agent, index) =>
    people
      .mandateOwnersOf(index)
      .map((owner, nth) => mandateOf({ random, size, markets, agent, index }, { owner, nth })),
  )
  return { size, owners: people.count, markets, agents, mandates }
}

/** Five agents of one owner are siblings; every other agent has its own. The last tenth comes late and is not ranked yet. */
function agentOf(index: number, { agents, days }: HistorySize): AgentPlan {
  const late = index >= agents - Math.ceil(agents / 10)
  return {
    name: `${FIRST[index % FIRST.length]} ${LAST[Math.floor(index / FIRST.length) % LAST.length]}`,
    from: late ? days - 6 : index % Math.max(1, Math.min(7, days - 16)),
    owner: isSibling(index) ? SIBLINGS.first : index,
    policyDay: index % 9 === 4 ? Math.floor(days / 2) : null,
  }
}

const SIBLINGS = { first: 24, last: 28 }
const isSibling = (index: number) => index >= SIBLINGS.first && index <= SIBLINGS.last

/** Index of the agent that five independent owners hired. */
const POPULAR = 3

/** Says who hires whom: an agent's own owner alone, strangers alone, or both. */
function peopleOf(agents: readonly AgentPlan[]) {
  const strangers = Math.max(2, Math.floor(agents.length / 2))
  const stranger = (n: number) => agents.length + (n % strangers)
  const mandateOwnersOf = (index: number): readonly number[] => {
    const own = agents[index]?.owner ?? index
    if (index === POPULAR) return [0, 1, 2, 3, 4].map((n) => stranger(n * 2))
    if (index % 8 === 0) return [own]
    if (index % 8 === 7) return [own, stranger(index)]
    return index % 8 >= 5 ? [stranger(index), stranger(index * 3 + 1)] : [stranger(index)]
  }
  return { count: agents.length + strangers, mandateOwnersOf: (index: number) => [...new Set(mandateOwnersOf(index))] }
}

interface Place {
  readonly random: Random
  readonly size: HistorySize
  readonly markets: readonly MarketPlan[]
  readonly agent: AgentPlan
  readonly index: number
}

function mandateOf(place: Place, { owner, nth }: { owner: number; nth: number }): MandatePlan {
  const { size, agent, index } = place
  const from = Math.min(agent.from + nth, size.days - 1)
  const budget = [100n, 200n, 500n, 1_000n][index % 4] as bigint
  const deposit = ((budget * 8n) / 10n) * USDC
  const middle = Math.floor((from + size.days) / 2)
  const closing = index % 10
  return {
    agent: index,
    owner,
    from,
    budget: budget * USDC,
    deposit,
    topUpDay: index % 5 === 1 ? middle : null,
    endsDay: closing === 2 && size.days - from > 12 ? middle + 4 : null,
    stopDay: closing === 6 && size.days - from > 12 ? middle + 6 : null,
    stopLine: closing === 9 ? (deposit * 97n) / 100n : deposit / 2n,
    approvalAbove: index === 17 ? 5n * USDC : null,
    publicProof: index % 4 === 1,
    acts: actsOf(place, from),
  }
}

/**
 * Returns what an agent does from a day on. A skilled agent more often does what the next day's price rewards; nobody
 * knows more than one day.
 */
function actsOf({ random, size, markets, index }: Place, from: number): readonly (readonly Act[])[] {
  const skill = 0.38 + 0.3 * random.next()
  const capShare = CAP_SHARES[index % CAP_SHARES.length] as bigint
  const choice = random.draw(markets, 1 + (index % 2))
  return Array.from({ length: size.days }, (_, day): readonly Act[] => {
    if (day < from) return []
    const market = random.pick(choice)
    const rises = (market.prices[day + 1] as bigint) > (market.prices[day] as bigint)
    const buys = random.next() < skill ? rises : !rises
    const word = random.next()
    if (day > from && word < 0.18) return []
    const overreach: readonly Act[] = word > 0.93 ? [{ kind: 'overreach', market: market.name }] : []
    const act: Act =
      buys || day === from
        ? { kind: 'buy', market: market.name, shareOfCapBps: (capShare * BigInt(50 + random.below(51))) / 100n }
        : { kind: 'sell', market: market.name, shareOfUnitsBps: BigInt(4_000 + random.below(6_001)) }
    return [...overreach, act]
  })
}

/** Returns the price of each day: a random walk of its logarithm. */
function pathOf(
  random: Random,
  days: number,
  { price, drift, deviation }: { price: number; drift: number; deviation: number },
): readonly bigint[] {
  let bps = 0
  return Array.from({ length: days }, () => {
    // The sum of twelve uniform numbers less six is close to a normal one.
    const normal = Array.from({ length: 12 }, () => random.next()).reduce((sum, one) => sum + one, -6)
    bps += drift + deviation * normal
    return (BigInt(price) * USDC * BigInt(Math.round(Number(BPS) * Math.exp(bps / Number(BPS))))) / BPS
  })
}
