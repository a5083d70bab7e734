import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToString,
  stringToHex,
} from 'viem'
import { abis } from './abis.ts'

/** A position at a venue, with the present proceeds and cost of closing it entirely, in USDC base units. */
export interface Position {
  readonly venue: Address
  readonly market: Hex
  readonly name: string
  readonly units: bigint
  /** Null if the venue returns no quote or cannot pay it. */
  readonly value: bigint | null
  readonly cost: bigint | null
  /** True: the position is redeemed instead of sold. */
  readonly resolved: boolean
}

/** Calls a view; resolves to null if it reverts or the RPC does not answer. */
export type AskView = (call: { readonly to: Address; readonly data: Hex }) => Promise<Hex | null>

/** Reads and prices an account's positions at one venue, each at the price of closing it entirely. */
export interface ExitAdapter {
  readonly venue: Address
  /** Returns every position of an account; null if the venue could not be read completely. */
  positionsOf(holder: Address, ask: AskView): Promise<readonly Position[] | null>
}

/** Maximum number of positions of an account at a venue; with more the venue counts as unreadable. */
const POSITIONS_MAX = 150

/** Returns exit adapters of test venues: the proceeds are `quoteSell` of all units. */
export function testVenueAdapters(venues: readonly Address[]): readonly ExitAdapter[] {
  return venues.map((venue) => ({ venue, positionsOf: (holder, ask) => testVenuePositions(venue, holder, ask) }))
}

/** Returns every position of an account at all venues; null if a venue could not be read. */
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

/** What a trade would get now. */
export interface TradeQuote {
  /** Units of a purchase, USDC base units of a sale. */
  readonly gets: bigint
  /** USDC that closing a purchase at once would pay, and that a sale pays. */
  readonly exit: bigint
}

/** Returns what a purchase for USDC, or a sale of units, would get at a test venue now; null if the venue returns no quote. */
export async function quoteTrade(
  venue: Address,
  { action, name, amount }: { readonly action: 'buy' | 'sell'; readonly name: string; readonly amount: bigint },
  ask: AskView,
): Promise<TradeQuote | null> {
  const view = viewOf(venue, ask)
  const market = stringToHex(name, { size: 32 })
  const exitOf = async (units: bigint) =>
    (await view<readonly [bigint, bigint]>('quoteSell', [market, units]))?.[0] ?? null
  const bought = action === 'buy' ? await view<readonly [bigint, bigint]>('quoteBuy', [market, amount]) : null
  if (action === 'buy' && bought === null) return null
  const exit = await exitOf(bought?.[0] ?? amount)
  return exit === null ? null : { gets: bought?.[0] ?? exit, exit }
}

type ViewName = 'held' | 'units' | 'markets' | 'quoteBuy' | 'quoteSell' | 'usdc'

/** Returns what asks a venue by the name of a view. */
const viewOf =
  (venue: Address, ask: AskView) =>
  async <T>(functionName: ViewName, args: readonly unknown[]): Promise<T | null> => {
    const given = { abi: abis.venue, functionName, args } as Parameters<typeof encodeFunctionData>[0]
    const data = await ask({ to: venue, data: encodeFunctionData(given) })
    // An address without code returns empty data.
    if (data === null || data === '0x') return null
    return decodeFunctionResult({ abi: abis.venue, functionName, data }) as T
  }

async function testVenuePositions(venue: Address, holder: Address, ask: AskView): Promise<readonly Position[] | null> {
  const view = viewOf(venue, ask)
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
    // A quote that the venue cannot pay is not a price: the sale would revert.
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
