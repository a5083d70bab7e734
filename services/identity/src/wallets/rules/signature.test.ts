import { expect, test } from 'vitest'
import { isSignature } from './signature.ts'

test('only hex bytes of a bounded length are accepted as a signature', () => {
  expect(isSignature('0x00')).toBe(true)
  for (const bad of ['', '0x', '0x0', 'ab', '0xzz', `0x${'00'.repeat(8193)}`]) expect(isSignature(bad)).toBe(false)
})
