import { type AllowedCall, type Hex, isLegMarket, type Terms, usdcText } from '@svc/limits'
import { getAddress, zeroAddress } from 'viem'

/** A market that a mandate allows, with its name in the market catalogue. */
export interface TermsMarket {
  readonly id: string
  readonly title: string
  /** Functions of its contracts; empty for a market that is traded through the leg. */
  readonly calls: readonly AllowedCall[]
}

/** The numbers and parties of a mandate. Amounts are USDC base units, times Unix seconds. */
export interface MandateTerms extends Omit<Terms, 'calls'> {
  /** The mandate's public id. */
  readonly mandateId: string
  readonly markets: readonly TermsMarket[]
}

/** A clause that the owner reads and signs. */
export interface Clause {
  readonly number: number
  readonly text: string
}

/** Returns every function that the markets allow, without repetitions, in the order of the markets. */
export function callsOf(markets: readonly TermsMarket[]): AllowedCall[] {
  const byPair = new Map<string, AllowedCall>()
  for (const { target, selector } of markets.flatMap(({ calls }) => calls)) {
    const pair = `${target}${selector}`.toLowerCase()
    if (!byPair.has(pair)) byPair.set(pair, { target: getAddress(target), selector: selector.toLowerCase() as Hex })
  }
  return [...byPair.values()]
}

/**
 * Edition of the wording of the clauses. The texts are part of what is signed, so that signed terms keep their edition. 1: an
 * order at the leg counts at its worst price; 2: at its reference price.
 */
export type ClauseEdition = 1 | 2
/** The edition that is signed now. */
export const CLAUSE_EDITION = 2 satisfies ClauseEdition
/** Every edition that may have been signed, the present one first. */
export const CLAUSE_EDITIONS = [CLAUSE_EDITION, 1] as const satisfies readonly ClauseEdition[]

/**
 * Returns the texts of the eight clauses in an edition, which otherwise depend on the numbers alone. Each text states what the
 * contract enforces and what it cannot.
 */
export function clausesOf(terms: MandateTerms, edition: ClauseEdition = CLAUSE_EDITION): readonly Clause[] {
  const texts = [budget, perTransaction, daily, markets, end, approval, stopLine, fee]
  return texts.map((text, at) => ({ number: at + 1, text: text(terms, COUNTED[edition]).join(' ') }))
}

/** How an edition says at which price an order at the leg counts. */
interface Counted {
  /** Of the size of one order, in clause 2. */
  readonly order: readonly string[]
  /** Of the sum of a day, in clause 3. */
  readonly day: readonly string[]
  /** Of the approval amount, in clause 6. */
  readonly approval: string
}

const COUNTED: Readonly<Record<ClauseEdition, Counted>> = {
  1: {
    order: ['its size at the worst price that it accepts.'],
    day: ['at the worst price that they accept; closing orders are not capped.'],
    approval: 'at the worst price that they accept',
  },
  2: {
    order: [
      'its size at its reference price.',
      'The reference price is the highest of the worst price that the order accepts, the mark, the middle of the book and, for a sale, the best bid, as the guard read them for the order.',
    ],
    day: [
      'at their reference price; closing orders are not capped.',
      'What an order filled counts at the prices of its fills: a sale can fill above its reference price and then uses more of the day.',
    ],
    approval: 'at their reference price',
  },
}

type Sentences = (terms: MandateTerms, counted: Counted) => string[]

/** Whether the vault can send money to the leg. */
const fundsLeg = ({ legGateway }: MandateTerms) => legGateway.toLowerCase() !== zeroAddress
/** Whether the agent may trade in the venue account of the owner; such a vault need not fund the leg. */
const tradesOnLeg = (terms: MandateTerms) => terms.markets.some(({ id }) => isLegMarket(id))
/** Returns sentences about the leg, for terms that allow one of its markets. */
const aboutLeg = (terms: MandateTerms, ...sentences: string[]) => (tradesOnLeg(terms) ? sentences : [])
const amount = (baseUnits: bigint) => `${usdcText(baseUnits)} USDC`
const DAY_SECONDS = 86_400n

const budget: Sentences = (terms) => [
  `Budget: at most ${amount(terms.budget)} may be paid into the vault.`,
  'What is sent to the vault beyond that stays out of reach of the agent and goes back to the owner.',
  ...(fundsLeg(terms)
    ? [
        `Of the budget, at most ${amount(terms.legBudget)} may be out at the leg gateway ${getAddress(terms.legGateway)} at one time.`,
      ]
    : []),
]

const perTransaction: Sentences = (terms, { order }) => [
  `Per-transaction cap: one call of the agent may spend at most ${amount(terms.perTxCap)}.`,
  'All USDC that the called contract takes counts, also what it gives back in the same call.',
  ...aboutLeg(
    terms,
    `One opening order at the leg may be at most ${amount(terms.perTxCap)}, ${order.join(' ')}`,
    'The contract enforces the cap for calls of the vault, the guard of the service for orders at the leg.',
    'Closing orders at the leg are not capped.',
  ),
]

