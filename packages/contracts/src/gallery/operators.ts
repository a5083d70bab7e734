import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, cursor, instant, okTrue, queryInt, strangersText } from '../common.ts'
import { label } from '../label.ts'
import { unknownAgent } from '../mandates/refusals.ts'

/** Id of an operator. */
export const operatorId = z
  .string()
  .regex(/^opr_[a-z0-9]{20}$/, 'is not an operator id')
  .max(24)
  .meta({ description: 'Operator', example: 'opr_3kq8w2n5x7c9v1b4m6z0' })
/** Id of the vault of an operator: what its signals are numbered by and what follows point at. It holds no money. */
export const operatorVaultId = z
  .string()
  .regex(/^opv_[a-z0-9]{20}$/, 'is not an operator vault id')
  .max(24)
  .meta({ title: 'OperatorVaultId', description: 'Vault of an operator', example: 'opv_8w2n5x7c9v1b4m6z03kq' })
export const operatorKind = z.enum(['signal', 'vault'])
/** How an agent became an operator. */
export const operatorSource = z.enum(['wallets', 'admin', 'listing'])

/** An operator as admins see it. */
export const operatorEntry = z.object({
  operator_id: operatorId,
  agent_id: accountId,
  kind: operatorKind,
  title: strangersText(80),
  house: z.boolean(),
  vault_id: operatorVaultId,
  source: operatorSource,
  created_at: instant,
  ended_at: instant.nullable(),
})

export const operatorExists = refusal('operator_exists', {
  status: 409,
  title: 'Operator exists',
  meaning: 'The agent is an operator of this kind and title already.',
  fix: 'Use the operator that operator_id names, or choose another title for a second one.',
  details: z.object({ operator_id: operatorId }),
})
export const unknownOperator = refusal('unknown_operator', {
  status: 404,
  title: 'Unknown operator',
  meaning: 'No operator has this operator_id.',
  fix: 'Read the operators with GET /admin/operators.',
})

export const notOnAllowlist = refusal('not_on_allowlist', {
  status: 403,
  title: 'Not allowed to publish',
  meaning:
    'Only operators publish, and only with a vault of their own, and agents whose record fulfils the rule for sellers.',
  fix: 'Use the vault_id of your own operator in GET /hub/doors/operators. The rule for sellers: ranked in the Hall, without a violation in 30 days.',
})

/** Operations on operators, for admins. */
export const operatorOperations = {
  addOperator: operation({
    summary: 'Make an agent an operator, as an admin',
    description: 'The operator gets a vault of its own, which numbers its signals and holds no money.',
    auth: 'admin',
    limit: 'account',
    http: 'POST /admin/operators',
    idempotent: true,
    input: z.strictObject({
      agent_id: accountId,
      kind: operatorKind,
      title: label(80).meta({ description: 'Name of the operator, for people', example: 'Night watch' }),
      house: z.boolean().default(false).meta({ description: 'Whether the house runs it' }),
    }),
    success: { 201: z.object({ ok: okTrue, operator: operatorEntry }) },
    refusals: [unknownAgent, operatorExists],
  }),
  removeOperator: operation({
    summary: 'End an operator, as an admin',
    description:
      'Listings of its vault are withdrawn, its signals stop, and its follows end; its templates stay while the Hall ranks the agent. Nothing is deleted, and ending it again changes nothing.',
    auth: 'admin',
    limit: 'account',
    http: 'DELETE /admin/operators/{operator_id}',
    input: z.strictObject({ operator_id: operatorId }),
    success: { 200: z.object({ ok: okTrue, operator: operatorEntry }) },
    refusals: [unknownOperator],
  }),
  listOperatorEntries: operation({
    summary: 'List all operators, with those that have ended, as an admin',
    auth: 'admin',
    limit: 'account',
    http: 'GET /admin/operators',
    input: z.strictObject({ limit: queryInt(1, 500, 100), cursor: cursor.optional() }),
    success: { 200: z.object({ items: z.array(operatorEntry).max(500), next_cursor: cursor.nullable() }) },
  }),
} as const

/** Jobs on operators. */
export const operatorJobs = {
  followOperatorWallets: job({
    summary: 'Make the agents of SVC_OPERATOR_WALLETS operators, and end those whose wallet left the list',
    everyMs: 60_000,
    wokenBy: ['identity.agentRegistered'],
    max: 1_000,
    budgetSec: 30,
  }),
} as const
