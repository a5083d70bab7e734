import { describe, expect, test } from 'vitest'
import { newVault, nobody, type VaultState } from '@svc/limits'
import { foreignAgent, mayMove, movesTo, stateOf, type Standing } from './states.ts'
import { mandateState, stateCause, type MandateState } from '@svc/contracts/mandates/fields'

const agent = '0x2222222222222222222222222222222222222222'
const vault = (changed: Partial<VaultState> = {}): VaultState => ({
  ...newVault(agent),
  principal: 500n,
  accounted: 500n,
  ...changed,
})
const standing: Standing = {
  signed: true,
  stoppedInRecord: false,
  vault: null,
  agentWallet: agent,
  stopLine: 400n,
  endsAt: new Date('2026-12-01T00:00:00.000Z'),
  now: new Date('2026-11-21T00:00:00.000Z'),
}
const late = { now: new Date('2026-12-01T00:00:00.000Z') }
const at: Record<MandateState, Partial<Standing>> = {
  draft: { signed: false },
  signed: {},
  working: { vault: vault() },
  paused: { vault: vault({ agent: nobody }) },
  stopped: { vault: vault({ stopReason: 1, stoppedAt: 5n, agent: nobody }) },
  ended: { vault: vault(), ...late },
  closed: { vault: vault({ settled: true, accounted: 0n }), ...late },
}

/** The complete table, written independently: from → to, by cause. */
const allowed: readonly (readonly [MandateState, string, MandateState])[] = [
  ['draft', 'terms_signed', 'signed'],
  ['draft', 'stopped_in_record', 'stopped'],
  ['signed', 'terms_signed', 'signed'],
  ['signed', 'vault_funded', 'working'],
  ['signed', 'agent_removed', 'paused'],
  ['signed', 'end_passed', 'ended'],
  ['working', 'agent_removed', 'paused'],
  ['working', 'end_passed', 'ended'],
  ['working', 'reorganised', 'signed'],
  ['working', 'reorganised', 'paused'],
  ['paused', 'agent_restored', 'working'],
  ['paused', 'agent_restored', 'signed'],
  ['paused', 'end_passed', 'ended'],
  ['paused', 'reorganised', 'working'],
  ['paused', 'reorganised', 'signed'],
  ...(['signed', 'working', 'paused', 'ended'] as const).flatMap((from) =>
    (['stopped_in_record', 'stopped_by_owner', 'stopped_by_stop_line'] as const).map(
      (cause) => [from, cause, 'stopped'] as const,
    ),
  ),
  ['stopped', 'settled_and_withdrawn', 'closed'],
  ['ended', 'settled_and_withdrawn', 'closed'],
  ...(['signed', 'working', 'paused', 'ended'] as const).map((to) => ['stopped', 'reorganised', to] as const),
  ['closed', 'money_returned', 'stopped'],
  ['closed', 'money_returned', 'ended'],
  ...(['signed', 'working', 'paused', 'stopped', 'ended'] as const).map((to) => ['closed', 'reorganised', to] as const),
]

describe('the transition table', () => {
  test('allows exactly the listed moves', () => {
    const found = mandateState.options.flatMap((from) =>
      stateCause.options.flatMap((cause) =>
        mandateState.options.flatMap((to) => (mayMove(from, cause, to) ? [`${from} ${cause} ${to}`] : [])),
      ),
    )
    expect(new Set(found)).toEqual(new Set(allowed.map((move) => move.join(' '))))
  })

  test('reaches every state', () => {
    expect(new Set(allowed.map(([, , to]) => to))).toEqual(
      new Set(mandateState.options.filter((state) => state !== 'draft')),
    )
  })
})

