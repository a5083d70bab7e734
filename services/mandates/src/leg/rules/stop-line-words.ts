/** A position that the stop-line worker closed. */
export interface ClosedPosition {
  readonly market: string
  readonly side: 'buy' | 'sell'
  readonly size: string
  readonly average_price: string | null
}

/** Most positions that an alert names. */
const NAMED_MAX = 5

/** Returns the text of the owner's alert about a stop line that was reached at the leg. */
export function stopLineWords(
  { name, publicId }: { readonly name: string; readonly publicId: string },
  {
    worth,
    line,
    readAt,
    causedBy,
    closed,
  }: {
    readonly worth: string
    readonly line: string
    readonly readAt: string
    readonly causedBy: 'owner_moved_money' | null
    readonly closed: readonly ClosedPosition[]
  },
): string {
  return [
    `The stop line of "${name}" (${line} USDC) was reached: at ${readAt} it was worth ${worth} USDC.`,
    ...(causedBy === null
      ? []
      : ['You moved money of the leg out of the account; trading alone did not reach the line.']),
    `Its agent may only close positions from now on. ${closedWords(closed)}`,
    `The vault itself stays open until the keeper's mark or you stop it: send the call of GET /hub/mandates/${publicId}/stop-call, then withdraw.`,
  ].join(' ')
}

function closedWords(closed: readonly ClosedPosition[]): string {
  if (closed.length === 0) return 'No position was open.'
  const named = closed.slice(0, NAMED_MAX).map(({ market, side, size, average_price }) => {
    const price = average_price === null ? 'a price that is not known yet' : average_price
    return `${side} ${size} ${market} at ${price}`
  })
  const more = closed.length > NAMED_MAX ? ` and ${closed.length - NAMED_MAX} more` : ''
  return `Closed: ${named.join(', ')}${more}.`
}
