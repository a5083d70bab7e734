import { expect, test } from 'vitest'
import { agentActivity, type Seen } from './agent-activity.ts'

function world() {
  const state = { now: Date.UTC(2026, 10, 21, 9), down: false }
  const sent: Seen[][] = []
  const lost: unknown[] = []
  const activity = agentActivity({
    now: () => state.now,
    send: async (seen) => {
      if (state.down) throw new Error('identity is down')
      sent.push([...seen])
    },
    onLost: (error) => lost.push(error),
  })
  return { state, sent, lost, activity }
}

test('many calls of an agent within 30 seconds are reported once', async () => {
  const { state, sent, activity } = world()
  for (let call = 0; call < 1_000; call += 1) activity.note(7, 'http')
  activity.note(8, 'mcp')
  await activity.flush()
  state.now += 29_999
  activity.note(7, 'mcp')
  await activity.flush()
  expect(sent).toEqual([
    [
      { account_id: 7, channel: 'http', at: '2026-11-21T09:00:00.000Z' },
      { account_id: 8, channel: 'mcp', at: '2026-11-21T09:00:00.000Z' },
    ],
  ])
  state.now += 1
  activity.note(7, 'mcp')
  await activity.flush()
  expect(sent[1]).toEqual([{ account_id: 7, channel: 'mcp', at: '2026-11-21T09:00:30.000Z' }])
})

test('a report contains at most 500 agents, and none is sent without activity', async () => {
  const { sent, activity } = world()
  await activity.flush()
  for (let agent = 1; agent <= 1_001; agent += 1) activity.note(agent, 'http')
  await activity.flush()
  expect(sent.map((batch) => batch.length)).toEqual([500, 500, 1])
})

test('activity that identity did not accept is reported again after the next call of the agent', async () => {
  const { state, sent, lost, activity } = world()
  state.down = true
  activity.note(7, 'http')
  await activity.flush()
  expect(lost).toHaveLength(1)
  state.down = false
  state.now += 1_000
  activity.note(7, 'http')
  await activity.flush()
  expect(sent).toEqual([[{ account_id: 7, channel: 'http', at: '2026-11-21T09:00:01.000Z' }]])
})

test('the number of remembered and of waiting agents is limited', async () => {
  const { sent, activity } = world()
  for (let agent = 1; agent <= 50_001; agent += 1) activity.note(agent, 'http')
  await activity.flush()
  expect(sent.flat()).toHaveLength(50_000)
  activity.note(1, 'http')
  activity.note(50_000, 'http')
  await activity.flush()
  expect(sent.at(-1)).toMatchObject([{ account_id: 1 }])
})
