import { usdcText } from '@svc/limits'
import { Surprise } from '../request.ts'
import type { Walk } from '../walk.ts'
import { sumByChain, type ChainSum } from './sum-by-chain.ts'
import { sumByRows, type RowsSum } from './sum-by-rows.ts'
import { sumByVenue, type VenueSum } from './sum-by-venue.ts'

/** Where the three sums look. */
export interface Books {
  readonly chain: Parameters<typeof sumByChain>[0]
  readonly venue: Parameters<typeof sumByVenue>[0]
  readonly rows: Parameters<typeof sumByRows>[0]
}

/** The venue computes with eight decimals, and a row of it is rounded to six. */
const ROUNDING = 1_000n
/** Default of HUB_KEEPER_HL_EXIT_BPS. */
const EXIT_BPS = 15n

/**
 * Adds the money up three ways and compares: the chain by `eth_call`s, the venue by its own ledger, and our rows. The sums
 * are taken again until they agree, because rows follow a moment later. Throws `Surprise` with the first difference.
 */
export async function addUp(walk: Walk, books: Books, what: string): Promise<void> {
  let last = ''
  const agree = async () => {
    const [chain, venue, rows] = [
      await sumByChain(books.chain),
      await sumByVenue(books.venue),
      await sumByRows(books.rows),
    ]
    last = differenceOf(chain, venue, rows) ?? ''
    if (last === '') walk.say(lineOf(chain, venue))
    return last === ''
  }
  walk.step(`the money, added up three ways, ${what}`)
  await walk.until('the three sums', { everyMs: 500 }, agree).catch((error: unknown) => {
    throw error instanceof Surprise && last !== '' ? new Surprise(`${what}: ${last}`) : error
  })
  walk.outcome(true, 'chain, venue and rows agree to the last micro-dollar')
}

const near = (one: bigint, other: bigint) => (one > other ? one - other : other - one) <= ROUNDING

/** Returns the first equation that does not hold, or null. The venue's figures have two decimals more. */
function differenceOf(chain: ChainSum, venue: VenueSum, rows: RowsSum): string | null {
  const wide = (micro: bigint) => micro * 100n
  const pairs: readonly (readonly [string, bigint, bigint])[] = [
    ["the vault's tokens and its books", chain.held, chain.vault],
    ['the vault on the chain and in our rows', chain.vault, rows.vault],
    ['what came back on the chain and in our rows', chain.returned, rows.returned],
    [
      'what the vault paid out, and what the account received with what is on its way',
      wide(chain.funded),
      venue.received + wide(rows.movingOut),
    ],
    [
      'what the account sent back, and what the vault received with what is on its way',
      venue.sentBack,
      wide(chain.returned + rows.movingBack),
    ],
    [
      "the account's value and the sum of its entries",
      venue.value,
      venue.received - venue.sentBack + venue.others + venue.result,
    ],
    [
      'leg money at the venue, less the allowance for closing, and in our rows',
      venue.value - (venue.notional * EXIT_BPS) / 10_000n - wide(rows.foreign ?? 0n),
      wide(rows.atVenue ?? 0n),
    ],
  ]
  if (rows.holds === false) return "our equation of the account's money does not hold"
  const found = pairs.find(([, one, other]) => !near(one, other))
  return found === undefined ? null : `${found[0]} differ: ${found[1]} and ${found[2]}`
}

const lineOf = (chain: ChainSum, venue: VenueSum): string =>
  `Vault ${usdcText(chain.vault)} USDC; to the account ${usdcText(chain.funded)}, back ${usdcText(chain.returned)}; the account is worth ${cents(venue.value)}, of which its owner brought ${cents(venue.others)}.`

const cents = (units: bigint): string => `${units < 0n ? '-' : ''}${usdcText((units < 0n ? -units : units) / 100n)}`
