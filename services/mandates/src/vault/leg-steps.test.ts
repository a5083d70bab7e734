import { newVault, type Address } from '@svc/limits'
import { expect, test } from 'vitest'
import type { Vault } from '#books/rules/vault.ts'
import type { Leg } from '#leg/store/legs.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { legSteps, releaseSteps } from './leg-steps.ts'

const agent: Address = `0x${'aa'.repeat(20)}`
const now = new Date('2026-11-21T10:00:00.000Z')
const mandateIn = (state: Mandate['state']) =>
  ({
    publicId: 'mdt_1',
    state,
    stoppedInRecordAt: state === 'stopped' ? now : null,
    agent: { id: 7, wallet: agent },
    limits: { stopLine: 0n, endsAt: new Date('2026-12-01T00:00:00.000Z') },
  }) as Mandate
const vaultWith = (legOpen: boolean) =>
  ({ canonical: true, version: 2, books: { ...newVault(agent), principal: 1n, legOpen } }) as Vault
const legIn = (state: Leg['state']) => ({ state }) as Leg

/** Actions with the last part of their routes. */
function planned(state: Mandate['state'], legOpen: boolean, leg: Leg['state'] | null): string[] {
  const closing = { mandate: mandateIn(state), vault: vaultWith(legOpen), leg: leg === null ? null : legIn(leg) }
  return [...legSteps(closing, now), ...releaseSteps(closing)].map(({ action, route }) =>
    `${action} ${route?.split('/hub/mandates/mdt_1/')[1] ?? ''}`.trim(),
  )
}
const returning = ['close_leg hl-leg/return-call', 'return_leg hl-leg/return', 'wait']
const release = 'release_leg hl-leg/unbind'

test.each([
  ['none', false, null, []],
  ['released', false, 'released', []],
  ['only proposed', false, 'proposed', []],
  ['bound, without money of the vault', false, 'bound', ['close_leg hl-order', release]],
  ['bound, with money of the vault', true, 'bound', [...returning, release]],
  ['with money of the vault whose key was revoked', true, 'revoked', [...returning, release]],
  ['with money of the vault that hl-leg has not told of', true, null, returning],
] as const)('a leg that is %s: its steps come first, and its release last', (_name, legOpen, leg, steps) => {
  expect(planned('stopped', legOpen, leg)).toEqual(steps)
  expect(planned('working', legOpen, leg)).toEqual(steps.length === 0 ? [] : ['stop_record stop', ...steps])
  expect(planned('ended', legOpen, leg)).toEqual(steps)
})
