import { Decimal } from 'decimal.js'
import { dexOf } from '@svc/venue/rules/market-id'

/** An execution, as far as it changes the cash of an account. Decimal text of the venue. */
export interface Execution {
  readonly coin: string
  readonly closedPnl: string
  readonly fee: string
  readonly feeToken: string
}

/** Funding of a position. Decimal text of the venue. */
export interface Funding {
  readonly coin: string
  readonly usdc: string
}

/** Names of spot pairs and other markets that are no perpetuals, such as `@107`, `PURR/USDC` and `#12`. */
const NO_PERPETUAL = /[@/#+]/

/** Returns true for a perpetual on a dex that is read: executions of other markets change no value that is read. */
export const isRead = (coin: string, dexes: readonly string[]): boolean =>
  !NO_PERPETUAL.test(coin) && dexes.includes(dexOf(coin))

/** Returns the executions and fundings of a history that change the cash of the dexes that are read. */
export function onReadDexes<E extends { readonly coin: string }, F extends { readonly coin: string }>(
  { fills, fundings }: { readonly fills: readonly E[]; readonly fundings: readonly F[] },
  dexes: readonly string[],
): { readonly fills: readonly E[]; readonly fundings: readonly F[] } {
  const counts = ({ coin }: { readonly coin: string }) => isRead(coin, dexes)
  return { fills: fills.filter(counts), fundings: fundings.filter(counts) }
}

/** Returns what executions and fundings made of cash: results less fees in USDC, and funding; decimal text. */
export function cashMade({
  fills,
  fundings,
}: {
  readonly fills: readonly Execution[]
  readonly fundings: readonly Funding[]
}): string {
  const sum = [
    ...fills.map(({ closedPnl, fee, feeToken }) => new Decimal(closedPnl).minus(feeToken === 'USDC' ? fee : 0)),
    ...fundings.map(({ usdc }) => new Decimal(usdc)),
  ].reduce((total, one) => total.plus(one), new Decimal(0))
  return sum.toFixed()
}
