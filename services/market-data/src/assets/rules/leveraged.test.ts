import { expect, test } from 'vitest'
import { leveragedBases } from './leveraged.ts'

test('leveraged bases are products on another base of the venue, not assets with a similar ending', () => {
  const bases = new Set(['BTC', 'BTCUP', 'BTCDOWN', 'ETH', 'ETH3L', 'ETHBEAR', 'JUP', 'SYRUP', 'SOL5S', 'UP', '3L'])
  expect([...leveragedBases(bases)].toSorted()).toEqual(['BTCDOWN', 'BTCUP', 'ETH3L', 'ETHBEAR'])
})
