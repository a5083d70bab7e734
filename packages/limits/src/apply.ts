import { claimFee, onLegReturn, rescue, settle, unwind, withdrawAll } from './closed-vault.ts'
import { deposit, execute, fundLeg, markWorth, setAgent, stop } from './open-vault.ts'
import { nobody } from './terms.ts'
import { left, ownersOnly, type Holdings, type Outcome, type Vault, type VaultCall } from './vault-call.ts'

/**
 * Returns the contract's answer to a call: the same checks in the same order, and the same books. Trusts `effect` as
 * the token's record of what the target did, and that a depositor has the USDC. A vault whose terms name no leg
 * gateway follows the rules of version 1.
 */
export function apply(of: Vault, before: Holdings, call: VaultCall): Outcome {
  switch (call.name) {
    case 'transfer':
      return left(before.vault, before.balance + call.amount)
    case 'deposit':
      return deposit(of, before, call)
    case 'execute':
      return execute(of, before, call)
    case 'unwind':
      return unwind(of, before, call)
    case 'revokeAgent':
      return ownersOnly(of, call) ?? left({ ...before.vault, agent: nobody }, before.balance)
    case 'setAgent':
      return setAgent(of, before, call)
    case 'stop':
      return stop(of, before, call)
    case 'markWorth':
      return markWorth(of, before, call)
    case 'settle':
      return settle(of, before, call)
    case 'withdrawAll':
      return withdrawAll(of, before, call)
    case 'claimFee':
      return claimFee(before)
    case 'rescue':
      return rescue(of, before, call)
    case 'fundLeg':
      return fundLeg(of, before, call)
    case 'onLegReturn':
      return onLegReturn(of, before, call)
  }
}
