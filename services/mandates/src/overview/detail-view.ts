import type { MandateTerms } from '@svc/chain'
import { usdcText } from '@svc/limits'
import { getAddress } from 'viem'
import { usageView } from '#approvals/usage-view.ts'
import type { DayUse } from '#approvals/store/day-use.ts'
import { legView } from '#leg/leg-view.ts'
import type { Leg } from '#leg/store/legs.ts'
import { clausesView, type InForce } from '#terms/clauses-view.ts'
import type { Agent } from '#neighbours/agents-client.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { StoredEntry } from '#record/store/record.ts'
import type { SignedTerms } from '#limits/store/signed-terms.ts'
import { chainStateView, lockView, summaryView } from '#states/mandate-view.ts'
import type { MandateDetail } from '@svc/contracts/mandates/overview'
import type { Vault } from '#books/rules/vault.ts'

/** Data from which the details of a mandate are built. */
export interface DetailParts {
  readonly mandate: Mandate
  readonly vault: Vault | null
  readonly signed: SignedTerms | null
  /** Figures of the terms with their clause texts; null before an agent is designated. */
  readonly terms: { readonly figures: MandateTerms; readonly texts: readonly { number: number; text: string }[] } | null
  /** Set for the owner only; null if identity did not return it. */
  readonly agent: Agent | null
  readonly entries: readonly StoredEntry[]
  readonly refusals: readonly { readonly refusal: string; readonly count: number }[]
  /** Number of reports that contradict the chain. */
  readonly contradictions: number
  /** Signature of the head of the record. */
  readonly recordJws: string | null
  /** What approvals hold and the leg uses of the daily cap. */
  readonly use: DayUse
  readonly leg: Leg | null
  readonly now: Date
}

/** Returns all details of a mandate for its owner or agent. */
export function detailView(parts: DetailParts, live: InForce): MandateDetail {
  const { mandate, vault, signed, terms, now } = parts
  const { chain_id: _chain, vault: _vault, agent, ...base } = summaryView(mandate, vault, now)
  const steps = stepsView(parts, base.state)
  const from = signed === null ? null : new Date(signed.signed_at)
  const end = mandate.limits.endsAt
  return {
    ...base,
    agent:
      agent === null
        ? null
        : {
            ...agent,
            name: parts.agent?.name ?? null,
            last_seen_at: parts.agent?.last_seen_at ?? null,
            channel: parts.agent?.channel ?? null,
          },
    progress: {
      steps_done: steps.filter(({ done }) => done).length,
      steps_total: steps.length,
      elapsed_bps: from === null ? null : elapsedBps(from, end, now),
      seconds_left: from === null ? null : Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000)),
      state_cause: mandate.stateCause,
      state_since: mandate.stateSince.toISOString(),
    },
    steps,
    clauses: terms === null ? [] : clausesView(terms.figures, terms.texts, live),
    usage: vault === null ? null : usageView(mandate, vault, parts.use, now),
    leg: legView(parts.leg),
    refusals_7d: {
      total: parts.refusals.reduce((sum, { count }) => sum + count, 0),
      by_kind: Object.fromEntries(parts.refusals.map(({ refusal, count }) => [refusal, count])),
    },
    reports_contradicting_chain: parts.contradictions,
    fees: {
      fee_bps: mandate.limits.feeBps,
      recipient: terms === null ? null : getAddress(terms.figures.feeRecipient),
      accrued_usdc: vault === null ? null : usdcText(vault.books.feeTotal),
      owed_usdc: vault === null ? null : usdcText(vault.books.feeOwed),
      claimed_usdc: vault === null ? null : usdcText(vault.books.feeTotal - vault.books.feeOwed),
    },
    events: parts.entries.map((entry) => ({ ...entry })),
    lock: vault === null ? null : lockView(mandate, vault, now),
    chain_state: vault === null ? null : chainStateView(mandate, vault, now),
    terms_hash: signed?.terms_hash ?? null,
    stopped_in_record_at: mandate.stoppedInRecordAt?.toISOString() ?? null,
    record_head: { ...mandate.record, jws: parts.recordJws },
  }
}

function elapsedBps(from: Date, end: Date, now: Date): number {
  const whole = end.getTime() - from.getTime()
  if (whole <= 0) return 10_000
  return Math.min(10_000, Math.max(0, Math.floor(((now.getTime() - from.getTime()) * 10_000) / whole)))
}

function stepsView({ mandate, vault, signed }: DetailParts, state: Mandate['state']): MandateDetail['steps'] {
  const funded = vault !== null && vault.books.principal > mandate.limits.stopLine
  const instant = (at: Date | null) => at?.toISOString() ?? null
  return [
    { key: 'drafted', title: 'Draft the limits', done: true, at: instant(mandate.createdAt) },
    { key: 'agent_designated', title: 'Designate the agent', done: mandate.agent !== null, at: null },
    {
      key: 'agent_accepted',
      title: 'The agent confirms',
      done: mandate.acceptedAt !== null,
      at: instant(mandate.acceptedAt),
    },
    { key: 'terms_signed', title: 'Sign the terms', done: signed !== null, at: signed?.signed_at ?? null },
    { key: 'vault_created', title: 'Create the vault', done: vault !== null, at: vault?.attached_at ?? null },
    { key: 'funded', title: 'Pay in more than the stop line', done: funded, at: null },
    {
      key: 'closed',
      title: 'Settle and withdraw',
      done: state === 'closed',
      at: state === 'closed' ? instant(mandate.stateSince) : null,
    },
  ]
}
