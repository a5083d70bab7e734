import { revertBeforeCall } from './attempt.ts'
import { depositRoom, isFreshMark, legRoom, recognise, tripsStopLine, usageAt } from './ledger.ts'
import { closedRefusal, notWorkingRefusal, withdrawLock } from './state.ts'
import { isListedTarget, nobody, sameAddress, type Address } from './terms.ts'
import { left, ownersOnly, type Called, type Holdings, type Outcome, type Vault } from './vault-call.ts'
import { vaultError } from './vault-error.ts'

/** The owner pays in, at most up to the budget. Direct transfers are then recognised in the room that is left. */
export function deposit(of: Vault, before: Holdings, call: Called<'deposit'>): Outcome {
  const { terms } = of
  const refused = ownersOnly(of, call) ?? closedRefusal(of.terms, before.vault, call.at)
  if (refused !== null) return refused
  if (call.amount === 0n) return vaultError('ZeroAmount')
  const room = depositRoom(terms, before.vault)
  if (call.amount > room) return vaultError('OverBudget', call.amount, room)
  const vault = {
    ...before.vault,
    accounted: before.vault.accounted + call.amount,
    principal: before.vault.principal + call.amount,
  }
  const balance = before.balance + call.amount
  return left(recognise(terms, vault, balance, call.at), balance)
}

/** The agent's call. Usage counts everything that the target pulled, even if the target pays it back. */
export function execute({ terms }: Vault, before: Holdings, call: Called<'execute'>): Outcome {
  const refused = revertBeforeCall(terms, before.vault, before.balance, call)
  if (refused !== null) return refused
  const { effect, target, at } = call
  if ('failed' in effect) return vaultError('TargetCallFailed', target, effect.failed)
  const { pulled, paid } = effect
  const vault = recognise(terms, before.vault, before.balance, at)
  const { day, used } = usageAt(terms, vault, at)
  return left(
    { ...vault, accounted: vault.accounted - pulled + paid, usedDay: day, usedAmount: used + pulled },
    before.balance - pulled + paid,
  )
}

/** The owner ends a pause. The agent must not be another party, a listed target or a contract of the deployment. */
export function setAgent(of: Vault, before: Holdings, call: Called<'setAgent'>): Outcome {
  const { vault, balance } = before
  const refused = ownersOnly(of, call) ?? closedRefusal(of.terms, before.vault, call.at)
  if (refused !== null) return refused
  if (vault.agent !== nobody) return vaultError('NotPaused')
  if (!mayBeAgent(of, call.agent)) return vaultError('BadAgent', call.agent)
  return left({ ...vault, agent: call.agent }, balance)
}

function mayBeAgent({ terms, keeper, factory, implementation, isVault }: Vault, who: Address): boolean {
  const barred = [nobody, terms.owner, keeper, terms.legGateway, terms.usdc, factory, implementation]
  return !barred.some((address) => sameAddress(address, who)) && !isVault(who) && !isListedTarget(terms, who)
}

/** The owner stops the vault for good. On a vault that is already stopped, this only revokes the agent. */
export function stop(of: Vault, { vault, balance }: Holdings, call: Called<'stop'>): Outcome {
  const refused = ownersOnly(of, call)
  if (refused !== null) return refused
  if (vault.stopReason !== 0) return left({ ...vault, agent: nobody }, balance)
  const lock = withdrawLock(of.terms, vault, call.at)
  const hasLeg = of.terms.legGateway !== nobody
  if (hasLeg && lock.reason === 2) return vaultError('SettleGrace', lock.until)
  return left({ ...vault, agent: nobody, stopReason: 1, stoppedAt: call.at }, balance)
}

/** The keeper's mark. At or below the stop line it stops an open vault; the agent may still unwind. */
export function markWorth(of: Vault, { vault, balance }: Holdings, call: Called<'markWorth'>): Outcome {
  const { worth, asOf, caller, at } = call
  if (!sameAddress(caller, of.keeper)) return vaultError('NotKeeper', caller)
  if (vault.settled) return vaultError('AlreadySettled')
  if (!isFreshMark(vault, asOf, at)) return vaultError('StaleMark', asOf)
  if (worth < vault.accounted) return vaultError('BadMark', worth, vault.accounted)
  if (worth >= 1n << 128n) return vaultError('SafeCastOverflowedUintDowncast', 128, worth)
  const marked = { ...vault, lastWorth: worth, markedAt: asOf }
  const tripped = tripsStopLine(of.terms, vault, worth, at)
  return left(tripped ? { ...marked, stopReason: 2, stoppedAt: at } : marked, balance)
}

/** The keeper sends USDC to the leg, within the leg budget. It does not count against the daily cap. */
export function fundLeg(of: Vault, before: Holdings, call: Called<'fundLeg'>): Outcome {
  const { terms, keeper } = of
  const { amount, caller, at } = call
  if (!sameAddress(caller, keeper)) return vaultError('NotKeeper', caller)
  const refused = notWorkingRefusal(terms, before.vault, at)
  if (refused !== null) return refused
  if (amount === 0n) return vaultError('ZeroAmount')
  const room = legRoom(terms, before.vault)
  if (amount > room) return vaultError('OverLegBudget', amount, room)
  const vault = recognise(terms, before.vault, before.balance, at)
  if (amount > vault.accounted) return vaultError('InsufficientFunds', amount, vault.accounted)
  const { accounted, legOut, legFunded, legSeq } = vault
  return left(
    {
      ...vault,
      accounted: accounted - amount,
      legOut: legOut + amount,
      legFunded: legFunded + amount,
      legSeq: legSeq + 1n,
      legOpen: true,
    },
    before.balance - amount,
    amount,
  )
}
