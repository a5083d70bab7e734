import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { address, marketId, usdc } from './fields.ts'

/** Arguments of calls at the test venue by name, as `execute-call` takes them; `parameters` of a call says what each means. */
export const callArguments = {
  instrument: z
    .string()
    .regex(/^[A-Z0-9]{1,31}$/, 'use one of instruments of GET /hub/markets')
    .max(31)
    .meta({ description: 'One of instruments', example: 'BTC' }),
  usdc_in: usdc,
  min_units: usdc.meta({ description: 'Fewest units to accept' }),
  units: usdc.meta({ description: 'Units to sell' }),
  min_usdc_out: usdc,
}

/** A parameter of a call, in the order of the signature. */
const parameter = z.object({
  name: z.enum(Object.keys(callArguments) as (keyof typeof callArguments)[]),
  type: z.string().max(20),
  unit: z.enum(['name', 'usdc', 'units']).meta({
    description: 'In calldata a name is UTF-8 with zeros after it, an amount an integer of 0.000001',
  }),
  meaning: z.string().max(120),
})
export type CallParameter = z.output<typeof parameter>

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
        action: z.string().max(20).optional().meta({ description: 'Send it with market to execute-call' }),
        parameters: z.array(parameter).max(5).optional(),
      }),
    )
    .max(96)
    .meta({ description: 'Contract calls that clause 4 lists for the market; empty for a market of the leg' }),
  instruments: z
    .array(z.string().max(31))
    .max(100)
    .optional()
    .meta({ description: 'What the contract trades; empty: unknown' }),
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
