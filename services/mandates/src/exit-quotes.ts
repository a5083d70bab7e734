import { abis } from '@svc/chain'
import { decodeFunctionResult, encodeFunctionData, getAddress, hexToString, type Address, type Hex } from 'viem'
import type { Context } from './context.ts'

/** A position at the test venue, with what leaving it whole would pay and cost now; null where the venue gives no quote. */
export interface Position {
  readonly venue: Address
  readonly market: Hex
  readonly name: string
  readonly units: bigint
  readonly value: bigint | null
  readonly cost: bigint | null
  /** A resolved market is redeemed, not sold. */
  readonly resolved: boolean
}

/** Positions that are looked at, of one vault. */
const POSITIONS_MAX = 150

/** Every position of a holder at the venues. `null`: no chain is configured, or a venue could not be read. */
export async function positionsOf(context: Context, holder: string): Promise<readonly Position[] | null> {
  const account = getAddress(holder)
  const positions: Position[] = []
  for (const venue of context.place.venues) {
    const view = venueReader(context, venue)
    const held = await view<readonly Hex[]>('held', [account])
    if (held === null) return null
    for (const market of held.slice(0, POSITIONS_MAX - positions.length)) {
      const units = await view<bigint>('units', [account, market])
      if (units === null) return null
      const listed = await view<readonly [bigint, boolean]>('markets', [market])
      const quote = await view<readonly [bigint, bigint]>('quoteSell', [market, units])
      positions.push({
        venue,
        market,
        name: hexToString(market, { size: 32 }),
        units,
        value: quote?.[0] ?? null,
        cost: quote?.[1] ?? null,
        resolved: listed?.[1] === true,
      })
    }
  }
  return positions
}

function venueReader(context: Context, venue: Address) {
  return async <T>(functionName: 'held' | 'units' | 'markets' | 'quoteSell', args: readonly unknown[]) => {
    const given = { abi: abis.venue, functionName, args } as Parameters<typeof encodeFunctionData>[0]
    const answer = await context.simulate({ to: venue, data: encodeFunctionData(given) })
    if (answer === null || answer.data === null) return null
    return decodeFunctionResult({ abi: abis.venue, functionName, data: answer.data }) as T
  }
}
