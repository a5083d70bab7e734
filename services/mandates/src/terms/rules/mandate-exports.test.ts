import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportDocument, type ExportedMandate } from './mandate-exports.ts'

const ADDRESS = `0x${'11'.repeat(20)}` as const
const mandate: ExportedMandate = {
  name: 'Weekend basis',
  chainId: 8453,
  owner: ADDRESS,
  agent: ADDRESS,
  usdc: ADDRESS,
  budget: 0n,
  perTxCap: 0n,
  dailyCap: 0n,
  endsAt: 1_800_000_000n,
  termsHash: `0x${'ab'.repeat(32)}`,
  calls: [],
}
const amount = fc.oneof(fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 10n ** 21n), fc.bigInt(0n, 2n ** 128n - 1n))

/** Returns the figure of a constraint in hundredths of its unit, read from the JSON text without floats. */
function hundredths(document: object | null, type: string): bigint {
  const text = new RegExp(`"type":"${type}","max":(\\d+)(?:\\.(\\d{1,2}))?,`).exec(JSON.stringify(document))
  if (text === null) throw new Error(`no decimal number in ${type}`)
  return BigInt(`${text[1]}${(text[2] ?? '').padEnd(2, '0')}`)
}

test('amounts of an AP2 mandate are the signed amounts rounded down to the cent', () => {
  fc.assert(
    fc.property(amount, amount, (budget, perTxCap) => {
      const document = exportDocument('ap2', { ...mandate, budget, perTxCap }, 1_700_000_000n)
      const exactly = (units: bigint) => (units / 10_000n < 10n ** 15n ? units / 10_000n : 10n ** 15n - 1n)
      expect(hundredths(document, 'payment.budget')).toBe(exactly(budget))
      expect(hundredths(document, 'payment.amount_range') / 100n).toBe(exactly(perTxCap))
    }),
  )
})
