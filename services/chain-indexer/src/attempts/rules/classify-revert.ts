import { vaultRefusalKinds, type RevertedAttempt, type RevertRead } from '@svc/contracts/chain-indexer/attempts'
import { selectorOf, type Hex, type VaultError } from '@svc/limits'

/** The result of the stored books: the error before the target is called, null for no error, or that they are not known. */
export type Recomputed = { readonly known: true; readonly error: VaultError | null } | { readonly known: false }

/** The result of eth_call on the state at that time. `unavailable`: the node does not have that state. */
export type Replayed = 'passes' | 'out_of_gas' | 'unavailable' | RevertRead

type Finding = Pick<RevertedAttempt, 'outcome' | 'kind' | 'revert' | 'evidence'>

/**
 * Returns why a mined `execute` reverted. Agreement of both sources is the best evidence. If they disagree, the
 * recomputation wins for the five refusals, because it includes earlier transactions of the block and a replay does not.
 */
export function classifyRevert(recomputed: Recomputed, replayed: Replayed, gasNearLimit: boolean): Finding {
  const replay = typeof replayed === 'object' ? replayed : null
  const error = recomputed.known ? recomputed.error : null
  // An inner call that runs out of gas looks like a failure of the target; a refusal precedes every inner call.
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
 * Replaces the selector in a refusal of calldata of fewer than four bytes by the bytes that were sent: the vault pads them
 * with zeros, and the padded selector may be a listed one.
 */
export function namingWhatWasSent(finding: Finding, data: Hex): Finding {
  const { kind, revert } = finding
  if (kind !== 'TargetNotAllowed' || revert === null || selectorOf(data).complete) return finding
  return { ...finding, revert: { ...revert, args: { ...revert.args, selector: data } } }
}

/** Argument names of the errors that the recomputation returns, in the order of the ABI. */
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
