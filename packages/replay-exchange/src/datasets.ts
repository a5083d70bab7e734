import type { Feed } from './feed.ts'
import { openDepeg } from './recorded/depeg.ts'
import { openLists } from './recorded/lists.ts'
import { openLuna } from './recorded/luna.ts'
import { openPacked } from './recorded/packed.ts'
import { RecordingProblem } from './recorded/read-lines.ts'
import { SYNTHETIC_SEED } from './synthetic/asset-prices.ts'
import { createSyntheticFeed, syntheticVenues, usualVenues } from './synthetic/synthetic-feed.ts'

const ftx = 'binance-1m-20221109/klines'
const recordings = {
  ftx: (replayDir: string) => openPacked(replayDir, `${ftx}_all.jsonl.zst`, 'ftx'),
  'ftx-usdt': (replayDir: string) => openPacked(replayDir, `${ftx}_usdt.jsonl.zst`, 'ftx-usdt'),
  luna: openLuna,
  depeg: openDepeg,
  lists: openLists,
  packed: (replayDir: string, file: string) => openPacked(replayDir, file, 'packed'),
} as const

export type Dataset = 'synthetic' | keyof typeof recordings

/** Data sets by name. */
export const datasets: readonly Dataset[] = ['synthetic', 'ftx', 'ftx-usdt', 'luna', 'depeg', 'lists', 'packed']

interface FeedOptions {
  readonly dataset?: Dataset
  readonly replayDir?: string | null
  readonly recording?: string
  readonly venues?: readonly string[]
  readonly seed?: number
  readonly tokens?: number
  readonly lively?: boolean
}

const TOKENS_DEFAULT = 300

/** Opens a data set. Throws if its recordings are missing or a venue is not part of it. */
export async function openFeed(options: FeedOptions): Promise<Feed> {
  const {
    dataset = 'synthetic',
    replayDir = null,
    recording,
    venues,
    seed = SYNTHETIC_SEED,
    tokens = TOKENS_DEFAULT,
  } = options
  if (dataset === 'synthetic')
    return createSyntheticFeed({
      seed,
      tokens,
      venues: chosen(venues ?? usualVenues, syntheticVenues),
      lively: options.lively ?? false,
    })
  if (replayDir === null)
    throw new RecordingProblem(`The data set ${dataset} needs recordings: set MARKET_REPLAY_DIR to their folder.`)
  if (dataset === 'packed' && recording === undefined)
    throw new RecordingProblem('The data set packed needs the name of its file.')
  const feed = await recordings[dataset](replayDir, recording ?? '')
  return { ...feed, venues: chosen(venues, feed.venues) }
}

function chosen(asked: readonly string[] | undefined, has: readonly string[]): readonly string[] {
  const unknown = asked?.find((venue) => !has.includes(venue))
  if (unknown !== undefined) throw new RangeError(`no venue ${unknown} in this data set: choose from ${has.join(', ')}`)
  return asked ?? has
}
