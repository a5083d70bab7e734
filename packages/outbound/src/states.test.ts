import { describe, expect, test } from 'vitest'
import { events, openStates, states, table, transitionsOf, type Event, type State } from './states.ts'

const pairs = states.flatMap((state) => events.map((event) => [state, event] as const))

/** The whole table: the state after each event, and `-` for what cannot happen. */
const expected: Readonly<Record<Event, string>> = {
  //           planned signed sent ended
  claim: 'planned signed sent ended',
  postpone: 'planned signed sent ended',
  retry: 'planned signed sent ended',
  give_up: 'ended ended - -',
  sign: 'signed - - -',
  replace: '- signed sent -',
  count: '- sent sent -',
  finish: '- - sent -',
  refuse: '- - ended -',
  prove: '- ended ended -',
  decide: '- ended ended -',
  contradict: '- signed sent -',
  reorganise: '- - - sent',
  lose: 'ended ended ended -',
  acknowledge: '- - - ended',
}

test.each(pairs)('an effect that is %s has an entry for the event %s', (state, event) => {
  const entry = table[state][event]
  const after = expected[event].split(' ')[states.indexOf(state)]
  if ('to' in entry) expect(entry.to).toBe(after)
  else {
    expect(after).toBe('-')
    expect(entry.never).toMatch(/^[a-z].{10,}/)
  }
})

describe('the table keeps the rules', () => {
  const leadsTo = (state: State, event: Event) => {
    const entry = table[state][event]
    return 'to' in entry ? entry.to : null
  }

  test('a copy leaves only after its bytes were stored, and no copy leaves after the end', () => {
    expect(transitionsOf('count').map(({ from }) => from)).toEqual(['signed', 'sent'])
  })

  test('an effect of which a copy may have left ends only by a refusal, by evidence, by that of an operator, or when the other side is gone', () => {
    expect(events.filter((event) => leadsTo('sent', event) === 'ended')).toEqual(['refuse', 'prove', 'decide', 'lose'])
  })

  test('only replaced blocks open an effect that has ended', () => {
    expect(events.filter((event) => !['ended', null].includes(leadsTo('ended', event)))).toEqual(['reorganise'])
  })

  test('an effect that is open in any state can be claimed, postponed and retried without a change of its state', () => {
    for (const event of ['claim', 'postpone', 'retry'] as const)
      for (const state of openStates) expect(leadsTo(state, event)).toBe(state)
  })
})
