import fc from 'fast-check'
import { keccak256, numberToHex, toRlp, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { receiptsRootOf, type CommittedReceipt } from './receipts-root.ts'

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)
const number = fc.nat().map((value) => numberToHex(value))
const receipt: fc.Arbitrary<CommittedReceipt> = fc.record({
  type: fc.constantFrom<Hex[]>('0x0', '0x2', '0x7e'),
  status: fc.constantFrom<Hex[]>('0x0', '0x1'),
  cumulativeGasUsed: number,
  logsBloom: hex(8),
  logs: fc.array(fc.record({ address: hex(20), topics: fc.array(hex(32), { maxLength: 2 }), data: hex(3) }), {
    maxLength: 2,
  }),
})

test('the root of no receipts is the hash of the empty trie', () => {
  expect(receiptsRootOf([])).toBe(keccak256(toRlp('0x')))
  expect(receiptsRootOf([])).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
})

test('no receipt can be changed, moved or left out without another root', () => {
  const many = fc.array(receipt, { minLength: 2, maxLength: 300 })
  fc.assert(
    fc.property(many, fc.nat(), receipt, (receipts, place, other) => {
      const at = place % receipts.length
      const root = receiptsRootOf(receipts)
      fc.pre(JSON.stringify(receipts[at]) !== JSON.stringify(other))
      expect(receiptsRootOf(receipts.with(at, other))).not.toBe(root)
      expect(receiptsRootOf(receipts.toSpliced(at, 1))).not.toBe(root)
      expect(receiptsRootOf(receipts.map((one) => ({ ...one })))).toBe(root)
    }),
    { numRuns: 20 },
  )
})

test('what an OP-stack deposit adds is committed to since its receipts have a version, and not before', () => {
  const deposit: CommittedReceipt = { type: '0x7e', status: '0x1', cumulativeGasUsed: '0x1', logsBloom: '0x', logs: [] }
  const nonce = { ...deposit, depositNonce: '0x5' } as const
  expect(receiptsRootOf([nonce])).toBe(receiptsRootOf([deposit]))
  expect(receiptsRootOf([{ ...nonce, depositReceiptVersion: '0x1' }])).not.toBe(receiptsRootOf([nonce]))
})
