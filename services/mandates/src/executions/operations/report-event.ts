import { ok, refuse, type InputOf } from '@svc/contract'
import { common } from '@svc/contracts'
import { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { emit, type Tx } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { alertOwner } from '#alerts/alert-owner.ts'
import { appendEntry } from '#record/append-entry.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import type { Context } from '#context.ts'
import { eventViolation, type EventViolation, type ReportedEvent } from '../rules/event-verdict.ts'
import { ownerIdOf, type Mandate } from '#mandate/rules/mandate.ts'
import type { NewEntry, RecordJson } from '#record/rules/record-hash.ts'
import { reportedSide } from '../rules/reported-side.ts'
import { termsFromSigned } from '#limits/engine-terms.ts'
import { occurredAt } from '../occurred-at.ts'
import { lockMandateOfCaller } from '#mandate/parties.ts'
import { executionsIn } from '../store/executions.ts'
import { reportJudgingOf } from '../store/report-judging.ts'
import { compareReports, insertReportedTrade } from '../store/reported-trades.ts'
import { insertReportedViolation } from '../store/reported-violations.ts'
import { vaultNotAttached } from '@svc/contracts/mandates/refusals'

/** Length of the part of an instant that names its hour. */
const HOUR_CHARACTERS = 'yyyy-mm-ddThh'.length

type Input = InputOf<typeof mandates.operations.reportEvent>
type Violation = Pick<EventViolation, 'clause' | 'detail'> & { readonly reason: string }

export const reportEvent: BoundHandler<Context, typeof mandates.operations.reportEvent> =
  (context) => async (input, call) =>
    call.effect(async (tx) => {
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      const report = readReport(input, mandate, call.now)
      const { known, violation } = await judgeReport(tx, context, mandate, report)
      const contradicts = await compareTrade(tx, mandate, report)
      const entry = entryOf(input, report, { violation, contradicts }, call.now)
      const seq = await appendEntry(tx, mandate, entry, mandate.record)
      const answer = { ok: true as const, seq, annotates: known ? report.txHash : null, contradicts_chain: contradicts }
      if (violation === null) return ok(201, { ...answer, violation: false as const })
      // A violation on the chain was announced when chain-indexer reported it.
      if (!known) await announce(tx, context, mandate, { violation, txHash: report.txHash }, call.now)
      return ok(202, { ...answer, violation: true as const, ...violation })
    })

/** A report as it is judged. Amounts are USDC base units. */
interface Report {
  readonly event: ReportedEvent
  readonly txHash: string | null
}

function readReport(input: Input, mandate: Mandate, now: Date): Report {
  const at = occurredAt(input.occurred_at, mandate, now)
  mustAgree(input.kind, input.side)
  const amount = input.amount_usdc === undefined ? null : usdcUnits(input.amount_usdc)
  const event = { kind: input.kind, side: input.side ?? null, market: input.market ?? null, amount, at }
  return { event, txHash: input.tx_hash?.toLowerCase() ?? null }
}

/** Rejects a report with two sides: read as a buy it counts against the caps, read as a sale it does not. */
function mustAgree(kind: string, side: string | undefined): void {
  if ((kind === 'buy' && side === 'sell') || (kind === 'sell' && side === 'buy'))
    refuse(common.invalidRequest, undefined, {}, [
      { pointer: '/side', code: 'contradicts_kind', detail: `must be ${kind} as kind is, or be left out` },
    ])
}

/**
 * Judges a report: by the verdict of its executions if the chain shows the transaction (`known`), else by the chain's sums of
 * that day.
 */
async function judgeReport(
  tx: Tx,
  { settings }: Context,
  mandate: Mandate,
  { event, txHash }: Report,
): Promise<{ readonly known: boolean; readonly violation: Violation | null }> {
  const { at, amount } = event
  const { known, used, approved, ...stored } = await reportJudgingOf(tx, mandate.id, { at, amount, txHash })
  const terms = termsFromSigned(stored.terms, settings.approvalEnabled)
  if (!stored.attached || terms === null) refuse(vaultNotAttached)
  if (known) return { known, violation: await violationOnChain(tx, mandate.id, txHash ?? '') }
  const { limits, stoppedInRecordAt } = mandate
  const { approvalAbove } = terms
  return { known, violation: eventViolation(event, { limits, used, approvalAbove, stoppedInRecordAt, approved }) }
}

/** Stores a reported trade and returns whether the chain contradicts it; null if it is no trade or the chain shows nothing. */
async function compareTrade(tx: Tx, mandate: Mandate, { event, txHash }: Report): Promise<boolean | null> {
  const side = reportedSide(event)
  if (txHash === null || side === null) return null
  const seq = mandate.record.seq + 1
  await insertReportedTrade(tx, mandate.id, { seq, txHash, side, amount: event.amount })
  return (await compareReports(tx, mandate.id, txHash)).get(seq) ?? null
}

function entryOf(
  { public_id: _id, tx_hash: _hash, occurred_at: _at, ...told }: Input,
  { event, txHash }: Report,
  { violation, contradicts }: { readonly violation: Violation | null; readonly contradicts: boolean | null },
  now: Date,
): NewEntry {
  return {
    at: now,
    kind: 'event',
    source: 'agent',
    txHash,
    body: {
      ...(told as { readonly [key: string]: RecordJson }),
      occurred_at: event.at.toISOString(),
      counted: false,
      violation: violation !== null,
      ...(contradicts === true ? { contradicts_chain: true } : {}),
      ...(violation === null ? {} : { reason: violation.reason, clause: violation.clause }),
    },
  }
}

/**
 * Alerts the owner of a reported violation and publishes it. The owner is alerted of each reason once an hour, since an
 * agent may report without end; the record holds every report.
 */
async function announce(
  tx: Tx,
  context: Context,
  mandate: Mandate,
  { violation, txHash }: { readonly violation: Violation; readonly txHash: string | null },
  now: Date,
): Promise<void> {
  const at = now.toISOString()
  const text = `The agent of "${mandate.name}" reported something that breaks it. ${violation.detail}`
  const about = `${violation.reason} ${at.slice(0, HOUR_CHARACTERS)}`
  await insertReportedViolation(tx, mandate.id, { reason: violation.reason, txHash, at: now })
  await alertOwner(tx, context, mandate, { kind: 'reported_violation', severity: 'warning', text, about }, now)
  await factsChanged(tx, mandate, now)
  const parties = { public_id: mandate.publicId, owner_id: ownerIdOf(mandate) }
  await emit(tx, mandates.events.violationFound, { ...parties, reason: violation.reason, tx_hash: txHash, at })
}

/** Returns why a transaction on the chain broke the mandate; null if it did not. */
async function violationOnChain(tx: Tx, mandateId: number, txHash: string): Promise<Violation | null> {
  const executions = await executionsIn(tx, mandateId, txHash)
  const bad = executions.find(({ verdict }) => verdict === 'violation')
  if (bad === undefined) return null
  return {
    reason: bad.reason ?? 'violation',
    clause: bad.reason === 'unapproved_execution' ? 6 : null,
    detail: 'The chain shows that this transaction broke the mandate.',
  }
}
