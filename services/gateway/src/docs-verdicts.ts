import { assess, newVault, refusalBlock, usdcText, type Terms, type VerdictLine } from '@svc/limits'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { escaped } from './docs-frame.ts'

/** An attempt against the limits of the example. */
export interface ExampleAttempt {
  /** USDC. */
  readonly amount: number
  /** USDC that calls spent earlier on the day. */
  readonly used?: number
  /** The call goes to a contract that is not listed. */
  readonly foreign?: boolean
  /** The end date has passed. */
  readonly over?: boolean
  /** The owner has revoked the agent. */
  readonly paused?: boolean
  /** Worth of the vault, USDC; the budget by default. */
  readonly worth?: number
}

const at = (n: number): `0x${string}` => `0x${String(n).padStart(40, '0')}`
const USDC = 1_000_000n
const BUY = '0xfc18d034'
const NOON = 1_800_100_800n
const units = (amount: number): bigint => BigInt(amount) * USDC

/** The limits of every example: 500 in all, 60 a call, 150 a day, ask above 40, stop at 400. */
const terms: Terms = {
  owner: at(1),
  agent: at(2),
  feeRecipient: at(2),
  usdc: at(4),
  legGateway: at(0),
  budget: units(500),
  perTxCap: units(60),
  dailyCap: units(150),
  approvalAbove: units(40),
  stopLine: units(400),
  legBudget: 0n,
  endsAt: NOON + 86_400n,
  feeBps: 1_000n,
  calls: [{ target: at(7), selector: BUY }],
}

/** Words of a figure in one language. */
export interface VerdictWords {
  readonly clause: Readonly<Record<number, string>>
  readonly of: (would: string, limit: string) => string
  readonly over: (by: string) => string
  readonly asks: string
  readonly above: (limit: string) => string
  readonly passes: string
  readonly refuses: string
}

/** Returns the judgement of an attempt by the rules of the product. */
export function judged({ amount, used = 0, foreign, over, paused, worth = 500 }: ExampleAttempt) {
  const now = over === true ? terms.endsAt + 60n : NOON
  const books = {
    ...newVault(paused === true ? at(0) : at(2)),
    accounted: units(500),
    principal: units(500),
    usedDay: now / 86_400n,
    usedAmount: units(used),
  }
  const observed = {
    vault: books,
    balance: units(500),
    worth: units(worth),
    held: 0n,
    own: 0n,
    legUsed: 0n,
    legHeld: 0n,
    approved: false,
    stoppedInRecord: false,
  }
  const call = {
    caller: at(2),
    target: foreign === true ? at(8) : at(7),
    data: BUY,
    amount: units(amount),
    at: now,
  } as const
  return refusalBlock(assess(terms, observed, call), 'chain')
}

const MEASURED = new Set([2, 3, 6])
const POST = 94

/** Draws why an attempt is refused or held: the rails of its clauses, as the pages of mandates show them. */
export function verdictFigure(caption: string, attempt: ExampleAttempt, words: VerdictWords): string {
  const { code, verdicts } = judged(attempt)
  const asks = code === 'approval_required'
  const measured = verdicts.filter(
    ({ clause, limit, would_be }) => MEASURED.has(clause) && limit !== null && would_be !== null,
  )
  const names = (verdict: VerdictLine['verdict']) =>
    verdicts
      .filter((line) => !measured.includes(line) && line.verdict === verdict)
      .map(({ clause }) => words.clause[clause])
      .join(', ')
  const refused = names('refuse')
  const passed = names('pass')
  return `<figure class="figure"><figcaption>${escaped(caption)}</figcaption><div class="rails">${measured.map((line) => rail(line, words, asks)).join('')}</div>${refused === '' ? '' : `<p class="others over">${escaped(refused)}: ${escaped(words.refuses)}</p>`}<p class="others">${escaped(passed)}: ${escaped(words.passes)}</p></figure>`
}

/** Draws one clause. `heldAlone`: nothing but the approval is missing, so the owner is asked. */
function rail(line: VerdictLine, words: VerdictWords, heldAlone: boolean): string {
  const limit = usdcUnits(line.limit ?? '0')
  const would = usdcUnits(line.would_be ?? '0')
  const used = usdcUnits(line.used ?? '0')
  const isAbove = line.verdict === 'refuse' && line.clause === 6
  const isOver = line.verdict === 'refuse' && !isAbove
  const asks = isAbove && heldAlone
  const share = (amount: bigint) => (limit === 0n ? 0 : Math.min(Number((amount * 1000n) / limit) / 1000, 1))
  const use = share(used) * POST
  const tried = isOver ? 99 - use : share(would > used ? would - used : 0n) * POST
  const figure = asks
    ? words.asks
    : isAbove
      ? words.above(usdcText(limit))
      : isOver
        ? words.over(usdcText(would - limit))
        : words.of(usdcText(would), usdcText(limit))
  const name = words.clause[line.clause] ?? ''
  const hatch = [96, 98, 100].map((x) => `<path class="r-hatch" d="M${x - 2} 11 ${x} 1" stroke-width=".7"/>`).join('')
  return `<div class="railline${asks ? ' asks' : isOver ? ' over' : ''}"><span>${escaped(name)}</span><svg viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label="${escaped(`${name}: ${figure}`)}"><rect class="r-track" y="3" width="${POST}" height="6"/><rect class="r-use" y="3" width="${use}" height="6"/><rect class="r-try" x="${use}" y="3" width="${Math.max(tried, 0)}" height="6"/>${hatch}<rect class="r-post" x="${POST}" width=".9" height="12"/></svg><span>${escaped(figure)}</span></div>`
}
