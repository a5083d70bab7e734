import { mandateVaultV2Abi, testLegGatewayAbi, testUSDCAbi } from '@svc/vault'
import { decodeFunctionResult, encodeFunctionData, type Abi, type Address, type Hex } from 'viem'
import { phaseAt, usageAt, withdrawLock, type Holdings, type Terms } from '../src/index.ts'
import type { Contracts } from './parties.ts'
import { scriptedTargetAbi } from './scripted-target.ts'

/** USDC balances outside the vault, according to the engine. */
export interface Wallets {
  readonly owner: bigint
  readonly feeRecipient: bigint
}

/** Returns the expected words of all views that `readViews` reads. */
export function expectedViews(terms: Terms, { vault, balance }: Holdings, wallets: Wallets, at: bigint): bigint[] {
  const { day, used, left } = usageAt(terms, vault, at)
  const lock = withdrawLock(terms, vault, at)
  const money = [vault.accounted, vault.principal, vault.withdrawn, vault.feeTotal, vault.feeOwed]
  const marks = [vault.lastWorth, vault.markedAt]
  const closing = [BigInt(vault.stopReason), vault.stoppedAt, vault.settled ? 1n : 0n]
  const now = [BigInt(phaseAt(terms, vault, at)), BigInt(lock.reason), lock.until]
  const allowances = [0n, 0n]
  const leg = [vault.legOut, vault.legOpen ? 1n : 0n, vault.legSeq, vault.legFunded, vault.legReturned, vault.legOut]
  return [
    BigInt(vault.agent),
    ...money,
    day,
    used,
    left,
    ...marks,
    ...closing,
    ...now,
    balance,
    wallets.owner,
    wallets.feeRecipient,
    ...allowances,
    ...(terms.legBudget === 0n ? [] : leg),
  ]
}

const vaultViews = [
  'agent',
  'accounted',
  'principal',
  'withdrawn',
  'feeTotal',
  'feeOwed',
  'usage',
  'lastWorth',
  'markedAt',
  'stopReason',
  'stoppedAt',
  'settled',
  'phase',
  'withdrawLock',
] as const
const legViews = ['legOut', 'legOpen', 'legSeq', 'legFunded', 'legReturned'] as const

/** Returns calldata that reads every compared view of a vault, with balances and allowances, in one call. */
export function readViews(vault: Address, terms: Terms, contracts: Contracts): Hex {
  const view = (to: Address, abi: Abi, functionName: string, ...args: Address[]) => ({
    to,
    data: encodeFunctionData({ abi, functionName, args }),
    mayFail: false,
  })
  const own = (functionName: string) => view(vault, mandateVaultV2Abi, functionName)
  const usdc = (functionName: string, ...args: Address[]) => view(contracts.usdc, testUSDCAbi, functionName, ...args)
  const leg = [...legViews.map(own), view(contracts.gateway, testLegGatewayAbi, 'outstanding', vault)]
  const steps = [
    ...vaultViews.map(own),
    usdc('balanceOf', vault),
    usdc('balanceOf', terms.owner),
    usdc('balanceOf', terms.feeRecipient),
    usdc('allowance', vault, contracts.venue),
    usdc('allowance', vault, contracts.script),
    ...(terms.legBudget === 0n ? [] : leg),
  ]
  return encodeFunctionData({ abi: scriptedTargetAbi, functionName: 'read', args: [steps] })
}

/** Returns the words of an answer to `readViews`. */
export function wordsOf(answer: Hex): bigint[] {
  const words = decodeFunctionResult({ abi: scriptedTargetAbi, functionName: 'read', data: answer }).slice(2)
  return Array.from({ length: words.length / 64 }, (_, word) => BigInt(`0x${words.slice(word * 64, word * 64 + 64)}`))
}
