import type { Mutant } from './mutant.ts'

/** A change that no test can notice, with the reason why nothing observable follows from it. */
export interface EquivalentMutant extends Mutant {
  readonly reason: string
}

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    name: 'fee owed taken for surplus',
    file: 'VaultLedger.sol',
    find: 'uint256(accounted) + feeOwed',
    replace: 'uint256(accounted)',
    why: 'Fee money would become principal.',
    reason: 'Money is recognised only while the vault is open, and a fee is owed only once it was closed, for good.',
  },
  {
    name: 'fee not bounded by the money',
    file: 'VaultLedger.sol',
    find: 'Math.min(Math.saturatingSub(due, feeTotal), accounted)',
    replace: 'Math.saturatingSub(due, feeTotal)',
    why: 'The fee would exceed what is there.',
    reason:
      'The fee is at most half of the profit. Since the last accrual the profit grew by no more than what came in, all of which is still accounted.',
  },
  {
    name: 'allowance of zero given',
    file: 'MandateVault.sol',
    find: 'if (allowed != 0) usdc.forceApprove(target, allowed);',
    replace: 'usdc.forceApprove(target, allowed);',
    why: 'A call that may pull nothing would still approve.',
    reason: 'An approval of zero where nothing is approved changes only the gas and an Approval event of the token.',
  },
  {
    name: 'fee to the vault',
    file: 'MandateVaultFactory.sol',
    find: ' || t.feeRecipient == vault) revert',
    replace: ') revert',
    why: "A claimed fee would become the vault's money again.",
    reason:
      "The vault's address is a hash over its terms, the fee recipient among them, so nobody can name it in them before it is known.",
  },
  {
    name: 'deposit of nothing',
    file: 'MandateVault.sol',
    find: 'if (amount == 0) revert ZeroAmount();\n        uint256 room',
    replace: 'uint256 room',
    why: 'Empty deposits would fill the record.',
    reason: 'Nothing arrives of a deposit of zero, which the check of what arrived refuses in the same words.',
  },
  {
    name: 'address depends on the owner alone',
    file: 'MandateVaultFactory.sol',
    find: 'keccak256(abi.encode(t.owner, t.mandateIdHash))',
    replace: 'keccak256(abi.encode(t.owner))',
    why: 'The same terms under two mandates would share an address.',
    reason: 'The address is a hash over the code of the vault too, and the mandate stands in it with all other terms.',
  },
]
