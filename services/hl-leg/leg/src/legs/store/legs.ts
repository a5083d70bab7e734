import type { LegCheck, LegReason } from '@svc/contracts/hl-leg/legs'
import { legState } from '@svc/contracts/hl-leg/refusals'
import type { Network } from '@svc/hyperliquid'
import { instant, json, named, sql, table, type Db, type Tx } from '@svc/postgres'
import type { Address } from 'viem'
import { z } from 'zod'
import type { LiveState } from '../rules/standing.ts'

const address = z.string().transform((text) => text as Address)
const instantOrNone = instant.nullable()
const checks = json(
  z
    .custom<LegCheck[]>()
    .nullable()
    .transform((noted) => noted ?? []),
)
const legs = table('leg', {
  publicId: z.string(),
  network: z.enum(['testnet', 'mainnet']),
  ownerId: z.number(),
  owner: named('owner_address', address),
  state: legState.exclude(['none']),
  reason: z.string().nullable(),
  stateAt: instant,
  epoch: z.number().nullable(),
  agent: named('agent_address', address.nullable()),
  fingerprint: named('seed_fingerprint', z.string().nullable()),
  validUntil: instantOrNone,
  boundAt: instantOrNone,
  askedAt: instantOrNone,
  knownAt: instantOrNone,
  readDueAt: instantOrNone,
  surveyedAt: instantOrNone,
  foreignAgents: z.number().nullable(),
  foreignFills: z.number().nullable(),
  endToldAt: instantOrNone,
  checks,
})
const legRow = legs.row.extend({ modeAt: instantOrNone })
/** The leg of a mandate. Addresses are lower case; the key is null before the first bind. */
export type Leg = z.output<typeof legRow>

const columns = sql.fragment`${legs.list},
  (SELECT read_at FROM mode_reading WHERE mode_reading.public_id = leg.public_id) AS "modeAt"`
const proposed = legs.pick('publicId', 'network', 'ownerId', 'owner', 'state', 'stateAt', 'askedAt')
const bound = legs.pick('epoch', 'agent', 'fingerprint', 'validUntil', 'checks')
const surveyed = legs.pick('surveyedAt', 'foreignAgents', 'foreignFills', 'checks')
const live = sql.fragment`state IN ('bound', 'revoked', 'expired', 'orphaned', 'unsupported')`

/** Returns the leg of a mandate; null if none was ever proposed. */
export function readLeg(db: Db, publicId: string): Promise<Leg | null> {
  return db.maybeOne(sql.prepared('read_leg', legRow)`SELECT ${columns} FROM leg WHERE public_id = ${publicId}`)
}

/** Returns the legs of mandates; a mandate without one is left out. */
export function legsById(db: Db, publicIds: readonly string[]): Promise<readonly Leg[]> {
  return db.any(sql.type(legRow)`
    SELECT ${columns} FROM leg WHERE public_id = ANY(${sql.array([...publicIds], 'text')}) ORDER BY public_id`)
}

/** Returns the leg of a mandate and locks it until the end of the transaction. */
export function lockLeg(tx: Tx, publicId: string): Promise<Leg | null> {
  return tx.maybeOne(sql.type(legRow)`SELECT ${columns} FROM leg WHERE public_id = ${publicId} FOR UPDATE`)
}

/** Returns the live leg in an owner's account; null if the account has none. */
export function liveLegOf(db: Db, network: Network, owner: string): Promise<Leg | null> {
  return db.maybeOne(sql.type(legRow)`
    SELECT ${columns} FROM leg WHERE network = ${network} AND owner_address = ${owner.toLowerCase()} AND ${live}`)
}

/** Lists live legs in the order of their ids, after one of them. */
export function liveLegs(
  db: Db,
  network: Network,
  { after = '', limit }: { readonly after?: string; readonly limit: number },
): Promise<readonly Leg[]> {
  return db.any(sql.type(legRow)`
    SELECT ${columns} FROM leg WHERE network = ${network} AND ${live} AND public_id > ${after}
    ORDER BY public_id LIMIT ${limit}`)
}

/** Lists live legs that are due to be read, the longest due first. */
export function legsToRead(db: Db, network: Network, now: Date, limit: number): Promise<readonly Leg[]> {
  return db.any(sql.type(legRow)`
    SELECT ${columns} FROM leg
    WHERE network = ${network} AND ${live} AND (read_due_at IS NULL OR read_due_at <= ${now.toISOString()})
    ORDER BY read_due_at NULLS FIRST, public_id LIMIT ${limit}`)
}

/** Lists live legs whose account is due for a survey, the longest due first. */
export function legsToSurvey(db: Db, network: Network, before: Date, limit: number): Promise<readonly Leg[]> {
  return db.any(sql.type(legRow)`
    SELECT ${columns} FROM leg
    WHERE network = ${network} AND ${live} AND (surveyed_at IS NULL OR surveyed_at <= ${before.toISOString()})
    ORDER BY surveyed_at NULLS FIRST, public_id LIMIT ${limit}`)
}

/** Sets when a leg is read next. */
export async function setReadDue(db: Db, publicId: string, at: Date): Promise<void> {
  await db.query(sql.unsafe`UPDATE leg SET read_due_at = ${at.toISOString()} WHERE public_id = ${publicId}`)
}

