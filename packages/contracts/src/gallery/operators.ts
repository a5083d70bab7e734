import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant } from '../common.ts'

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
  .meta({ description: 'Vault of an operator', example: 'opv_8w2n5x7c9v1b4m6z03kq' })
export const operatorKind = z.enum(['signal', 'vault'])
/** How an agent became an operator. */
export const operatorSource = z.enum(['wallets', 'admin', 'listing'])

/** An operator as admins see it. */
export const operatorEntry = z.object({
  operator_id: operatorId,
  agent_id: accountId,
  kind: operatorKind,
  title: z.string().max(80),
  house: z.boolean(),
  vault_id: operatorVaultId,
  source: operatorSource,
  created_at: instant,
  ended_at: instant.nullable(),
})

/** Operations on operators, for admins. */
export const operatorOperations = {
  listOperatorEntries: operation({
    summary: 'List all operators, with those that have ended, as an admin',
    auth: 'admin',
    http: 'GET /admin/operators',
    input: z.strictObject({}),
    success: { 200: z.object({ items: z.array(operatorEntry).max(10_000) }) },
  }),
} as const
