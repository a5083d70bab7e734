import { instant, named, sql, table, units, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** Why an address began to owe, or owes less. */
const cause = z.enum(['fallback', 'unbacked', 'payment', 'written_off'])

const debtChanges = table('leg_debt', {
  network: z.string(),
  owner: named('owner_address', z.string()),
  publicId: z.string().nullable(),
  cause,
  amount: units,
  transferId: z.string().nullable(),
  venueHash: z.string().nullable(),
})
/** A change of what an address owes; positive when it begins to owe. Base units of USDC. */
export type DebtChange = RowOf<typeof debtChanges>
const storedChanges = table('leg_debt', { ...debtChanges.columns, at: instant })

/** Serialises what lowers the debt of an address. */
export async function lockDebt(tx: Tx, network: string, owner: string): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`debt:${network}:${owner}`}, 0))`)
}

/** Stores a change of a debt, once for its transfer or ledger entry. */
export async function insertDebt(tx: Tx, change: DebtChange, now: Date): Promise<void> {
  await tx.query(sql.unsafe`${storedChanges.insert({ ...change, at: now })} ON CONFLICT DO NOTHING`)
}

const debt = z.object({ owner_address: z.string(), owed: units })

/** Returns what addresses owe; an address without a row owes nothing. */
export async function debtsOf(
  db: Db,
  network: string,
  owners: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.any(sql.type(debt)`
    SELECT owner_address, greatest(sum(amount), 0) AS owed FROM leg_debt
    WHERE network = ${network} AND owner_address = ANY(${sql.array([...owners], 'text')}) GROUP BY owner_address`)
  return new Map(rows.map(({ owner_address, owed }) => [owner_address, owed]))
}

const accountDebt = z.object({ owner_id: z.number(), owner_address: z.string(), owed: units })
/** What an address of an owner's account owes. Base units of USDC. */
export type AccountDebt = z.output<typeof accountDebt>

/** Returns what each address of owners' accounts owes; two accounts may have the same address. */
export function debtsOfAccounts(db: Db, network: string, ownerIds: readonly number[]): Promise<readonly AccountDebt[]> {
  // Each address of an account once, whichever of its mandates it has.
  return db.any(sql.type(accountDebt)`
    SELECT owner_id, owner_address, owed FROM (
      SELECT DISTINCT owner_id, owner_address FROM leg
      WHERE network = ${network} AND owner_id = ANY(${sql.array([...ownerIds], 'int8')})) AS own
    JOIN (SELECT owner_address, greatest(sum(amount), 0) AS owed FROM leg_debt WHERE network = ${network}
      GROUP BY owner_address) AS owes USING (owner_address)`)
}

/** Returns what the addresses of accounts owe together, each address once. */
export const debtOfParty = (debts: readonly AccountDebt[], party: readonly number[]): bigint =>
  [
    ...new Map(
      debts
        .filter(({ owner_id }) => party.includes(owner_id))
        .map(({ owner_address, owed }) => [owner_address, owed] as const),
    ).values(),
  ].reduce((sum, owed) => sum + owed, 0n)

const owedRow = z.object({ owed: units })

/** Returns what all addresses of a network owe together. */
export function debtOfAll(db: Db, network: string): Promise<bigint> {
  return db.oneFirst(sql.type(owedRow)`
    SELECT coalesce(sum(owed), 0) AS owed FROM (
      SELECT greatest(sum(amount), 0) AS owed FROM leg_debt WHERE network = ${network} GROUP BY owner_address) o`)
}

/** Stores that an admin wrote off a debt. */
export async function insertWriteOff(
  tx: Tx,
  off: {
    readonly network: string
    readonly owner: string
    readonly amount: bigint
    readonly adminId: number
    readonly reason: string
  },
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO leg_debt (network, owner_address, cause, amount, admin_id, reason, at)
    VALUES (${off.network}, ${off.owner}, 'written_off', ${String(-off.amount)}, ${off.adminId}, ${off.reason},
      ${now.toISOString()})`)
}

const changeRow = z.object({
  cause,
  amount: units,
  public_id: z.string().nullable(),
  transfer_id: z.string().nullable(),
  admin_id: z.number().nullable(),
  reason: z.string().nullable(),
  fee: units.nullable(),
  at: instant,
})
const debtorRow = z.object({ owner_address: z.string(), owed: units, changes: z.array(changeRow) })
/** An address with what it owes and its newest changes, newest first. Base units of USDC. */
export type Debtor = z.output<typeof debtorRow>

/** Lists addresses that owe or owed, in their order, after one of them, each with so many of its newest changes. */
export function debtors(
  db: Db,
  network: string,
  { after, limit, changes }: { readonly after: string; readonly limit: number; readonly changes: number },
): Promise<readonly Debtor[]> {
  // Sums and changes of one page of addresses, each by the index of its address.
  return db.any(sql.type(debtorRow)`
    SELECT d.owner_address, greatest(sum(d.amount), 0) AS owed, (
      SELECT json_agg(newest ORDER BY newest.id DESC) FROM (
        SELECT id, cause, c.amount::text AS amount, c.public_id, transfer_id, admin_id, c.reason, at,
          fee_owed::text AS fee
        FROM leg_debt c LEFT JOIN transfer USING (transfer_id)
        WHERE c.network = ${network} AND c.owner_address = d.owner_address ORDER BY id DESC LIMIT ${changes}) AS newest
      ) AS changes
    FROM leg_debt d WHERE d.network = ${network} AND d.owner_address > ${after}
    GROUP BY d.owner_address ORDER BY d.owner_address LIMIT ${limit}`)
}
