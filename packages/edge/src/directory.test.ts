import { describe, expect, test } from 'vitest'
import { createDirectory, type Account, type Credential } from './directory.ts'

const key = (hash: string): Credential => ({ kind: 'key', hash })
const account = (id: number): Account => ({
  account_id: id,
  kind: 'agent',
  wallet: null,
  roles: [],
  scopes: ['read'],
  key_id: 'key_1',
  session_id: null,
})

function world() {
  const live = new Map<string, Account>([
    ['a', account(1)],
    ['b', account(2)],
  ])
  const state = {
    now: 1_000_000,
    tier: 0 as 0 | 1 | 2,
    endsAt: null as string | null,
    accountQuestions: 0,
    tierQuestions: 0,
    tierDown: false,
  }
  const directory = createDirectory({
    now: () => state.now,
    resolveAccounts: async (credentials) => {
      state.accountQuestions += 1
      return credentials.map((credential) => (credential.kind === 'key' ? (live.get(credential.hash) ?? null) : null))
    },
    resolveTiers: async (ids) => {
      state.tierQuestions += 1
      if (state.tierDown) throw new Error('down')
      return ids.map((id) => ({ account_id: id, tier: state.tier, ends_at: state.endsAt }))
    },
  })
  return { live, state, directory }
}

describe('directory', () => {
  test('batches all look-ups of one turn into one request and caches the result for 800 ms', async () => {
    const { state, directory } = world()
    await Promise.all([
      directory.resolve(key('a')),
      directory.resolve(key('a')),
      directory.resolve(key('b')),
      directory.resolve(key('x')),
    ])
    expect(state.accountQuestions).toBe(1)
    state.now += 799
    expect(directory.resolve(key('a'))).toMatchObject({ account_id: 1, tier: 0 })
    expect(directory.resolve(key('x'))).toBeNull()
    expect(state.accountQuestions).toBe(1)
  })

  test('a revoked key is rejected after 800 ms even if no event arrives', async () => {
    const { live, state, directory } = world()
    await directory.resolve(key('a'))
    live.delete('a')
    state.now += 800
    expect(await directory.resolve(key('a'))).toBeNull()
  })

  test('a revoked key is rejected as soon as the event arrives, even if a look-up is in flight', async () => {
    const { live, state, directory } = world()
    const asked = directory.resolve(key('a'))
    directory.forgetAccount(1)
    await asked
    live.delete('a')
    expect(state.accountQuestions).toBe(1)
    expect(await directory.resolve(key('a'))).toBeNull()
  })

  test('a refresh finds a scope and a tier that are newer than the cache, and is made four times a second at most', async () => {
    const { live, state, directory } = world()
    await directory.resolve(key('a'))
    live.set('a', { ...account(1), scopes: ['read', 'tx'] })
    state.tier = 1
    expect(directory.resolve(key('a'))).toMatchObject({ scopes: ['read'], tier: 0 })
    expect(await directory.refresh(key('a'))).toMatchObject({ scopes: ['read', 'tx'], tier: 1 })
    expect(directory.resolve(key('a'))).toMatchObject({ scopes: ['read', 'tx'], tier: 1 })
    state.now += 249
    expect(directory.refresh(key('a'))).toMatchObject({ tier: 1 })
    expect([state.accountQuestions, state.tierQuestions]).toEqual([2, 2])
    state.now += 1
    state.tierDown = true
    expect(await directory.refresh(key('a'))).toMatchObject({ tier: 1 })
    expect(state.accountQuestions).toBe(3)
  })

  test('a cached tier ends at its end time', async () => {
    const { state, directory } = world()
    state.tier = 1
    state.endsAt = new Date(state.now + 500).toISOString()
    expect(await directory.resolve(key('a'))).toMatchObject({ tier: 1 })
    state.now += 500
    expect(await directory.resolve(key('a'))).toMatchObject({ tier: 0 })
  })

  test('while subscriptions is down, accounts keep their last known tier and unknown accounts are rejected', async () => {
    const { state, directory } = world()
    state.tier = 2
    await directory.resolve(key('a'))
    state.tierDown = true
    state.now += 6_000
    expect(await directory.resolve(key('a'))).toMatchObject({ tier: 2 })
    await expect(directory.resolve(key('b'))).rejects.toThrow('down')
  })
})
