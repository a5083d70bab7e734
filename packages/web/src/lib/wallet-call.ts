import { calledByVault } from '@svc/limits/call-meaning'
import { selectors } from './chain.ts'
import type { Hex } from './wallet.ts'

/** What a transaction asks of the person, as a wallet can read it from its bytes. Amounts are base units. */
export type WalletCall =
  | { readonly name: 'approve'; readonly spender: string; readonly amount: bigint }
  | { readonly name: 'deposit'; readonly amount: bigint }
  | { readonly name: 'setAgent'; readonly agent: string }
  | { readonly name: 'stop' | 'revokeAgent' | 'withdrawAll' | 'faucet' }
  | { readonly name: 'execute' | 'unwind'; readonly target: string; readonly data: Hex; readonly amount: bigint | null }

/** The amount of an approval without a limit. */
export const UNLIMITED = (1n << 256n) - 1n

/** Functions without arguments. */
const PLAIN = ['stop', 'revokeAgent', 'withdrawAll', 'faucet'] as const

/** Returns what calldata asks; null for another function, and for bytes that an ABI encoder would not write. */
export function walletCallOf(data: string): WalletCall | null {
  const bytes = data.toLowerCase()
  const plain = PLAIN.find((name) => bytes === selectors[name])
  if (plain !== undefined) return { name: plain }
  const inner = calledByVault(bytes)
  if (inner !== null) {
    const { function: name, target, data: called, amount } = inner
    return { name, target, data: called, amount }
  }
  const words = /^0x[0-9a-f]{8}((?:[0-9a-f]{64})+)$/.exec(bytes)?.[1]?.match(/.{64}/g) ?? []
  const [first = '', second = ''] = words
  const address = first.startsWith('0'.repeat(24)) ? `0x${first.slice(24)}` : null
  switch (bytes.slice(0, 10)) {
    case selectors.approve:
      return words.length === 2 && address !== null
        ? { name: 'approve', spender: address, amount: BigInt(`0x${second}`) }
        : null
    case selectors.deposit:
      return words.length === 1 ? { name: 'deposit', amount: BigInt(`0x${first}`) } : null
    case selectors.setAgent:
      return words.length === 1 && address !== null ? { name: 'setAgent', agent: address } : null
    default:
      return null
  }
}
