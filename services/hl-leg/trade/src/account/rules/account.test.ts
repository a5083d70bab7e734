import fc from 'fast-check'
import { ownCheckIds, ownRefusal } from '@svc/contracts/hl-trade/account'
import { expect, test } from 'vitest'
import { keyStanding } from './key-standing.ts'
import { canTrade, ownChecksOf, type OwnFacts } from './own-checks.ts'
import { currentTerms, termsHash } from './terms.ts'
import { WALLET_FIXES, walletRefusal } from './wallet-refusal.ts'

const keyState = fc.constantFrom('none', 'offered', 'enabled', 'revoked', 'expired', 'orphaned' as const)
const facts: fc.Arbitrary<OwnFacts> = fc.record({
  isLinked: fc.boolean(),
  refused: fc.option(fc.constantFrom(...ownRefusal.options)),
  keyState,
  hasSeed: fc.boolean(),
  hasBuilder: fc.boolean(),
  isFeeApproved: fc.boolean(),
  isLegBound: fc.option(fc.boolean()),
  isLive: fc.boolean(),
})
const READY: OwnFacts = {
  isLinked: true,
  refused: null,
  keyState: 'enabled',
  hasSeed: true,
  hasBuilder: true,
  isFeeApproved: true,
  isLegBound: false,
  isLive: true,
}

test('whatever is known, each check stands once in its order, and exactly those that are not ok have a fix', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const checks = ownChecksOf(given)
      expect(checks.map(({ id }) => id)).toEqual([...ownCheckIds])
      for (const { ok, verdict, fix } of checks) {
        expect(fix === null).toBe(ok === true)
        expect(verdict).toBe(ok === null ? 'unknown' : ok ? 'pass' : 'fail')
      }
      expect(canTrade(checks)).toBe(checks.every(({ ok }) => ok === true))
    }),
  )
})

test('an account trades only if everything is right: one fact that is wrong or unknown forbids it', () => {
  expect(canTrade(ownChecksOf(READY))).toBe(true)
  const wrong: Partial<OwnFacts>[] = [
    { isLinked: false },
    ...ownRefusal.options.map((refused) => ({ refused })),
    ...(['none', 'offered', 'revoked', 'expired', 'orphaned'] as const).map((state) => ({ keyState: state })),
    { hasSeed: false },
    { hasBuilder: false },
    { isFeeApproved: false },
    { isLegBound: true },
    { isLegBound: null },
    { isLive: false },
  ]
  for (const one of wrong) expect([one, canTrade(ownChecksOf({ ...READY, ...one }))]).toEqual([one, false])
})

test('only the account of a person in a standard mode is accepted, and each refusal has its fix', () => {
  for (const mode of ['default', 'disabled']) expect(walletRefusal({ role: 'user', mode })).toBeNull()
  expect(walletRefusal({ role: 'user', mode: 'unifiedAccount' })).toBe('unified_account')
  expect(walletRefusal({ role: 'user', mode: 'portfolioMargin' })).toBe('portfolio_margin')
  expect(walletRefusal({ role: 'user', mode: 'dexAbstraction' })).toBe('other_mode')
  for (const role of ['missing', 'agent', 'subAccount', 'vault'] as const)
    for (const mode of [null, 'default', 'unifiedAccount']) expect(walletRefusal({ role, mode })).not.toBeNull()
  for (const refused of ownRefusal.options) expect(WALLET_FIXES[refused].length).toBeGreaterThan(20)
})

test('a key that was never enabled, or is lost already, stays as it is; of an enabled one a lost seed comes first', () => {
  const now = new Date('2026-11-23T15:00:00.000Z')
  fc.assert(
    fc.property(
      keyState,
      fc.boolean(),
      fc.option(fc.date({ min: new Date(0), max: new Date(2e12), noInvalidDate: true })),
      (state, isOurs, validUntil) => {
        const ended = validUntil !== null && validUntil <= now
        const found = keyStanding({ state, isOurs, validUntil }, now)
        expect(found).toBe(state !== 'enabled' ? null : !isOurs ? 'orphaned' : ended ? 'expired' : 'revoked')
      },
    ),
  )
})

test('the published version of the terms never changes: its hash stands here', () => {
  const { version, text, hash } = currentTerms()
  expect([version, hash]).toEqual([1, '0x440678e82903b00ee9f79dc68243b4ca1161aae2e55c792e6bc3a135e1370191'])
  expect(hash).toBe(termsHash(text))
})
