import { operation } from '@svc/contract'
import { z } from 'zod'
import { instant, walletAddress } from '../common.ts'
import { sessionState } from './catalogue.ts'
import { madeUp } from './envelope.ts'
import { coin } from './fields.ts'

const session = z.object({
  exchange: z
    .string()
    .regex(/^[A-Z0-9]{4}$/)
    .max(4)
    .meta({ description: 'Market identifier code (ISO 10383)', example: 'XNAS' }),
  title: z.string().max(120),
  time_zone: z.string().max(40),
  state: sessionState,
  opens_at: instant.nullable().meta({ description: 'Begin of the trading that goes on; null while closed' }),
  closes_at: instant.nullable(),
  next_opens_at: instant,
  markets: z.array(coin).max(500).meta({ description: 'Markets of the venue that follow this exchange' }),
})
export type SessionView = z.output<typeof session>

const label = z.string().max(120)

/** What the station allows, and when exchanges are open. */
export const stationOperations = {
  listSessions: operation({
    summary: 'List the sessions of the exchanges that markets of the venue follow',
    description:
      'From the same calendar as the gate of orders. Days beyond what an exchange has published are projected.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/info/sessions',
    cacheSec: 5,
    input: z.strictObject({}),
    success: { 200: z.object({ computed_at: instant, items: z.array(session).max(50) }) },
  }),
  readStation: operation({
    summary: 'Read what the station lets a visitor do today',
    description: 'From the switches as they are now. labels says each in words.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/info/station-status',
    cacheSec: 5,
    input: z.strictObject({}),
    success: {
      200: z.object({
        computed_at: instant,
        live_trading: z.boolean(),
        paper_trading: z.boolean(),
        hl_leg: z.boolean(),
        leg_funding: z.boolean(),
        relay_ok: z.boolean().meta({ description: 'false: the venue did not answer the last reading of its markets' }),
        gas_drip: z.boolean(),
        signals: z.boolean(),
        network: z.enum(['testnet', 'mainnet']),
        made_up: madeUp.optional(),
        chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable(),
        labels: z.object({
          live_trading: label,
          paper_trading: label,
          hl_leg: label,
          leg_funding: label,
          relay: label,
          gas_drip: label,
          signals: label,
          house_runner: label,
          doors: label,
        }),
      }),
    },
  }),
  readBuilderFee: operation({
    summary: 'Read which builder fee orders of this deployment carry',
    description: 'The fee is at most what the owner approved at the venue with the own wallet.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/builder-fee/config',
    cacheSec: 20,
    input: z.strictObject({}),
    success: {
      200: z.object({
        configured: z.boolean(),
        builder: walletAddress.nullable(),
        max_fee_rate: z.string().max(8).meta({ description: 'Text that the owner approves', example: '0.1%' }),
        max_fee: z.int().min(0).max(1_000).meta({ description: 'Tenths of a basis point: 100 is 0.1 %' }),
      }),
    },
  }),
} as const
