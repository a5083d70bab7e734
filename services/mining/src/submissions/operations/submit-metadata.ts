import { ok, refuse, type FieldError } from '@svc/contract'
import type { Pair } from '@svc/contracts/market-data'
import { miningRefusals } from '@svc/contracts/mining/refusals'
import type { mining } from '@svc/contracts/mining'
import type { Db } from '@svc/postgres'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { skeleton } from '../rules/confusable.ts'
import { addressSpellings } from '../rules/contract-address.ts'
import { judgeEntries, type Entry, type ResolvedEntry } from '../rules/judge-entries.ts'
import { precheck } from '../rules/prechecks.ts'
import { pendingMax, type MinerRecord } from '#miners/rules/miner-record.ts'
import { utcDayOf } from '#payouts/rules/utc-day.ts'
import { countPending, lockMiner, readMiner } from '#miners/store/miners.ts'
import { currentPrice } from '#prices/store/prices.ts'
import { insertSubmissions } from '../store/submissions.ts'
import { similarValues, tokenState } from '../store/tokens.ts'

const { unknownPair, invalidEntries, fieldPending, pendingLimit, submissionsPaused } = miningRefusals

function pendingError(entries: readonly Entry[], field: string): FieldError {
  const index = entries.findIndex((entry) => entry.field_name === field)
  return {
    pointer: `/entries/${index}/field_name`,
    code: 'field_pending',
    detail: `${field} of this token awaits review`,
  }
}

/** Refuses an account that is paused, or that would have too many pending entries. */
function refuseUnlessAllowed(miner: MinerRecord, pending: number, entries: number, now: Date): void {
  if (miner.paused_until !== null && new Date(miner.paused_until) > now)
    refuse(submissionsPaused, undefined, { retry_at: miner.paused_until })
  const limit = pendingMax(miner)
  if (pending + entries > limit)
    refuse(
      pendingLimit,
      `${pending} entries await review; ${limit} may. Each approved entry makes room for two more.`,
      {
        limit,
        pending,
      },
    )
}

/** Judges and prices all entries for the present state of the token. One invalid entry refuses the whole submit. */
async function judge(db: Db, pair: Pair, entries: readonly Entry[], now: Date) {
  const token = await tokenState(db, pair.token_id)
  const verdict = judgeEntries(entries, token, utcDayOf(now))
  if (verdict.invalid.length > 0) refuse(invalidEntries, undefined, {}, [...verdict.invalid, ...verdict.blocked])
  if (verdict.blocked.length > 0) refuse(fieldPending, undefined, {}, verdict.blocked)
  const price = await currentPrice(db)
  const values = verdict.entries.flatMap(({ field, field_value }) => {
    const spellings = field.name === 'contract_address' ? addressSpellings(field_value) : [field_value]
    return spellings.map((one) => ({ field_name: field.name, skeleton: skeleton(one) }))
  })
  const known = await similarValues(db, pair, values)
  const judged = verdict.entries.map((entry: ResolvedEntry) => ({
    field_name: entry.field.name,
    field_value: entry.field_value,
    evidence_url: entry.evidence_url,
    points: entry.field.points,
    cherry: entry.field.points * price.payout_point_price,
    checks: precheck(entry, { base: pair.base, entries: verdict.entries, current: token.current, known }),
  }))
  return {
    judged,
    priceVersion: price.version,
    totals: {
      total_points: judged.reduce((sum, entry) => sum + entry.points, 0),
      total_cherry_on_approval: judged.reduce((sum, entry) => sum + entry.cherry, 0),
    },
  }
}

export const submitMetadata: BoundHandler<Context, typeof mining.operations.submitMetadata> =
  (context) => async (input, call) => {
    const caller = callerOf(call)
    const { entries } = input
    const pair = await context.findPair(input.exchange, input.symbol)
    if (pair === null) refuse(unknownPair)

    if (input.dry_run) {
      // In the effect, so that a repeat with the same Idempotency-Key finds the answer.
      return call.effect(async (tx) => {
        const miner = await readMiner(tx, caller.account_id)
        refuseUnlessAllowed(miner, await countPending(tx, caller.account_id), entries.length, call.now)
        const { judged, totals } = await judge(tx, pair, entries, call.now)
        const shown = judged.map(({ field_name, points, cherry, checks }) => ({
          field_name,
          points,
          cherry_on_approval: cherry,
          checks,
        }))
        return ok(200, {
          ok: true as const,
          dry_run: true as const,
          token_id: pair.token_id,
          entries: shown,
          ...totals,
        })
      })
    }

    return call.effect(async (tx) => {
      const miner = await lockMiner(tx, caller.account_id)
      refuseUnlessAllowed(miner, await countPending(tx, caller.account_id), entries.length, call.now)
      const { judged, priceVersion, totals } = await judge(tx, pair, entries, call.now)
      const rows = judged.map((entry) => ({ ...entry, id: context.newSubmissionId() }))
      const origin = { ...pair, account_id: caller.account_id, wallet: caller.wallet, price_version: priceVersion }
      const inserted = new Set(await insertSubmissions(tx, origin, rows, call.now))
      // Another account submitted the field after it was judged: the transaction rolls back.
      const taken = rows.filter((row) => !inserted.has(row.field_name))
      if (taken.length > 0)
        refuse(
          fieldPending,
          undefined,
          {},
          taken.map((row) => pendingError(entries, row.field_name)),
        )
      return ok(202, { ok: true as const, submission_ids: rows.map((row) => row.id), ...totals })
    })
  }
