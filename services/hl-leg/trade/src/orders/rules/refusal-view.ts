import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import { maxPassing, type Finding, type TradeFacts } from './judge-trade.ts'

/** Returns the standard refusal block of a judgement; its members are null if nothing refuses. */
export function refusalView(facts: TradeFacts, finding: Finding | null): RefusalBlockView {
  return {
    kind: finding === null ? null : 'server_guard',
    code: finding?.code ?? null,
    clause: null,
    source: 'server',
    limit: finding?.limit ?? null,
    attempted: finding?.attempted ?? null,
    remaining: finding?.remaining ?? null,
    unit: finding?.unit ?? null,
    fix: finding?.fix ?? null,
    verdicts: [],
    max_passing_amount_usdc: facts.closing ? null : maxPassing(facts),
    resets_at: finding?.resetsAt?.toISOString() ?? null,
  }
}
