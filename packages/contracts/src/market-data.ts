import { contract, operation, setting } from '@svc/contract'
import { z } from 'zod'
import { exchange, symbol, tokenId } from './common.ts'

/** A trading pair that stands on the board. `name` is the asset's name as the venue gives it, null when it gives none. */
export const pair = z.object({
  token_id: tokenId,
  exchange,
  symbol,
  base: z.string().min(1).max(32),
  quote: z.string().min(1).max(32),
  name: z.string().max(200).nullable(),
})
export type Pair = z.output<typeof pair>

/** Pairs asked for in one call of `findPairs`. */
export const PAIRS_PER_CALL_MAX = 200

export const marketData = contract('market-data', {
  title: 'The universe of trading pairs',
  postgres: false,
  operations: {
    findPairs: operation({
      summary: 'Find trading pairs by exchange and symbol',
      description: 'One entry per pair asked for, in the same order; null where the pair is not on the board.',
      auth: 'service',
      callers: ['mining', 'gateway', 'research-reports', 'subscriptions'],
      input: z.strictObject({
        pairs: z
          .array(z.strictObject({ exchange: z.string().max(64), symbol: z.string().max(100) }))
          .min(1)
          .max(PAIRS_PER_CALL_MAX),
      }),
      success: { 200: z.object({ pairs: z.array(pair.nullable()).max(PAIRS_PER_CALL_MAX) }) },
    }),
  },
  settings: {
    replayDir: setting({
      env: 'MARKET_REPLAY_DIR',
      schema: z.string().min(1),
      default: null,
      doc: 'Folder of recorded venue captures; the pairs are read from them at start. Without it a short declared list is served.',
    }),
  },
})
