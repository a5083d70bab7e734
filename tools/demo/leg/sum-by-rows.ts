/**
 * Adds the money of a mandate up from what the service answers about its rows. Deliberately shares no code with the other
 * two sums. Base units of USDC.
 */
export interface RowsSum {
  readonly vault: bigint
  /** Returned to the vault so far. */
  readonly returned: bigint
  /** On its way to the account, and back. */
  readonly movingOut: bigint
  readonly movingBack: bigint
  /** Leg money in the account; null if unknown. */
  readonly atVenue: bigint | null
  readonly foreign: bigint | null
  /** Whether the account's equation holds; null while nobody looked. */
  readonly holds: boolean | null
}

export async function sumByRows(at: {
  readonly apiUrl: string
  readonly publicId: string
  readonly ownerToken: string
}): Promise<RowsSum> {
  const answer = await fetch(`${at.apiUrl}/hub/mandates/${at.publicId}/money`, {
    headers: { authorization: `Bearer ${at.ownerToken}` },
  })
  if (!answer.ok) throw new Error(`GET money answered ${answer.status}`)
  const money = (await answer.json()) as {
    vault_usdc: string
    paid_out_usdc: string
    venue_estimate_usdc: string | null
    foreign_usdc: string | null
    moving: { direction: string; amount_usdc: string }[]
    equation: { holds: boolean } | null
  }
  const moving = (direction: string) =>
    money.moving.reduce((sum, one) => (one.direction === direction ? sum + micro(one.amount_usdc) : sum), 0n)
  return {
    vault: micro(money.vault_usdc),
    returned: micro(money.paid_out_usdc),
    movingOut: moving('out'),
    movingBack: moving('back'),
    atVenue: money.venue_estimate_usdc === null ? null : micro(money.venue_estimate_usdc),
    foreign: money.foreign_usdc === null ? null : micro(money.foreign_usdc),
    holds: money.equation?.holds ?? null,
  }
}

/** Decimal text with at most six decimals as whole micro-dollars. */
function micro(text: string): bigint {
  const negative = text.startsWith('-')
  const [dollars = '0', rest = ''] = text.replace('-', '').split('.')
  const value = BigInt(dollars) * 1_000_000n + BigInt(rest.padEnd(6, '0'))
  return negative ? -value : value
}
