import { setTimeout as delay } from 'node:timers/promises'
import { ok, refuse } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { legNotReady, ownerBusy } from '@svc/contracts/hl-leg/legs'
import { legDebt, legRefusals } from '@svc/contracts/hl-leg/refusals'
import { usdcText } from '@svc/limits'
import type { BoundHandler, Call } from '@svc/service'
import type { Context } from '#context.ts'
import { openLedger, readLedger } from '#readings/read-ledger.ts'
import { storeReading } from '#readings/store/readings.ts'
import { type ReadFacts, readFacts } from '../account-facts.ts'
import { emitLeg } from '../emit-leg.ts'
import { requireCapacity } from '../leg-capacity.ts'
import { legViewOf } from '../leg-view.ts'
import { accountOf } from '../leg-keys.ts'
import { relayApproval, signedApproval } from '../relay-approval.ts'
import { legToBind } from '../require-leg.ts'
import { listedKey } from '@svc/venue/rules/account'
import { areReady, checksOf } from '../rules/checks.ts'
import { approvalEnd, isLive } from '../rules/standing.ts'
import { type LegKey, newestKey, noteUsed } from '../store/keys.ts'
import { bindKey, type Leg, liveLegOf, lockLeg, lockOwner, noteChecks } from '../store/legs.ts'
import { allowOpens } from '../store/open-bars.ts'

/** Pauses between the looks at the venue's list, which shows an approval after a block or a pending removal. */
const LOOKS_MS = [0, 1_000, 1_500, 2_000]

export const bindLeg: BoundHandler<Context, typeof hlLeg.operations.bindLeg> = (context) => async (input, call) => {
  const { pool, settings } = context
  const { seed, mandate, leg } = await legToBind(context, input.public_id, call)
  const newest = leg === null ? null : await newestKey(pool, leg.publicId)
  if (leg === null || newest === null || leg.state === 'released') refuse(legRefusals.none)
  await requireNoDebt(context, leg)
  if (!isLive(leg.state)) await requireCapacity(context, leg)

  const { signature, nonce } = input
  const signed = signature === undefined ? null : await signedApproval(context, leg, { signature, nonce }, call.now)
  const needed = approvalEnd(new Date(mandate.ends_at), settings.returnFallbackSec, call.now)
  const judge = ({ facts }: ReadFacts, key: BoundKey) => {
    const isOurs = accountOf(seed, { publicId: leg.publicId, ...key }) !== null
    // A leg that trades already need not be flat, whatever its key.
    const expected = { address: key.agent, isOurs, validUntil: needed, isBound: isLive(leg.state) }
    return checksOf(facts, expected, call.now)
  }
  if (signed !== null) {
    // An account that cannot be bound gets no key.
    const before = judge(await readFacts(context, 'orders', leg.owner, leg.knownAt !== null), newest)
    if (!areReady(before)) await refuseNotReady(context, leg, before)
    await relayApproval(context, leg, signed)
  }
  const read = await listedFacts(context, { leg, key: newest, isRelayed: signed !== null }, call)
  // The key that is bound stays while a newer one was served and not approved.
  const keys = [newest, ...boundKeyOf(leg)]
  const key = keys.find(({ agent }) => listedKey(read.facts.agents, agent, call.now) !== null) ?? newest
  const checks = judge(read, key)
  const listed = listedKey(read.facts.agents, key.agent, call.now)
  if (listed === null || read.reading === null || !areReady(checks)) return refuseNotReady(context, leg, checks)
  await noteUsed(pool, leg.publicId, key.epoch, call.now)

  const { reading } = read
  const account = { publicId: leg.publicId, owner: leg.owner }
  const begin = leg.boundAt === null ? await openLedger(context, 'orders', account, reading) : null
  // Whatever came meanwhile is foreign too.
  if (begin === null) await readLedger(context, 'orders', account)
  return call.effect(async (tx) => {
    await lockOwner(tx, leg.network, leg.owner)
    const now = await lockLeg(tx, leg.publicId)
    const taken = await liveLegOf(tx, leg.network, leg.owner)
    if (taken !== null && taken.publicId !== leg.publicId) refuse(ownerBusy)
    if (now === null || now.state === 'released') refuse(legRefusals.none)
    if (now.boundAt === null) await begin?.(tx)
    const validUntil = listed.validUntil === null ? null : new Date(listed.validUntil)
    const bound = await bindKey(tx, leg.publicId, { ...key, validUntil, checks }, call.now)
    await storeReading(tx, leg.publicId, reading)
    // A silent agent's leg opens again once the owner has come back.
    await allowOpens(tx, leg.publicId, 'agent_silent', call.now)
    if (now.state !== 'bound' || now.epoch !== key.epoch) await emitLeg(tx, bound, null, call.now)
    return ok(200, { ok: true as const, leg: await legViewOf(context, tx, mandate, bound) })
  })
}

type BoundKey = Pick<LegKey, 'epoch' | 'agent' | 'fingerprint'>

const boundKeyOf = ({ epoch, agent, fingerprint }: Leg): readonly BoundKey[] =>
  epoch === null || agent === null || fingerprint === null ? [] : [{ epoch, agent, fingerprint }]

/** Reads the account until the venue lists the key, for at most five seconds. */
async function listedFacts(
  context: Context,
  { leg, key, isRelayed }: { readonly leg: Leg; readonly key: BoundKey; readonly isRelayed: boolean },
  call: Call,
): Promise<ReadFacts> {
  // Without a signature nothing is on its way.
  for (const pause of isRelayed ? LOOKS_MS : []) {
    if (pause > 0) await delay(pause)
    const agents = await context.venue.ask('orders', 'extraAgents', { user: leg.owner })
    if (listedKey(agents, key.agent, call.now) !== null) break
  }
  return readFacts(context, 'orders', leg.owner, leg.knownAt !== null)
}

async function refuseNotReady({ pool }: Context, leg: Leg, checks: ReturnType<typeof checksOf>): Promise<never> {
  await noteChecks(pool, leg.publicId, { checks, knownAt: null })
  return refuse(legNotReady, undefined, { checks })
}

/** A new leg would get money that its owner owes already. */
async function requireNoDebt({ pool, money, settings }: Context, leg: Leg): Promise<void> {
  const owed = await money.debtOf(pool, leg.network, leg.owner)
  if (owed > 0n && !isLive(leg.state))
    refuse(legDebt, undefined, {
      leg_debt_usdc: usdcText(owed),
      pool_address: settings.poolAddress?.toLowerCase() ?? null,
    })
}
