import { formatApiKey } from '@svc/contracts/api-key'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Caller } from '@svc/contract'
import { refusalOf } from './authorize.ts'
import { parseBody } from './body.ts'
import { clientKey } from './client-address.ts'
import { credentialOf } from './credential.ts'
import { EdgeRefusal } from './problem.ts'
import type { Route } from './routes.ts'

describe('client address', () => {
  test('an IPv6 address counts by its /64, a mapped IPv4 address as IPv4', () => {
    expect(clientKey('2001:db8:1:2:3:4:5:6')).toBe(clientKey('2001:db8:1:2:ffff::1'))
    expect(clientKey('2001:db8:1:2::1')).not.toBe(clientKey('2001:db8:1:3::1'))
    expect(clientKey('::ffff:192.0.2.7')).toBe('192.0.2.7')
  })
})

describe('credential', () => {
  test('missing, valid and malformed or doubled credentials are distinguished', () => {
    expect(credentialOf({})).toBeUndefined()
    expect(credentialOf({ 'x-svc-user-key': 'short' })).toBeNull()
    expect(credentialOf({ authorization: 'Basic abc' })).toBeNull()
    expect(
      credentialOf({ authorization: 'Bearer a.b.c', 'x-svc-user-key': formatApiKey(new Uint8Array(32)) }),
    ).toBeNull()
    expect(credentialOf({ 'x-svc-user-key': formatApiKey(new Uint8Array(32)) })).toMatchObject({ kind: 'key' })
    expect(credentialOf({ 'x-svc-user-key': `${formatApiKey(new Uint8Array(32)).slice(0, -1)}x` })).toBeNull()
    expect(credentialOf({ authorization: 'Bearer a.b.c' })).toEqual({ kind: 'token', token: 'a.b.c' })
  })
})

describe('body', () => {
  const pointer = (text: string) => {
    try {
      parseBody(Buffer.from(text))
      return null
    } catch (error) {
      if (error instanceof EdgeRefusal) return [error.errors[0]?.pointer, error.errors[0]?.code]
      throw error
    }
  }
  test('a body that is not a well-formed, shallow object is rejected with the place of the fault', () => {
    expect(pointer('{"a":')).toEqual(['', 'invalid_json'])
    expect(pointer('[1]')).toEqual(['', 'invalid_type'])
    expect(pointer('{"a":{"b/c":"\\ud800"}}')).toEqual(['/a/b~1c', 'invalid_unicode'])
    expect(pointer('{"a":["x","y\\u0000"]}')).toEqual(['/a/1', 'invalid_unicode'])
    expect(pointer(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`)?.[1]).toBe('too_deep')
    expect(pointer('{"a":"ok"}')).toBeNull()
    expect(() => parseBody(Buffer.from([0x7b, 0xff, 0x7d]))).toThrow(EdgeRefusal)
  })
  test('a duplicate member is rejected with its place, also if it is escaped, but text in values is not a member', () => {
    expect(pointer('{"budget_usdc":"1","cap":"2","budget_usdc":"500"}')).toEqual(['/budget_usdc', 'duplicate_field'])
    expect(pointer('{"budget_usdc":"1","budget\\u005fusdc" : "500"}')).toEqual(['/budget_usdc', 'duplicate_field'])
    expect(pointer('{"a":[1,[2,3],{"b/c":1,"d":{},"b/c":2}]}')).toEqual(['/a/2/b~1c', 'duplicate_field'])
    expect(pointer('{"a":{"b":1},"c":{"b":2,"a":3},"d":[{"b":1},{"b":1}]}')).toBeNull()
    expect(pointer(String.raw`{"a":"\\","b":"{\"a\":1,\"a\":2}","c":"]},"}`)).toBeNull()
  })
  test('an object without a duplicate member is never rejected for one', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 })), (value) => {
        const refused = pointer(JSON.stringify(value, null, 1))
        expect(refused?.[1]).not.toBe('duplicate_field')
      }),
    )
  })
  test('random bytes are parsed or rejected with a refusal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          parseBody(Buffer.from(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(EdgeRefusal)
        }
      }),
    )
  })
})

describe('authorization', () => {
  const caller = (more: Partial<Caller> = {}): Caller => ({
    account_id: 7,
    kind: 'agent',
    wallet: null,
    roles: [],
    scopes: ['read', 'write'],
    tier: 0,
    key_id: 'key_1',
    session_id: null,
    ...more,
  })
  const route = (more: object) => ({ scope: 'read', operation: { auth: 'account', ...more } }) as unknown as Route
  const refused = (declared: Route, who: Caller | null) => {
    const refusal = refusalOf(declared, who)
    return refusal === null ? null : { code: refusal.refusal.code, ...refusal.members }
  }
  test('a tier below the required one is rejected with the required tier', () => {
    expect(refused(route({ tier: 2 }), caller({ tier: 1 }))).toMatchObject({
      code: 'tier_required',
      required_tier: 2,
    })
    expect(refused(route({ tier: 2 }), caller({ tier: 2 }))).toBeNull()
    expect(refused(route({ tier: 1 }), null)).toMatchObject({ code: 'unauthenticated' })
  })
  test('a route for keys of scope tx rejects other keys and admits the session of an owner', () => {
    const trade = { ...route({}), scope: 'tx' } as Route
    expect(refused(trade, caller())).toMatchObject({ code: 'missing_scope', required_scope: 'tx' })
    expect(refused(trade, caller({ scopes: ['read', 'tx'] }))).toBeNull()
    expect(refused(trade, caller({ kind: 'owner', key_id: null }))).toBeNull()
    expect(refused(trade, caller({ kind: 'owner', scopes: ['read'] }))).toMatchObject({ code: 'missing_scope' })
  })
  test('an operation with an unknown auth or auth "service" rejects every caller', () => {
    for (const auth of ['service', 'nobody'])
      expect(refused(route({ auth }), caller())).toMatchObject({ code: 'forbidden' })
  })
})
