/** The account that pays drips, as of a block; amounts in wei. Received are all payments to it, from any sender. */
export interface FunderBooks {
  readonly block: number
  /** Number of its transactions up to the block. */
  readonly nonce: number
  readonly opening: bigint
  readonly received: bigint
  readonly balance: bigint
  readonly sent: bigint
  readonly fees: bigint
  readonly unexplained: bigint
}

/** The account on the chain after a block. */
export interface FunderReading {
  readonly block: number
  readonly nonce: number
  readonly balance: bigint
}

/** A stored transaction of the account that has a nonce. */
export interface FunderTransaction {
  /** Null while it is open. */
  readonly outcome: string | null
  readonly value: bigint
  /** Null if nothing was mined for it. */
  readonly fee: bigint | null
}

/** Returns books that begin with a reading. */
export const openBooks = ({ block, nonce, balance }: FunderReading): FunderBooks => ({
  block,
  nonce,
  balance,
  opening: balance,
  received: 0n,
  sent: 0n,
  fees: 0n,
  unexplained: 0n,
})

/**
 * Continues the books up to a reading, with the stored transactions of the nonces between. A balance above what they explain
 * was received; one below was spent by somebody else, and is unexplained. Null while one of the transactions is open, because
 * its cost is not known yet.
 */
export function continueBooks(
  books: FunderBooks,
  reading: FunderReading,
  transactions: readonly FunderTransaction[],
): FunderBooks | null {
  if (transactions.some(({ outcome }) => outcome === null)) return null
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const sent = sum(transactions.filter(({ outcome }) => outcome === 'done').map(({ value }) => value))
  const fees = sum(transactions.map(({ fee }) => fee ?? 0n))
  const difference = reading.balance - (books.balance - sent - fees)
  return {
    ...reading,
    opening: books.opening,
    received: books.received + (difference > 0n ? difference : 0n),
    sent: books.sent + sent,
    fees: books.fees + fees,
    unexplained: books.unexplained + (difference < 0n ? -difference : 0n),
  }
}
