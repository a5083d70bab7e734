/**
 * Names of mutants that no test can detect, because nothing observable depends on the change, each with the reason. The
 * long run expects every one of them to survive.
 */
export const EQUIVALENT: ReadonlyMap<string, string> = new Map([
  [
    'VaultLedger._recogniseDirect: uint256(accounted) + feeOwed → uint256(accounted)',
    'Transfers are recognised only while the vault is open, and a fee is owed only after it has closed for good.',
  ],
  [
    'VaultLedger._accrueFee: Math.min(Math.saturatingSub(due, feeTotal), accounted) → uint256(Math.saturatingSub(due, feeTotal))',
    'The fee is at most half of the profit. Since the last accrual the profit grew by no more than what came in, all of which is still accounted.',
  ],
  [
    'MandateVault._callWithAllowance: allowed != 0 → true',
    'An approval of zero where nothing is approved changes only the gas and an Approval event of the token.',
  ],
  [
    'MandateVault._callWithAllowance: unused != 0 → true',
    'Resetting an allowance that is zero changes only the gas and an Approval event of the token.',
  ],
  [
    'MandateVaultFactory._validate: t.feeRecipient == address(0) || t.feeRecipient == t.owner || t.feeRecipient == vault → t.feeRecipient == address(0) || t.feeRecipient == t.owner',
    "The vault's address is a hash over its terms, which include the fee recipient, so the terms cannot name it.",
  ],
  [
    'MandateVault.deposit: amount == 0 → false',
    'A deposit of zero transfers nothing, which the check of the transferred amount rejects with the same error.',
  ],
])
