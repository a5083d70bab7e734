import type { Scope } from '@svc/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeGrant, KEYS_MAX } from './keys.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const later = new Date('2026-11-22T09:00:00.000Z')
const scopes = fc.uniqueArray(fc.constantFrom<Scope>('read', 'write', 'tx'))
const expiry = fc.option(fc.date({ min: new Date('2026-11-20'), max: new Date('2026-11-25'), noInvalidDate: true }))

test('no key is ever made with tx, with more scopes than its grantor, or with a longer life', () => {
  fc.assert(
    fc.property(scopes, expiry, scopes, expiry, fc.nat(KEYS_MAX), (wished, expiresAt, had, until, live) => {
      if (judgeGrant({ scopes: wished, expiresAt }, { scopes: had, expiresAt: until }, live, now) !== null) return
      expect(wished).not.toContain('tx')
      expect(had).toEqual(expect.arrayContaining(wished))
      if (until !== null) expect(expiresAt !== null && expiresAt <= until).toBe(true)
      expect(live).toBeLessThan(KEYS_MAX)
    }),
  )
})

test('a signature of the wallet grants read and write without an end, up to the maximum of keys', () => {
  expect(judgeGrant({ scopes: ['read', 'write'], expiresAt: null }, null, KEYS_MAX - 1, now)).toBeNull()
  expect(judgeGrant({ scopes: ['read', 'write'], expiresAt: null }, null, KEYS_MAX, now)).toBe('too_many')
  expect(judgeGrant({ scopes: ['tx'], expiresAt: null }, null, 0, now)).toBe('scope')
  expect(judgeGrant({ scopes: ['read'], expiresAt: now }, null, 0, now)).toBe('past')
  expect(judgeGrant({ scopes: ['read'], expiresAt: later }, null, 0, now)).toBeNull()
})