/** Notes when the venue said that the account of a leg is in the standard mode. */
export async function noteMode(db: Db, publicId: string, at: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO mode_reading (public_id, read_at) VALUES (${publicId}, ${at.toISOString()})
    ON CONFLICT (public_id) DO UPDATE SET read_at = greatest(mode_reading.read_at, excluded.read_at)`)
}

/** Lets the next tick survey an account, for example because the venue refused its key. */
export async function askSurvey(db: Db, publicId: string): Promise<void> {
  await db.query(sql.unsafe`UPDATE leg SET surveyed_at = NULL WHERE public_id = ${publicId}`)
}

/** Stores that an owner asks for an approval. A leg that is live stays as it is; any other becomes proposed. */
export function proposeLeg(
  tx: Tx,
  leg: { readonly publicId: string; readonly network: Network; readonly ownerId: number; readonly owner: string },
  now: Date,
): Promise<Leg> {
  const owner = leg.owner.toLowerCase() as Address
  const row = { ...leg, owner, state: 'proposed', stateAt: now, askedAt: now } as const
  return tx.one(sql.type(legRow)`
    ${proposed.insert(row)}
    ON CONFLICT (public_id) DO UPDATE SET asked_at = excluded.asked_at,
      network = CASE WHEN leg.state IN ('proposed', 'released') THEN excluded.network ELSE leg.network END,
      owner_address = CASE WHEN leg.state IN ('proposed', 'released') THEN excluded.owner_address ELSE leg.owner_address END,
      state_at = CASE WHEN leg.state = 'released' THEN excluded.state_at ELSE leg.state_at END,
      reason = CASE WHEN leg.state = 'released' THEN NULL ELSE leg.reason END,
      bound_at = CASE WHEN leg.state = 'released' THEN NULL ELSE leg.bound_at END,
      state = CASE WHEN leg.state = 'released' THEN 'proposed' ELSE leg.state END
    RETURNING ${columns}`)
}

/** Stores the checks of an account, and that the venue knows it. */
export async function noteChecks(
  db: Db,
  publicId: string,
  noted: { readonly checks: readonly LegCheck[]; readonly knownAt: Date | null },
): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE leg SET checks = ${JSON.stringify(noted.checks)}::jsonb,
      known_at = coalesce(known_at, ${noted.knownAt?.toISOString() ?? null})
    WHERE public_id = ${publicId}`)
}

/** Waits until no other transaction binds a leg in an owner's account. */
export async function lockOwner(tx: Tx, network: Network, owner: string): Promise<void> {
  const name = `leg ${network} ${owner.toLowerCase()}`
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** Binds a leg to a key. `boundAt` of a leg that was live before stays. The leg must be locked. */
export function bindKey(
  tx: Tx,
  publicId: string,
  key: {
    readonly epoch: number
    readonly agent: string
    readonly fingerprint: string
    readonly validUntil: Date | null
    readonly checks: readonly LegCheck[]
  },
  now: Date,
): Promise<Leg> {
  const at = now.toISOString()
  return tx.one(sql.type(legRow)`
    UPDATE leg SET state = 'bound', reason = NULL, ${bound.set({ ...key, agent: key.agent as Address, checks: [...key.checks] })},
      state_at = CASE WHEN state = 'bound' THEN state_at ELSE ${at}::timestamptz END,
      bound_at = coalesce(bound_at, ${at}), end_told_at = NULL, read_due_at = NULL
    WHERE public_id = ${publicId} RETURNING ${columns}`)
}

/** Moves a leg to another state. The leg must be locked. */
export function moveLeg(
  tx: Tx,
  publicId: string,
  to: { readonly state: LiveState | 'released'; readonly reason: LegReason | null },
  now: Date,
): Promise<Leg> {
  return tx.one(sql.type(legRow)`
    UPDATE leg SET state = ${to.state}, reason = ${to.reason}, state_at = ${now.toISOString()}
    WHERE public_id = ${publicId} RETURNING ${columns}`)
}

/** Stores what a survey of an account found. */
export async function noteSurvey(
  db: Db,
  publicId: string,
  found: {
    readonly at: Date
    readonly validUntil: Date | null
    readonly foreignAgents: number
    readonly foreignFills: number
    readonly checks: readonly LegCheck[]
  },
): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE leg SET ${surveyed.set({ ...found, surveyedAt: found.at, checks: [...found.checks] })},
      valid_until = coalesce(${found.validUntil?.toISOString() ?? null}, valid_until)
    WHERE public_id = ${publicId}`)
}

const publicIdRow = z.object({ public_id: z.string() })

/** Notes that the owner was told of the early end of an approval; false if that was noted before. */
export async function noteEndTold(tx: Tx, publicId: string, now: Date): Promise<boolean> {
  const row = await tx.maybeOne(sql.type(publicIdRow)`
    UPDATE leg SET end_told_at = ${now.toISOString()} WHERE public_id = ${publicId} AND end_told_at IS NULL
    RETURNING public_id`)
  return row !== null
}

/** Returns and locks proposals that nobody asked for since an instant, the oldest first. */
export function lapsedProposals(tx: Tx, network: Network, before: Date, limit: number): Promise<readonly Leg[]> {
  return tx.any(sql.type(legRow)`
    SELECT ${columns} FROM leg WHERE network = ${network} AND state = 'proposed' AND asked_at <= ${before.toISOString()}
    ORDER BY asked_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`)
}
