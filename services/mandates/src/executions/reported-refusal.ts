import { nobody, refusalBlock, sameAddress, type Refusal } from '@svc/limits'
import type { JudgedCall, MeantCall } from '#approvals/judge-call.ts'
import type { SignedTerms } from '#limits/store/signed-terms.ts'
import { signedFigures } from '#limits/terms-of-mandate.ts'
import type { RefusalBlockView, RefusalKindName } from '@svc/contracts/mandates/verdict'

/** What a report says of the attempt; it names no function, and may leave out the rest. */
export interface Attempted {
  readonly target: string | null
  readonly market: string | null
  readonly amount: bigint | null
}

/** The listed call that stands for a reported attempt; one that nothing lists for a target or market outside the terms. */
export function callFor({ target, market, amount }: Attempted, signed: SignedTerms | null): MeantCall {
  const markets = signed === null ? [] : signedFigures(signed).markets
  const calls = markets.filter(({ id }) => market === null || id === market).flatMap((one) => one.calls)
  const call = calls.find((one) => target === null || sameAddress(one.target, target))
  return { target: call?.target ?? target ?? nobody, data: call?.selector ?? '0x', amount: amount ?? 0n }
}

/** What each kind of the vault means. A stop is for ever: a vault that is not stopped now was paused. */
const MEANING: Readonly<Record<Exclude<Refusal['kind'], 'server_guard'>, Pick<Refusal, 'code' | 'clause'>>> = {
  TargetNotAllowed: { code: 'call_not_allowed', clause: 4 },
  OverPerTxCap: { code: 'over_per_tx_cap', clause: 2 },
  OverDailyCap: { code: 'over_daily_cap', clause: 3 },
  MandateStopped: { code: 'mandate_paused', clause: null },
  MandateEnded: { code: 'mandate_ended', clause: 5 },
}

/**
 * The standard block of an attempt that was refused elsewhere. What refused it leads, whatever the present books say;
 * figures that the report does not give are unknown.
 */
export function reportedBlock(
  { assessment }: JudgedCall,
  { target, market, amount }: Attempted,
  kind: RefusalKindName,
  source: RefusalBlockView['source'],
): RefusalBlockView {
  const present = assessment.refusal?.kind === kind ? assessment.refusal : null
  const meant = kind === 'server_guard' || kind === 'owner_declined' ? null : { kind, ...MEANING[kind], revert: null }
  const block = refusalBlock({ ...assessment, refusal: present ?? meant }, source) as RefusalBlockView
  const led =
    present === null && meant === null
      ? { ...block, kind, code: kind, fix: 'Ask for the call with execute-call: its answer says what refuses it now.' }
      : block
  const named = target ?? market
  return {
    ...led,
    attempted: led.unit === 'call' ? named : led.unit === 'usdc' && amount === null ? null : led.attempted,
    verdicts: led.verdicts.map((line) => {
      if (line.clause === 4 && (named === null || line.verdict === 'pass')) return { ...line, verdict: 'unknown' }
      const spends = line.clause === 1 || line.clause === 2 || line.clause === 3 || line.clause === 6
      return spends && amount === null ? { ...line, would_be: null, verdict: 'unknown' } : line
    }),
  }
}
