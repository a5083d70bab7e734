import { abis } from '@svc/chain'
import fc from 'fast-check'
import { encodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { walletCallOf } from './wallet-call.ts'

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const amount = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })

test('what the page asks a wallet to send is read back as it was encoded', () => {
  fc.assert(
    fc.property(address, amount, (who, units) => {
      const { usdc, vault } = abis
      const of = (data: Hex) => walletCallOf(data)
      expect(of(encodeFunctionData({ abi: usdc, functionName: 'approve', args: [who, units] }))).toEqual({
        name: 'approve',
        spender: who,
        amount: units,
      })
      expect(of(encodeFunctionData({ abi: vault, functionName: 'deposit', args: [units] }))).toEqual({
        name: 'deposit',
        amount: units,
      })
      expect(of(encodeFunctionData({ abi: vault, functionName: 'setAgent', args: [who] }))).toEqual({
        name: 'setAgent',
        agent: who,
      })
      expect(of(encodeFunctionData({ abi: vault, functionName: 'execute', args: [who, '0xabcdef01', units] }))).toEqual(
        {
          name: 'execute',
          target: who,
          data: '0xabcdef01',
          amount: units,
        },
      )
      expect(of(encodeFunctionData({ abi: vault, functionName: 'unwind', args: [who, '0xabcdef01'] }))).toEqual({
        name: 'unwind',
        target: who,
        data: '0xabcdef01',
        amount: null,
      })
    }),
  )
  for (const name of ['stop', 'revokeAgent', 'withdrawAll'] as const)
    expect(walletCallOf(encodeFunctionData({ abi: abis.vault, functionName: name }))).toEqual({ name })
  expect(walletCallOf(encodeFunctionData({ abi: abis.usdc, functionName: 'faucet' }))).toEqual({ name: 'faucet' })
})

test('bytes that are longer, shorter or unclean, and other functions, are not read', () => {
  const approve = encodeFunctionData({ abi: abis.usdc, functionName: 'approve', args: [`0x${'ab'.repeat(20)}`, 5n] })
  const unclean = `${approve.slice(0, 10)}01${approve.slice(12)}`
  for (const data of [
    `${approve}00`,
    `${approve}${'0'.repeat(64)}`,
    approve.slice(0, -2),
    unclean,
    '0x',
    '0x853828b600',
  ])
    expect(walletCallOf(data)).toBeNull()
  expect(walletCallOf(approve.replace('0x095ea7b3', '0xa9059cbb'))).toBeNull()
})