const daily: Sentences = (terms, { day }) => [
  `Daily cap: the calls of the agent may spend at most ${amount(terms.dailyCap)} together in one UTC day.`,
  `The contract counts UTC days, from 00:00 to 24:00 UTC, so around midnight up to ${amount(terms.dailyCap * 2n)}, twice the cap, can be spent within 24 hours.`,
  ...aboutLeg(
    terms,
    `Opening orders at the leg count toward the same cap, ${day.join(' ')}`,
    'The contract sees only its part, the calls of the vault; the guard of the service counts both parts together and refuses orders at the leg.',
  ),
  ...(fundsLeg(terms) ? ['Money that goes to the leg is not counted here; clause 1 limits it.'] : []),
]

const markets: Sentences = (terms) => {
  const onChain = terms.markets.filter(({ calls }) => calls.length > 0)
  const onLeg = terms.markets.filter(({ calls }) => calls.length === 0)
  const listed = onChain.map(({ id, title, calls }) => `${title} (${id}): ${calls.map(callText).join(', ')}`)
  return [
    onChain.length === 0
      ? 'Allowed markets: through the vault the agent may call no contract.'
      : `Allowed markets: through the vault the agent may call these functions and no other: ${listed.join('; ')}.`,
    ...(onChain.length === 0
      ? []
      : [
          'The contract allows contracts and functions; it does not tell the inner markets of a venue apart.',
          'Selling a position is not capped: it is bounded only by the price limits of the listed venue itself.',
        ]),
    ...(onLeg.length === 0
      ? []
      : [
          `Through the leg the agent may trade: ${onLeg.map(({ id, title }) => `${title} (${id})`).join(', ')}.`,
          'The guard of the service enforces this for the leg; the contract does not know these markets.',
          'Closing orders at the leg are not capped, and they stay possible on a market that the venue no longer lists for new orders.',
        ]),
  ]
}

const callText = ({ target, selector }: AllowedCall) => `${getAddress(target)} function ${selector.toLowerCase()}`

const end: Sentences = ({ endsAt }) => [
  `End date: from ${timeText(endsAt)} (Unix time ${endsAt}) on the agent can spend nothing; it may then only close positions.`,
  `The owner can withdraw after stopping the vault, after its settlement, or from ${timeText(endsAt + DAY_SECONDS)}.`,
]

const approval: Sentences = (terms, counted) => {
  const { approvalAbove } = terms
  if (approvalAbove === null)
    return [
      'Approval amount: none. No spending is held for the approval of the owner.',
      ...aboutLeg(terms, 'No order at the leg is held either.'),
    ]
  return [
    approvalAbove === 0n
      ? 'Approval amount: 0 USDC. All spending of the agent is held until the owner approves it.'
      : `Approval amount: spending above ${amount(approvalAbove)} is held until the owner approves it.`,
    'The guard of the service holds what goes through it; the contract cannot enforce this clause.',
    'The wallet of the agent could act without the guard, and the record would then show a violation.',
    ...aboutLeg(
      terms,
      `Opening orders at the leg above this amount, ${counted.approval}, are held too.`,
      'The guard of the service enforces this for the leg: the service keeps the key of these orders, so the agent cannot trade there without the guard.',
    ),
  ]
}

const stopLine: Sentences = (terms) => {
  const line = terms.stopLine
  if (line === 0n)
    return [
      'Stop line: off. A loss of worth does not stop the agent.',
      ...aboutLeg(terms, 'It closes no position at the leg.'),
    ]
  return [
    `Stop line: when the keeper reports a worth of ${amount(line)} or less, the vault stops the agent for good; positions can then only be closed.`,
    'The contract knows no prices and relies on the reports of the keeper; nothing is reported before more than the stop line was paid in.',
    ...aboutLeg(
      terms,
      'The worth includes the leg.',
      'Positions at the leg are closed by the guard of the service at the prices of the venue, not by the contract; they can lose more before they are closed.',
    ),
  ]
}

const fee: Sentences = (terms) => [
  terms.feeBps === 0n
    ? 'Fee and settlement: no fee is charged.'
    : `Fee and settlement: the fee is ${percentText(terms.feeBps)} (${terms.feeBps} basis points) of the realised profit, for ${getAddress(terms.feeRecipient)}.`,
  ...(terms.feeBps === 0n
    ? []
    : [
        'The vault computes it from its own books, never from a reported worth, and takes it at the withdrawal or the settlement.',
      ]),
  'The keeper settles the vault once after it was stopped or has ended; a day later anybody can.',
  ...aboutLeg(
    terms,
    terms.feeBps === 0n
      ? 'A result at the leg is charged no fee either.'
      : 'A profit at the leg counts once it comes back to the vault, and only what comes back; the contract sees nothing else of the leg.',
  ),
  ...(fundsLeg(terms) ? ['While leg money is out, the settlement waits for up to two days after that.'] : []),
]

/** Formats basis points: 1000 as "10%", 1234 as "12.34%". */
function percentText(bps: bigint): string {
  const fraction = String(bps % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '')
  return `${bps / 100n}${fraction === '' ? '' : `.${fraction}`}%`
}

function timeText(seconds: bigint): string {
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
