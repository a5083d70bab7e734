import type { Mutant } from '../mutant.ts'

const why = 'A target could change the vault in the middle of another call of it.'

const unguarded = (file: string, signature: string): Mutant => ({
  name: `no reentrancy guard on ${signature.slice(0, signature.indexOf('('))}`,
  file,
  find: `function ${signature} external nonReentrant`,
  replace: `function ${signature} external`,
  why,
})

/** Every function that changes a vault, without its guard. */
export const reentryMutants: readonly Mutant[] = [
  unguarded('MandateVault.sol', 'deposit(uint256 amount)'),
  unguarded('MandateVault.sol', 'revokeAgent()'),
  unguarded('MandateVault.sol', 'setAgent(address agent_)'),
  unguarded('MandateVault.sol', 'stop()'),
  unguarded('MandateVault.sol', 'withdrawAll()'),
  unguarded('MandateVault.sol', 'rescue(address token)'),
  unguarded('MandateVault.sol', 'execute(address target, bytes calldata data, uint256 approveAmount)'),
  unguarded('MandateVault.sol', 'unwind(address target, bytes calldata data)'),
  unguarded('MandateVault.sol', 'markWorth(uint256 worth, uint64 asOf)'),
  unguarded('MandateVault.sol', 'settle()'),
  unguarded('MandateVault.sol', 'claimFee()'),
  unguarded('MandateVaultV2.sol', 'fundLeg(uint256 amount)'),
  unguarded('MandateVaultV2.sol', 'onLegReturn(uint256 amount, bool last)'),
]