describe('the state of a mandate', () => {
  test.each(mandateState.options)('is %s for the facts of that state', (state) => {
    expect(stateOf({ ...standing, ...at[state] })).toBe(state)
  })

  test('is signed until more than the stop line was paid in', () => {
    expect(stateOf({ ...standing, vault: vault({ principal: 400n }) })).toBe('signed')
    expect(stateOf({ ...standing, vault: vault({ principal: 401n }) })).toBe('working')
    expect(stateOf({ ...standing, stopLine: 0n, vault: vault({ principal: 0n }) })).toBe('signed')
  })

  test('is paused while an agent other than the designated one may act', () => {
    const foreign = vault({ agent: '0x3333333333333333333333333333333333333333' })
    expect(stateOf({ ...standing, vault: foreign })).toBe('paused')
    expect(foreignAgent(foreign, agent)).toBe(true)
    expect(foreignAgent(vault({ agent: nobody }), agent)).toBe(false)
    expect(foreignAgent(vault(), agent)).toBe(false)
  })

  test('is stopped after a stop in the record, whatever the state of the vault, until it is closed', () => {
    for (const state of ['draft', 'signed', 'working', 'paused', 'ended'] as const)
      expect(stateOf({ ...standing, ...at[state], stoppedInRecord: true })).toBe('stopped')
    expect(stateOf({ ...standing, ...at.closed, stoppedInRecord: true })).toBe('closed')
  })

  test('is ended from the second of its end on', () => {
    const second = standing.endsAt.getTime()
    expect(stateOf({ ...standing, now: new Date(second - 1) })).toBe('signed')
    expect(stateOf({ ...standing, now: new Date(second) })).toBe('ended')
  })
})

describe('moves of a mandate', () => {
  const causes = (from: MandateState, changed: Partial<Standing>, orphaned = false) =>
    movesTo(from, { ...standing, ...changed }, orphaned).map(({ to, cause }) => `${cause} ${to}`)

  test.each<[string, MandateState, Partial<Standing>, string[]]>([
    ['nothing happened', 'working', at.working, []],
    ['the owner signs', 'draft', at.signed, ['terms_signed signed']],
    ['money arrives', 'signed', at.working, ['vault_funded working']],
    ['the agent is revoked', 'working', at.paused, ['agent_removed paused']],
    ['the agent is set again', 'paused', at.working, ['agent_restored working']],
    [
      'the agent is set again before any money',
      'paused',
      { vault: vault({ principal: 0n }) },
      ['agent_restored signed'],
    ],
    ['the owner stops', 'working', at.stopped, ['stopped_by_owner stopped']],
    ['the stop line is reached', 'working', { vault: vault({ stopReason: 2 }) }, ['stopped_by_stop_line stopped']],
    ['the owner stops the record', 'paused', { ...at.paused, stoppedInRecord: true }, ['stopped_in_record stopped']],
    ['the end passes', 'working', at.ended, ['end_passed ended']],
    ['all is out and settled', 'ended', at.closed, ['settled_and_withdrawn closed']],
    ['a closed vault is found', 'signed', at.closed, ['end_passed ended', 'settled_and_withdrawn closed']],
    [
      'a stopped and closed vault is found',
      'working',
      { vault: vault({ settled: true, accounted: 0n, stopReason: 1 }) },
      ['stopped_by_owner stopped', 'settled_and_withdrawn closed'],
    ],
    ['money comes back after closing', 'closed', at.ended, ['money_returned ended']],
  ])('%s', (_name, from, changed, expected) => {
    expect(causes(from, changed)).toEqual(expected)
  })

  test.each<[MandateState, Partial<Standing>, string]>([
    ['working', at.signed, 'reorganised signed'],
    ['paused', at.working, 'reorganised working'],
    ['stopped', at.working, 'reorganised working'],
    ['closed', at.stopped, 'reorganised stopped'],
  ])('a reorganisation moves %s back', (from, changed, expected) => {
    expect(causes(from, changed, true)).toEqual([expected])
  })

  test('between any two states, by a fact or a reorganisation, stay within the table', () => {
    for (const from of mandateState.options)
      for (const to of mandateState.options)
        for (const orphaned of [false, true]) {
          let moves
          try {
            moves = movesTo(from, { ...standing, ...at[to] }, orphaned)
          } catch (error) {
            expect(String(error)).toMatch(/^Error: a mandate cannot move from \w+ to \w+ by \w+$/)
            continue
          }
          for (const move of moves) expect(mayMove(move.from, move.cause, move.to)).toBe(true)
          expect(moves.at(-1)?.to ?? from).toBe(to)
        }
  })
})
