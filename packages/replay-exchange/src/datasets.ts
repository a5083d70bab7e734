import type { Feed } from './feed.ts'
import { openDepeg } from './recorded/depeg.ts'
import { openFtx } from './recorded/ftx.ts'
import { openLists } from './recorded/lists.ts'
import { openLuna } from './recorded/luna.ts'
import { RecordingProblem } from './recorded/read-lines.ts'
import { createSyntheticFeed, syntheticVenues } from './synthetic/synthetic-feed.ts'

const recordings = {
  ftx: (replayDir: string) => openFtx(replayDir, false),
  'ftx-usdt': (replayDir: string) => openFtx(replayDir, true),
  luna: openLuna,
  depeg: openDepeg,
  lists: openLists,
} as const

export type Dataset = 'synthetic' | keyof typeof recordings

/** Data sets by name. */
export const datasets: readonly Dataset[] = ['synthetic', 'ftx', 'ftx-usdt', 'luna', 'depeg', 'lists']

interface FeedOptions {
  readonly dataset?: Dataset
  readonly replayDir?: string | null
  readonly venues?: readonly string[]
  readonly seed?: number
  readonly tokens?: number
}

const TOKENS_DEFAULT = 300

/** Opens a data set. Throws when its recordings are missing or a venue is not part of it. */
export async function openFeed(options: FeedOptions): Promise<Feed> {
  const { dataset = 'synthetic', replayDir = null, venues, seed = 1, tokens = TOKENS_DEFAULT } = options
  if (dataset === 'synthetic') return createSyntheticFeed({ seed, tokens, venues: chosen(venues, syntheticVenues) })
  if (replayDir === null)
    throw new RecordingProblem(`The data set ${dataset} needs recordings: set MARKET_REPLAY_DIR to their folder.`)
  const feed = await recordings[dataset](replayDir)
  return { ...feed, venues: chosen(venues, feed.venues) }
}

function chosen(asked: readonly string[] | undefined, has: readonly string[]): readonly string[] {
  const unknown = asked?.find((venue) => !has.includes(venue))
  if (unknown !== undefined) throw new RangeError(`no venue ${unknown} in this data set: choose from ${has.join(', ')}`)
  return asked ?? has
}
