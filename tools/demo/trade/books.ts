import { Surprise } from '../request.ts'
import type { Walk } from '../walk.ts'
import { dollars, isNear, product, total, units } from './units.ts'

interface PaperBook {
  readonly start_usdc: string
  readonly equity_usdc: string
  readonly fees_paid_usdc: string
  readonly funding_usdc: string
  readonly positions: readonly { readonly side: string; readonly size: string; readonly mark_price: string }[]
  readonly fills: readonly {
    readonly side: string
    readonly notional_usdc: string
    readonly fee_usdc: string
    readonly covered_usdc: string
  }[]
  readonly funding: readonly { readonly usdc: string }[]
}

/** Adds a paper book up from its fills and funding, and compares its equity, fees and funding with what the API says. */
export function checkPaperBook(walk: Walk, book: PaperBook): void {
  const fees = total(book.fills.map(({ fee_usdc }) => units(fee_usdc)))
  const funding = total(book.funding.map(({ usdc }) => units(usdc)))
  const traded = total(
    book.fills.map(({ side, notional_usdc }) => (side === 'buy' ? -units(notional_usdc) : units(notional_usdc))),
  )
  const covered = total(book.fills.map(({ covered_usdc }) => units(covered_usdc)))
  const held = total(
    book.positions.map(({ side, size, mark_price }) => (side === 'long' ? 1n : -1n) * product(size, mark_price)),
  )
  const equity = units(book.start_usdc) + traded - fees + funding + covered + held
  walk.step('the paper book, added up from its fills')
  for (const [what, sum, said] of [
    ['fees', fees, units(book.fees_paid_usdc)],
    ['funding', funding, units(book.funding_usdc)],
    ['equity', equity, units(book.equity_usdc)],
  ] as const)
    if (!isNear(sum, said))
      throw new Surprise(`${what} of the paper book: ${dollars(said)}, the fills say ${dollars(sum)}`)
  walk.outcome(true, `start ${book.start_usdc}, fees ${dollars(fees)}, equity ${dollars(equity)}: as the API says`)
}

/** An order as the API tells it. */
interface Told {
  readonly cloid: string
  readonly filled_size: string
  readonly notional_usdc: string
  readonly fee_usdc: string
}

const ask = async (infoUrl: string, body: object): Promise<unknown> => {
  const answer = await fetch(infoUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`the venue answered ${answer.status}`)
  return answer.json()
}

/** Compares an order with the executions that the venue lists for everybody. */
export async function checkOrder(walk: Walk, infoUrl: string, user: string, told: Told): Promise<void> {
  const fills = (await ask(infoUrl, { type: 'userFills', user })) as {
    cloid?: string
    px: string
    sz: string
    fee: string
  }[]
  const own = fills.filter(({ cloid }) => cloid === told.cloid)
  const [size, notional, fee] = [
    total(own.map(({ sz }) => units(sz))),
    total(own.map(({ px, sz }) => product(px, sz))),
    total(own.map((fill) => units(fill.fee))),
  ]
  walk.step('the order, as the venue lists its executions')
  for (const [what, sum, said] of [
    ['size', size, units(told.filled_size)],
    ['notional', notional, units(told.notional_usdc)],
    ['fee', fee, units(told.fee_usdc)],
  ] as const)
    if (!isNear(sum, said)) throw new Surprise(`${what} of the order: ${dollars(said)}, the venue says ${dollars(sum)}`)
  walk.outcome(
    true,
    `${own.length} execution(s), ${dollars(notional)} USDC, fee ${dollars(fee)} with the builder's part`,
  )
}

/** Adds an account up from its deposit and executions, and compares with the value that the venue states. */
export async function checkAccount(walk: Walk, infoUrl: string, user: string, deposit: string): Promise<void> {
  const fills = (await ask(infoUrl, { type: 'userFills', user })) as { closedPnl: string; fee: string }[]
  const funding = (await ask(infoUrl, { type: 'userFunding', user, startTime: 0 })) as { delta: { usdc: string } }[]
  const state = (await ask(infoUrl, { type: 'clearinghouseState', user })) as {
    marginSummary: { accountValue: string }
    assetPositions: unknown[]
  }
  const value =
    units(deposit) +
    total(fills.map(({ closedPnl, fee }) => units(closedPnl) - units(fee))) +
    total(funding.map(({ delta }) => units(delta.usdc)))
  walk.step('the account, added up from its executions')
  if (state.assetPositions.length > 0) throw new Surprise('the account still has a position at the venue')
  if (!isNear(value, units(state.marginSummary.accountValue)))
    throw new Surprise(`the account is worth ${state.marginSummary.accountValue}, its executions say ${dollars(value)}`)
  walk.outcome(true, `${deposit} USDC less fees and losses are ${dollars(value)} USDC: as the venue says`)
}
