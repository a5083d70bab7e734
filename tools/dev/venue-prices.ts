import { prepare, read, type Chain, type Deployment } from '@svc/chain'
import type { AssetPrices } from '@svc/replay-exchange'
import { ServerProblem, type DataFolder } from '@svc/servers'
import { stringToHex } from 'viem'
import type { HDAccount } from 'viem/accounts'
import { z } from 'zod'
import { send } from './send-call.ts'

type Folder = Pick<DataFolder, 'readJson' | 'write' | 'file'>

const USDC = 1_000_000
/** Markets of the test venue with the prices at which they open without a source, in USDC. */
const MARKETS: Readonly<Record<string, number>> = { BTC: 60_000, ETH: 3_000 }

/** Names of the markets of the test venue. */
export const VENUE_MARKETS: readonly string[] = Object.keys(MARKETS)

const LOOK_EVERY_MS = 10_000
/** Share by which a price must be off before a transaction is spent on it: that of the price feeds of BTC and ETH on public chains. */
const DEVIATION = 0.005

/** File of the prices that this program set, in base units, by market. */
const FILE = 'venue-prices.json'
const FORMAT = z.record(z.string(), z.string().regex(/^\d+$/))

const marketId = (name: string) => stringToHex(name, { size: 32 })

const wanted = (prices: AssetPrices | undefined, name: string): bigint | null => {
  const usd = prices?.priceUsd(name, Date.now()) ?? null
  return usd === null ? null : BigInt(Math.round(usd * USDC))
}

function recorded(folder: Folder): Record<string, string> {
  const kept = FORMAT.nullable().safeParse(folder.readJson(FILE))
  if (!kept.success) throw new ServerProblem(`${folder.file(FILE)} cannot be read: remove it.`)
  return kept.data ?? {}
}

const record = (folder: Folder, name: string, price: bigint) =>
  folder.write(FILE, JSON.stringify({ ...recorded(folder), [name]: String(price) }))

interface Venue {
  readonly url: string
  readonly chain: Chain
  readonly deployment: Deployment
  readonly admin: HDAccount
}

/** Opens the markets of the test venue that are not open yet, at the prices of the source or at fixed ones. */
export async function openMarkets(venue: Venue, folder: Folder, prices: AssetPrices | undefined): Promise<void> {
  for (const [name, fixed] of Object.entries(MARKETS)) {
    if ((await priceNow(venue, name)) !== 0n) continue
    const price = wanted(prices, name)
    await setPrice(venue, name, price ?? BigInt(fixed * USDC))
    if (price !== null) record(folder, name, price)
  }
}

/**
 * Lets the markets of the test venue follow a source of prices, with as few blocks as a price feed on a chain: a price is set
 * when it is off by half a per cent, and looked at every ten seconds. A price that somebody else set stays, until this folder
 * has a new chain. `onProblem` is told once of each market whose price could not be set; the next look tries again.
 */
export function followPrices(
  venue: Venue,
  folder: Folder,
  given: { readonly prices: AssetPrices; readonly onProblem: (line: string) => void },
): { stop(): Promise<void> } {
  const told = new Set<string>()
  let working: Promise<void> = Promise.resolve()
  const look = async () => {
    for (const name of VENUE_MARKETS)
      await follow(venue, folder, { name, price: wanted(given.prices, name) }).catch((error: unknown) => {
        if (!told.has(name)) given.onProblem(`the price of ${name} at the test venue stands still: ${String(error)}`)
        told.add(name)
      })
  }
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    working = look().finally(() => (busy = false))
  }, LOOK_EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await working
    },
  }
}

/** Sets the price of a market if it is off and if this program set the one that it has. Returns whether it did. */
export async function follow(
  venue: Venue,
  folder: Folder,
  { name, price }: { readonly name: string; readonly price: bigint | null },
): Promise<boolean> {
  const own = recorded(folder)[name]
  if (own === undefined || price === null) return false
  if (Math.abs(Number(price) / Number(own) - 1) < DEVIATION) return false
  if ((await priceNow(venue, name)) !== BigInt(own)) return false
  await setPrice(venue, name, price)
  record(folder, name, price)
  return true
}

async function priceNow({ chain, deployment }: Venue, name: string): Promise<bigint> {
  const [price] = await read(chain)
    .venue(deployment.contracts.venue.address)
    .markets({ arg0: marketId(name) })
  return price
}

async function setPrice({ url, chain, deployment, admin }: Venue, name: string, price: bigint): Promise<void> {
  const venue = prepare(chain.id).venue(deployment.contracts.venue.address)
  await send(chain, url, admin, venue.setPrice({ m: marketId(name), price }))
}
