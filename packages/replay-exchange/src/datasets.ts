import type { Feed } from './feed.ts'
import { createSyntheticFeed, syntheticVenues } from './synthetic/synthetic-feed.ts'

/** Data sets by name. */
export const datasets = ['synthetic'] as const
export type Dataset = (typeof datasets)[number]

interface FeedOptions {
  readonly dataset?: Dataset
  readonly replayDir?: string | null
  readonly venues?: readonly string[]
  readonly seed?: number
  readonly tokens?: number
}

const TOKENS_DEFAULT = 300

/** Opens a data set. Throws when the recordings are missing or a venue is not part of it. */
export async function openFeed({ venues, seed = 1, tokens = TOKENS_DEFAULT }: FeedOptions): Promise<Feed> {
  return createSyntheticFeed({ seed, tokens, venues: chosen(venues, syntheticVenues) })
}

function chosen(asked: readonly string[] | undefined, has: readonly string[]): readonly string[] {
  const unknown = asked?.find((venue) => !has.includes(venue))
  if (unknown !== undefined) throw new RangeError(`no venue ${unknown} in this data set: choose from ${has.join(', ')}`)
  return asked ?? has
}
