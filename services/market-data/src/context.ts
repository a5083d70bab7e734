import type { marketData } from '@svc/contracts/market-data'
import type { Kit } from '@svc/service'
import { declaredPairs } from './domain/declared-pairs.ts'
import { buildUniverse, type Universe } from './domain/universe.ts'
import { readCaptures } from './read-captures.ts'

/** Everything the operations of market-data may touch. */
export interface Context {
  readonly universe: Universe
}

/** Reads the universe once: from recordings where there are any, else from the declared list. */
export async function createContext({ settings, log }: Kit<typeof marketData>): Promise<Context> {
  const recorded = settings.replayDir === null ? new Map<string, never>() : await readCaptures(settings.replayDir, log)
  const source = recorded.size > 0 ? 'replay' : 'declared'
  if (settings.replayDir !== null && source === 'declared')
    log.warn('the replay folder holds no readable capture; serving the declared pairs')
  const { universe, skipped } = buildUniverse(source === 'replay' ? recorded : declaredPairs)
  log.info(
    {
      source,
      exchanges: new Set([...universe.values()].map((pair) => pair.exchange)).size,
      pairs: universe.size,
      skipped,
    },
    'universe of pairs',
  )
  return { universe }
}
