import { expect, it } from 'vitest'
import { statusAfter } from './review.ts'

it('approves with one reviewer, a contract address with two', () => {
  expect(statusAfter('approve', 'website', 1)).toBe('approved')
  expect(statusAfter('approve', 'contract_address', 1)).toBe('pending')
  expect(statusAfter('approve', 'contract_address', 2)).toBe('approved')
  expect(statusAfter('reject', 'contract_address', 1)).toBe('rejected')
})
