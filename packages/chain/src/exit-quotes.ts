import { type Address, decodeFunctionResult, encodeFunctionData, getAddress, type Hex, hexToString } from 'viem'
import { abis } from './abis.ts'

/** A position at a venue, with what leaving it whole would pay and cost now, in USDC base units. */
export interface Position {
  readonly venue: Address
  readonly market: Hex
  readonly name: string
  readonly units: bigint
  /** Null where the venue gives no quote, or has not the money to pay it. */
  readonly value: bigint | null
  readonly cost: bigint | null
  /** A resolved market is redeemed, not sold. */
  readonly resolved: boolean
}

/** Runs a view; null when it reverts or nobody answers. */
export type AskView = (call: { readonly to: Address; readonly data: Hex }) => Promise<Hex | null>

/** Reads and prices what somebody holds at one venue, at the price for all of it at once. */
export interface ExitAdapter {
  readonly venue: Address
  /** Every position of the holder; null when the venue could not be read whole. */
  positionsOf(holder: Address, ask: AskView): Promise<readonly Position[] | null>
}

/** Positions of one holder at one venue that are read; with more of them the venue counts as unreadable. */
const POSITIONS_MAX = 150

/** Exit adapters of the test venues: `quoteSell` of all units is what leaving would pay. */
export function testVenueAdapters(venues: readonly Address[]): readonly ExitAdapter[] {
  return venues.map((venue) => ({ venue, positionsOf: (holder, ask) => testVenuePositions(venue, holder, ask) }))
}

/** Every position of a holder at all the venues; null when one of them could not be read. */
export async function positionsAt(
  adapters: readonly ExitAdapter[],
  holder: string,
  ask: AskView,
): Promise<readonly Position[] | null> {
  const positions: Position[] = []
  for (const adapter of adapters) {
    const here = await adapter.positionsOf(getAddress(holder), ask)
    if (here === null) return null
    positions.push(...here)
  }
  return positions
}

async function testVenuePositions(venue: Address, holder: Address, ask: AskView): Promise<readonly Position[] | null> {
  const view = async <T>(
    functionName: 'held' | 'units' | 'markets' | 'quoteSell' | 'usdc',
    args: readonly unknown[],
  ): Promise<T | null> => {
    const given = { abi: abis.venue, functionName, args } as Parameters<typeof encodeFunctionData>[0]
    const data = await ask({ to: venue, data: encodeFunctionData(given) })
    // An address without code answers nothing.
    if (data === null || data === '0x') return null
    return decodeFunctionResult({ abi: abis.venue, functionName, data }) as T
  }
  const held = await view<readonly Hex[]>('held', [holder])
  if (held === null || held.length > POSITIONS_MAX) return null
  if (held.length === 0) return []
  const usdc = await view<Address>('usdc', [])
  let payable = usdc === null ? null : await balanceOf(usdc, venue, ask)
  if (payable === null) return null
  const positions: Position[] = []
  for (const market of held) {
    const units = await view<bigint>('units', [holder, market])
    if (units === null) return null
    const listed = await view<readonly [bigint, boolean]>('markets', [market])
    const quote = await view<readonly [bigint, bigint]>('quoteSell', [market, units])
    // A quote that the venue has not the money for is no price: the sale would revert.
    const paid = quote !== null && quote[0] <= payable ? quote : null
    payable -= paid?.[0] ?? 0n
    positions.push({
      venue,
      market,
      name: hexToString(market, { size: 32 }),
      units,
      value: paid?.[0] ?? null,
      cost: paid?.[1] ?? null,
      resolved: listed?.[1] === true,
    })
  }
  return positions
}

async function balanceOf(token: Address, account: Address, ask: AskView): Promise<bigint | null> {
  const data = encodeFunctionData({ abi: abis.usdc, functionName: 'balanceOf', args: [account] })
  const answer = await ask({ to: token, data })
  return answer === null || answer === '0x' ? null : BigInt(answer)
}
