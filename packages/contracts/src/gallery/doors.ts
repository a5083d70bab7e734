import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant, queryInt } from '../common.ts'
import { CITED_MAX, citedView, listingId, LISTINGS_PAGE_MAX, recordedAt, recordedFigures } from './listings.ts'
import { operatorId, operatorKind, operatorVaultId } from './operators.ts'

const sentence = z.string().max(300)

const door = z
  .object({
    door: z.int().min(1).max(4),
    key: z.enum(['own_bot', 'house_strategy', 'copy_signals', 'operator_vault']),
    title: z.string().max(60),
    status: z.enum(['live', 'paper', 'testnet', 'locked']),
    network: z
      .enum(['testnet', 'mainnet'])
      .nullable()
      .meta({ description: 'Where money moves behind the door; null if none does' }),
    requirements: z.array(sentence).max(10),
    offered: z.boolean().optional().meta({ description: 'false: there is nothing to choose now' }),
    next_step: sentence,
    routes: z.array(z.string().max(120)).max(20).meta({ description: 'Routes that a bot uses, in their order' }),
    why: sentence.meta({ description: 'Why the status is what it is' }),
  })
  .meta({ title: 'Door' })
export type Door = z.output<typeof door>

const operatorRow = z
  .object({
    operator_id: operatorId,
    agent_id: accountId,
    title: z.string().max(80),
    kind: operatorKind,
    house: z.boolean(),
    vault_id: operatorVaultId,
    listing_id: listingId.nullable().meta({ description: 'The live listing of the vault; null without one' }),
    recorded: recordedFigures,
    cited: z.array(citedView).max(CITED_MAX).meta({ description: 'Claims of that listing' }),
  })
  .meta({ title: 'OperatorRow' })

/** The doors: ways to start, and the operators behind them. */
export const doorOperations = {
  listDoors: operation({
    summary: 'List the four doors: the ways to start, with what each needs now',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/doors',
    cacheSec: 5,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: { 200: z.object({ computed_at: instant, items: z.array(door).length(4) }) },
  }),
  listOperators: operation({
    summary: 'List operators, best recorded first',
    description:
      'Sorted by what the service recorded alone: days live, then adherence, then the older operator. recorded is computed by the service; cited is the claim of the seller.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/doors/operators',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({
      kind: operatorKind.optional(),
      limit: queryInt(1, LISTINGS_PAGE_MAX, 20),
      offset: queryInt(0, 10_000, 0, 'Operators before the page'),
    }),
    success: {
      200: z.object({
        ...recordedAt,
        total: z.int().min(0).max(1_000_000),
        limit: z.int().min(1).max(LISTINGS_PAGE_MAX),
        offset: z.int().min(0).max(10_000),
        items: z.array(operatorRow).max(LISTINGS_PAGE_MAX),
      }),
    },
  }),
} as const
