import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { gapBps } from '#gaps/rules/gap.ts'
import { shadowFills, type StoredShadowFill } from '#gaps/store/shadow-books.ts'
import type { Follow } from '#gaps/store/follows.ts'
import type { NewVerdict } from '#gaps/store/verdicts.ts'
import type { PartyFacts } from '#follows/read-parties.ts'
import { signalsAfter, type Signal } from '#signals/store/signals.ts'
import { decidedSignal } from '#follows/decided-signal.ts'
import { followerScene } from './follower-scene.ts'
import { readPrices } from './prices.ts'
import { decideSignal } from '#follows/rules/decide-signal.ts'
import { isFresh, scoreShadow } from './score-shadow.ts'
import { storeDryVerdicts } from './store-verdict.ts'

/**
 * Decides the next signals of follows without ordering anything, and returns how many verdicts it stored. Follows of one vault
 * that stand at the same signal share its rows, its prices and the fill of the shadow book.
 */
export async function followDry(context: Context, follows: readonly Follow[], facts: PartyFacts): Promise<number> {
  const groups = Map.groupBy(follows, ({ listingId, decidedSeq }) => `${listingId} ${decidedSeq}`)
  const verdicts: NewVerdict[] = []
  // In the order of the signals, so that a shadow book scores each.
  for (const group of [...groups.values()].toSorted((a, b) => (a[0]?.decidedSeq ?? 0) - (b[0]?.decidedSeq ?? 0)))
    verdicts.push(...(await orNothing(context, decideGroup(context, group, facts))))
  return verdicts.length === 0 ? 0 : storeDryVerdicts(context, verdicts)
}

/** While the venue cannot be read a group waits, and the others go on. */
async function orNothing<T>({ log }: Context, decided: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await decided
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error }, 'signals wait for their verdicts: prices of the venue cannot be read')
    return []
  }
}

async function decideGroup(
  context: Context,
  group: readonly Follow[],
  facts: PartyFacts,
): Promise<readonly NewVerdict[]> {
  const [first] = group
  if (first === undefined) return []
  const { listingId, vaultId, agentId, decidedSeq } = first
  const signals = await signalsAfter(context.pool, vaultId, decidedSeq, context.settings.houseSignalsMax)
  await scoreShadow(context, { listingId, vaultId, agentId }, signals)
  const at = context.clock.now()
  const limited = signals
    .filter((signal) => signal.limit_price !== null && isFresh(signal, at))
    .map(({ market }) => market)
  const [fills, prices] = await Promise.all([
    shadowFills(context.pool, listingId, decidedSeq, signals.length),
    readPrices(context, limited),
  ])
  const filled = new Map(fills.map((fill) => [fill.seq, fill]))
  const now = context.clock.now().getTime()
  const decided = signals.map((signal) => ({
    signal,
    rules: decidedSignal(signal),
    mark: prices.get(signal.market)?.mark_price ?? null,
    scored: scoreOf(signal, filled.get(signal.seq)),
  }))
  return group.flatMap((follow) => {
    const parties = { mandate: facts.mandates.get(follow.mandateId), leg: facts.legs.get(follow.mandateId) }
    return decided.map(({ signal, rules, mark, scored }): NewVerdict => {
      const decision = decideSignal(rules, followerScene(follow, signal.market, parties), mark, now)
      const base = {
        followId: follow.id,
        seq: signal.seq,
        mandateId: follow.mandateId,
        vaultId,
        notionalUsdc: null,
      }
      if (decision.kind === 'verdict')
        return { ...base, kind: `dry_${decision.verdict}`, reason: decision.reason, ...UNSCORED }
      return { ...base, kind: 'dry_followed', reason: null, ...scored }
    })
  })
}

const UNSCORED = { signalPrice: null, fillPrice: null, delayMs: null, gapBps: null }

/** Returns the score of a dry verdict: what the shadow book paid for the signal. */
function scoreOf({ recorded_price, recorded_at }: Signal, fill: StoredShadowFill | undefined) {
  if (fill === undefined) return UNSCORED
  return {
    signalPrice: recorded_price,
    fillPrice: fill.price,
    delayMs: Math.max(0, fill.at.getTime() - Date.parse(recorded_at)),
    gapBps: gapBps(fill.side, recorded_price, fill.price),
  }
}
