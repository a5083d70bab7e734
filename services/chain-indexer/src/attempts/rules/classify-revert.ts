import { vaultRefusalKinds, type RevertedAttempt, type RevertRead } from '@svc/contracts/chain-indexer/attempts'
import { selectorOf, type Hex, type VaultError } from '@svc/limits'

/** What the stored books say: the revert before the target is called, none, or nothing because they are not known. */
export type Recomputed = { readonly known: true; readonly error: VaultError | null } | { readonly known: false }

/** What eth_call on the state of that time says. `unavailable`: the node does not have that state. */
export type Replayed = 'passes' | 'out_of_gas' | 'unavailable' | RevertRead

type Finding = Pick<RevertedAttempt, 'outcome' | 'kind' | 'revert' | 'evidence'>

/**
 * Why a mined `execute` reverted. Both sources agreeing is the best evidence. Where they do not, the recomputation
 * wins for the five refusals, as it knows what happened earlier in the same block and a replay does not.
 */
export function classifyRevert(recomputed: Recomputed, replayed: Replayed, gasNearLimit: boolean): Finding {
  const replay = typeof replayed === 'object' ? replayed : null
  const error = recomputed.known ? recomputed.error : null
  // What a call inside fails with for want of gas looks like its own failure; a refusal comes before any such call.
  const starved = replay === null || (replay.refusal_kind === null && error === null)
  if (gasNearLimit && starved && replayed !== 'unavailable')
    return { outcome: 'out_of_gas', kind: null, revert: replay, evidence: 'replayed' }
  if (error !== null) {
    const agreed = replay?.name === error.name
    const kind = vaultRefusalKinds.find((one) => one === error.name) ?? null
    if (agreed) return found(replay, 'recomputed+replayed')
    if (kind !== null || replay === null)
      return { outcome: kind === null ? 'other' : 'refusal', kind, revert: readOf(error), evidence: 'recomputed' }
  }
  if (replay !== null) return found(replay, 'replayed')
  return { outcome: 'unknown', kind: null, revert: null, evidence: 'none' }
}

function found(revert: RevertRead, evidence: Finding['evidence']): Finding {
  const kind = revert.refusal_kind
  if (kind !== null) return { outcome: 'refusal', kind, revert, evidence }
  return { outcome: revert.name === 'TargetCallFailed' ? 'target_failed' : 'other', kind: null, revert, evidence }
}

/**
 * The vault pads calldata of fewer than four bytes with zeros when it refuses it, and the padded selector may be a
 * listed one: the finding names the bytes that were sent instead.
 */
export function namingWhatWasSent(finding: Finding, data: Hex): Finding {
  const { kind, revert } = finding
  if (kind !== 'TargetNotAllowed' || revert === null || selectorOf(data).complete) return finding
  return { ...finding, revert: { ...revert, args: { ...revert.args, selector: data } } }
}

/** Names of the arguments of the errors that the recomputation answers, in the order of the ABI. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  TargetNotAllowed: ['target', 'selector'],
  OverPerTxCap: ['asked', 'cap'],
  OverDailyCap: ['asked', 'left'],
  MandateStopped: ['reason'],
  MandateEnded: ['endsAt'],
  NotAgent: ['caller'],
  InsufficientFunds: ['asked', 'available'],
}

function readOf({ name, args }: VaultError): RevertRead {
  const names = ARGUMENTS[name] ?? []
  return {
    name,
    selector: null,
    args: Object.fromEntries(names.map((key, at) => [key, String(args[at])])),
    refusal_kind: vaultRefusalKinds.find((one) => one === name) ?? null,
    inner: null,
  }
}
