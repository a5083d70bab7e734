/**
 * Adds the money of an owner's account up from what the venue answers: its ledger, executions and funding, and the value
 * that it states. Deliberately shares no code with the other two sums. Amounts in units of 10⁻⁸ USDC, as the venue has
 * up to eight decimals.
 */
export interface VenueSum {
  /** Paid by the pool to the owner, and back. */
  readonly received: bigint
  readonly sentBack: bigint
  /** Everything else that came in, less what went out. */
  readonly others: bigint
  /** Profit of executions before fees, fees, funding, and profit of open positions. */
  readonly result: bigint
  /** Account value and notional of open positions that the venue states, over all dexes. */
  readonly value: bigint
  readonly notional: bigint
}

const DECIMALS = 8

export async function sumByVenue(at: {
  readonly infoUrl: string
  readonly owner: string
  readonly pool: string
  readonly dexes: readonly string[]
}): Promise<VenueSum> {
  const user = at.owner.toLowerCase()
  const pool = at.pool.toLowerCase()
  const ask = async <T>(question: object): Promise<T> => {
    const answer = await fetch(at.infoUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user, ...question }),
    })
    if (!answer.ok) throw new Error(`the venue answered ${answer.status}`)
    return (await answer.json()) as T
  }
  type Entry = { delta: { type: string; usdc?: string; user?: string; destination?: string; fee?: string } }
  const ledger = await ask<Entry[]>({ type: 'userNonFundingLedgerUpdates', startTime: 0 })
  const fills = await ask<{ closedPnl: string; fee: string }[]>({ type: 'userFills' })
  const funding = await ask<{ delta: { usdc: string } }[]>({ type: 'userFunding', startTime: 0 })
  type Account = {
    marginSummary: { accountValue: string; totalNtlPos: string }
    assetPositions: { position: { unrealizedPnl: string } }[]
  }
  const accounts = await Promise.all(at.dexes.map((dex) => ask<Account>({ type: 'clearinghouseState', dex })))

  let [received, sentBack, others] = [0n, 0n, 0n]
  for (const { delta } of ledger) {
    const amount = units(delta.usdc ?? '0')
    const out = delta.user === user
    if (delta.type === 'deposit') others += amount
    else if (delta.type === 'withdraw') others -= amount + units(delta.fee ?? '0')
    else if (delta.type !== 'internalTransfer') continue
    else if (out && delta.destination === pool) sentBack += amount + units(delta.fee ?? '0')
    else if (!out && delta.user === pool) received += amount
    else others += out ? -amount - units(delta.fee ?? '0') : amount
  }
  const total = (values: readonly string[]) => values.reduce((sum, value) => sum + units(value), 0n)
  const open = accounts.flatMap(({ assetPositions }) => assetPositions.map(({ position }) => position.unrealizedPnl))
  return {
    received,
    sentBack,
    others,
    result:
      total(fills.map(({ closedPnl }) => closedPnl)) -
      total(fills.map(({ fee }) => fee)) +
      total(funding.map(({ delta }) => delta.usdc)) +
      total(open),
    value: total(accounts.map(({ marginSummary }) => marginSummary.accountValue)),
    notional: total(accounts.map(({ marginSummary }) => marginSummary.totalNtlPos)),
  }
}

/** Decimal text as units, cut after the eighth decimal. */
function units(text: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const value = BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
  return sign === '-' ? -value : value
}
