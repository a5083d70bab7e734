import { accrueFee } from './ledger.ts'
import { closesAt, isOpen, legFallback, settleGrace, withdrawLock } from './state.ts'
import { isAllowed, isListedTarget, sameAddress, selectorOf } from './terms.ts'
import { left, ownersOnly, type Called, type Holdings, type Outcome, type Vault } from './vault-call.ts'
import { vaultError } from './vault-error.ts'

/** Closes positions of a closed vault: the owner by any function of a listed target, the agent by listed functions only. */
export function unwind({ terms }: Vault, before: Holdings, call: Called<'unwind'>): Outcome {
  const { caller, target, data, at, effect } = call
  if (isOpen(terms, before.vault, at)) return vaultError('NotClosed')
  const isOwner = sameAddress(caller, terms.owner)
  if (!isOwner && !sameAddress(caller, before.vault.agent)) return vaultError('NotAgent', caller)
  const { selector, complete } = selectorOf(data)
  const listed = isOwner ? isListedTarget(terms, target) : isAllowed(terms, target, selector)
  if (!complete || !listed) return vaultError('TargetNotAllowed', target, selector)
  if ('failed' in effect) return vaultError('TargetCallFailed', target, effect.failed)
  if (effect.pulled > effect.paid) return vaultError('UnwindSpent', effect.pulled - effect.paid)
  const received = effect.paid - effect.pulled
  return left({ ...before.vault, accounted: before.vault.accounted + received }, before.balance + received)
}

/** Settles the vault once: the keeper at any time after closing, anybody a day later. An open leg delays settling. */
export function settle(
  { terms, keeper }: Vault,
  { vault, balance }: Holdings,
  { caller, at }: Called<'settle'>,
): Outcome {
  if (isOpen(terms, vault, at)) return vaultError('NotClosed')
  if (vault.settled) return vaultError('AlreadySettled')
  const closedAt = closesAt(terms, vault)
  if (!sameAddress(caller, keeper) && at < closedAt + settleGrace) return vaultError('NotKeeper', caller)
  if (vault.legOpen && at < closedAt + legFallback) return vaultError('LegOpen', vault.legOut, closedAt + legFallback)
  return left(accrueFee(terms, { ...vault, settled: true }), balance)
}

/** Accrues the fee, whether or not the vault is settled, and pays everything else to the owner. */
export function withdrawAll(of: Vault, before: Holdings, call: Called<'withdrawAll'>): Outcome {
  const refused = ownersOnly(of, call)
  if (refused !== null) return refused
  const { reason, until } = withdrawLock(of.terms, before.vault, call.at)
  if (reason !== 0) return vaultError('WithdrawLocked', reason, until)
  const vault = accrueFee(of.terms, before.vault)
  const paid = before.balance - vault.feeOwed
  return left({ ...vault, withdrawn: vault.withdrawn + vault.accounted, accounted: 0n }, vault.feeOwed, paid)
}

/** Pays the fee owed to its recipient; anybody may call. */
export function claimFee({ vault, balance }: Holdings): Outcome {
  if (vault.feeOwed === 0n) return vaultError('ZeroAmount')
  return left({ ...vault, feeOwed: 0n }, balance - vault.feeOwed, vault.feeOwed)
}

/** Pays a closed vault's balance of another token to the owner. */
export function rescue(of: Vault, { vault, balance }: Holdings, call: Called<'rescue'>): Outcome {
  const { token, amount, at } = call
  const refused = ownersOnly(of, call)
  if (refused !== null) return refused
  if (isOpen(of.terms, vault, at)) return vaultError('NotClosed')
  if (amount === null || sameAddress(token, of.terms.usdc)) return vaultError('BadToken', token)
  if (amount === 0n) return vaultError('ZeroAmount')
  return left(vault, balance, amount)
}

/** The gateway returns USDC of the leg, in any phase. The last return writes off what is still out. */
export function onLegReturn({ terms }: Vault, { vault, balance }: Holdings, call: Called<'onLegReturn'>): Outcome {
  const { amount, last, caller } = call
  if (!sameAddress(caller, terms.legGateway)) return vaultError('NotGateway', caller)
  if (!vault.legOpen) return vaultError('NoLeg')
  if (amount === 0n && !last) return vaultError('ZeroAmount')
  const stillOut = last || amount > vault.legOut ? 0n : vault.legOut - amount
  return left(
    {
      ...vault,
      accounted: vault.accounted + amount,
      legReturned: vault.legReturned + amount,
      legOut: stillOut,
      legOpen: !last,
    },
    balance + amount,
  )
}
