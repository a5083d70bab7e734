import { operatorKind, operatorSource } from '@svc/contracts/gallery/operators'
import { sql, table, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const operators = table('operator', {
  id: z.string(),
  seq: z.number(),
  agent_id: z.number(),
  kind: operatorKind,
  title: z.string(),
  house: z.boolean(),
  vault_id: z.string(),
  source: operatorSource,
  created_at: z.string(),
})
const newOperators = operators.omit('seq')
const row = operators.row.extend({ ended_at: z.string().nullable(), ended_by: z.number().nullable() })
/** An operator; `ended_at` is null while it may publish, and `ended_by` is the admin who ended it. */
export type Operator = z.output<typeof row>
const vaultRow = row.extend({ live: z.boolean() })
/** The operator of a vault; `live` is false once it has ended. */
export type VaultOperator = z.output<typeof vaultRow>

const COLUMNS = sql.fragment`${operators.listOf('o')}, e.at AS ended_at, e.admin_id AS ended_by`
const OPERATORS = sql.fragment`operator o LEFT JOIN operator_end e ON e.operator_id = o.id`

/** Returns operators added after one, in the order in which they were added, also those that have ended. */
export function operatorsAfter(db: Db, seq: number, limit: number): Promise<readonly Operator[]> {
  return db.any(sql.type(row)`SELECT ${COLUMNS} FROM ${OPERATORS} WHERE o.seq > ${seq} ORDER BY o.seq LIMIT ${limit}`)
}

/** Returns an operator, also one that has ended; null for an unknown id. */
export function findOperator(db: Db, operatorId: string): Promise<Operator | null> {
  return db.maybeOne(sql.type(row)`SELECT ${COLUMNS} FROM ${OPERATORS} WHERE o.id = ${operatorId}`)
}

/** Returns the operator of a vault, also one that has ended; null for an unknown vault. */
export function findOperatorVault(db: Db, vaultId: string): Promise<VaultOperator | null> {
  return db.maybeOne(sql.type(vaultRow)`
    SELECT ${COLUMNS}, e.at IS NULL AS live FROM ${OPERATORS} WHERE o.vault_id = ${vaultId}`)
}

/** Returns the operators of vaults, also those that have ended, oldest first. */
export function operatorsOfVaults(db: Db, vaultIds: readonly string[]): Promise<readonly Operator[]> {
  return db.any(sql.type(row)`
    SELECT ${COLUMNS} FROM ${OPERATORS} WHERE o.vault_id = ANY(${sql.array([...vaultIds], 'text')}) ORDER BY o.seq`)
}

/** Returns the operators of agents, also those that have ended, oldest first. */
export function operatorsOf(db: Db, agentIds: readonly number[]): Promise<readonly Operator[]> {
  return db.any(sql.type(row)`
    SELECT ${COLUMNS} FROM ${OPERATORS} WHERE o.agent_id = ANY(${sql.array([...agentIds], 'int8')})
    ORDER BY o.seq LIMIT 10000`)
}

/** Returns the operators that a list of wallets made, also those that have ended, oldest first. */
export function operatorsByWallet(db: Db): Promise<readonly Operator[]> {
  return db.any(sql.type(row)`
    SELECT ${COLUMNS} FROM ${OPERATORS} WHERE o.source = 'wallets' ORDER BY o.seq LIMIT 10000`)
}

/** Lets one transaction at a time add operators for an agent, until it ends. */
export async function lockAgent(tx: Tx, agentId: number): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`operator:${agentId}`}, 0))`)
}

/** Lets one transaction at a time compare the operators with a list of wallets, until it ends. */
export async function lockWallets(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('gallery.operator_wallets', 0))`)
}

/** A new operator. */
export interface NewOperator extends Pick<Operator, 'id' | 'kind' | 'title' | 'house' | 'source'> {
  readonly vaultId: string
  readonly agentId: number
}

/** Stores an operator. */
export async function insertOperator(tx: Tx, operator: NewOperator, now: Date): Promise<Operator> {
  const { vaultId, agentId, ...rest } = operator
  const values = { ...rest, vault_id: vaultId, agent_id: agentId, created_at: now.toISOString() }
  return tx.one(sql.type(row)`
    ${newOperators.insert(values)}
    RETURNING ${operators.list}, NULL::timestamptz AS ended_at,
      NULL::bigint AS ended_by`)
}

/** Ends an operator; one that has ended stays as it is. An unknown id changes nothing. */
export async function endOperator(
  tx: Tx,
  operatorId: string,
  { reason, adminId }: { readonly reason: string; readonly adminId: number | null },
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO operator_end (operator_id, reason, admin_id, at)
    SELECT id, ${reason}, ${adminId}::bigint, ${now.toISOString()} FROM operator WHERE id = ${operatorId}
    ON CONFLICT DO NOTHING`)
}
