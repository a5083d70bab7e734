import { expect, test } from 'vitest'
import { assetText } from './asset-text.ts'

test('USDC is shown with two decimals, cut, and other assets with six', () => {
  expect(assetText('79.934548', 'USDC')).toBe('79.93')
  expect(assetText('1234.5678901', 'USDC')).toBe('1,234.56')
  expect(assetText('1234.5678901', 'ETH')).toBe('1,234.56789')
})

test('an amount too small or too long for USDC is neither zero nor an error', () => {
  expect(assetText('0.000000000000000001', 'USDC')).toBe('< 0.000001')
  expect(assetText('1'.repeat(59), 'USDC')).toContain('111')
  expect(assetText('0', 'USDC')).toBe('0')
})
