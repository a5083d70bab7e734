import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { address, marketId, usdc } from './fields.ts'

const market = z.object({
  market_id: marketId,
  title: z.string().max(80),
  venue: z.string().max(40),
  status: z.enum(['live', 'paper', 'planned']).meta({ description: 'A mandate cannot name a planned market yet' }),
  enforced_by: z.enum(['contract', 'venue', 'guard']).meta({ description: 'Who enforces the limits on this market' }),
  calls: z
    .array(
      z.object({
        target: address,
        selector: z
          .string()
          .regex(/^0x[0-9a-f]{8}$/)
          .max(10),
        function: z.string().max(120).meta({ description: 'Signature of the function' }),
      }),
    )
    .max(96)
    .meta({ description: 'Contract calls that clause 4 lists for the market; empty for a market of the leg' }),
  exit_adapter: z.string().max(40).nullable().meta({
    description: 'Adapter that prices positions on this market. Null means that the service does not mark their worth',
  }),
  min_order_usdc: usdc.nullable().meta({ description: 'Null if the venue has no minimum' }),
})

/** A market that a mandate may name. */
export type Market = z.output<typeof market>

/** Operations on markets that limits may name. */
export const limitsOperations = {
  listMarkets: operation({
    summary: 'List the markets that a mandate can name, with their status and enforcer',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/markets',
    tool: 'mandate_markets',
    toolTitle: 'Markets for mandates',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: { 200: z.object({ items: z.array(market).max(200), next_cursor: z.null() }) },
  }),
} as const

/** Jobs on markets. */
export const limitsJobs = {
  followLegMarkets: job({
    summary: 'Store the markets of the leg as hl-leg lists them, so that no draft waits for hl-leg',
    everyMs: 30_000,
    max: 200,
    budgetSec: 20,
  }),
} as const
