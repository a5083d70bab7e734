import { newVault, nobody } from '@svc/limits'
import { expect, test } from 'vitest'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { stopCall } from './steering-calls.ts'
import type { Vault } from '#books/rules/vault.ts'

const agent = '0x2222222222222222222222222222222222222222'
const endsAt = new Date('2026-12-01T00:00:00.000Z')
const mandate = { owner: { id: 1, wallet: agent }, limits: { endsAt } } as unknown as Mandate
const vault = (changed: Partial<Vault> = {}): Vault =>
  ({ address: agent, chain_id: 31_337, version: 1, books: newVault(agent), ...changed }) as Vault
const at = (text: string) => new Date(text)
const ask = (settleGraceEnabled: boolean, now: Date, one = vault()) =>
  stopCall({ settings: { settleGraceEnabled } as never }, mandate, one, now)

test('the owner may stop at any time while the switch is off', () => {
  for (const now of ['2026-11-30T00:00:00.000Z', '2026-12-01T12:00:00.000Z', '2026-12-03T00:00:00.000Z'])
    expect(ask(false, at(now)).call?.data).toBe('0x07da68f5')
})

test('with the switch on, the day after the end answers a reason and until when', () => {
  expect(ask(true, at('2026-11-30T23:59:59.999Z')).call).not.toBeNull()
  for (const now of ['2026-12-01T00:00:00.000Z', '2026-12-01T23:59:59.999Z'])
    expect(ask(true, at(now))).toMatchObject({ call: null, reason: 'settle_grace', until: '2026-12-02T00:00:00.000Z' })
  expect(ask(true, at('2026-12-02T00:00:00.000Z')).call).not.toBeNull()
})

test('a vault with a leg refuses the stop in that day whatever the switch says', () => {
  expect(ask(false, at('2026-12-01T12:00:00.000Z'), vault({ version: 2 })).reason).toBe('settle_grace')
})

test('a vault that the stop line stopped can still lose its agent; one that the owner stopped has nothing left to stop', () => {
  const books = { ...newVault(agent), stopReason: 2 as const, stoppedAt: 1n }
  expect(ask(true, at('2026-12-01T12:00:00.000Z'), vault({ books })).call).not.toBeNull()
  const stopped = vault({ books: { ...books, agent: nobody } })
  expect(ask(false, at('2026-11-30T00:00:00.000Z'), stopped).reason).toBe('already_stopped')
  const settled = vault({ books: { ...newVault(agent), settled: true } })
  expect(ask(false, at('2026-12-05T00:00:00.000Z'), settled).reason).toBe('settled')
})
