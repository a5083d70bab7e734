import { exact } from '@svc/hyperliquid/rounding'

/** Foreign money now, decimal text, with payments of the last minutes. */
interface Recent {
  readonly foreign: string
  readonly recent: readonly { readonly at: Date; readonly effect: string }[]
}

/** Returns foreign money as of a reading: payments after it are in the ledger, and not in the reading. */
export const foreignBy = ({ foreign, recent }: Recent, readAt: Date): string =>
  recent
    .filter(({ at }) => at > readAt)
    .reduce((sum, { effect }) => sum.minus(effect), exact(foreign))
    .toFixed()
