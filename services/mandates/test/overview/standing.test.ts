import { mandates } from '@svc/contracts/mandates'
import { sql } from '@svc/postgres'
import { clientOf } from '@svc/service'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { startSeededRig } from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig())
const bus = opened(() => rig.stack.nats.connect('keeper'))

const standingOf = async (account_id: number) =>
  (await clientOf(bus, 'keeper', mandates).readStanding({ account_id })).standing

/** Makes a mandate in a state; its draft expires after a day. */
async function inState(state: string, ownerId: number, agentId: number): Promise<void> {
  const { id } = await rig.newMandate({ ownerId, agentId, unsigned: true, vaultless: true })
  const expiresAt = state === 'draft' ? new Date(rig.clock.now().getTime() + 86_400_000).toISOString() : null
  await rig.pool.query(sql.unsafe`UPDATE mandate SET state = ${state}, expires_at = ${expiresAt} WHERE id = ${id}`)
}

test('an account stands at a signed or working mandate that it owns or is the agent of, else at a draft that it owns', async () => {
  const expected = {
    draft: ['draft', 'none'],
    signed: ['signed', 'signed'],
    working: ['signed', 'signed'],
    paused: ['none', 'none'],
    stopped: ['none', 'none'],
    closed: ['none', 'none'],
  }
  let account = 100
  for (const [state, [owner, agent]] of Object.entries(expected)) {
    const [ownerId, agentId] = [account++, account++]
    await inState(state, ownerId, agentId)
    expect([state, await standingOf(ownerId), await standingOf(agentId)]).toEqual([state, owner, agent])
    await inState('draft', ownerId, agentId)
    expect(await standingOf(ownerId)).toBe(owner === 'signed' ? 'signed' : 'draft')
  }
  expect(await standingOf(account)).toBe('none')
})

test('a draft that has expired and a signed mandate past its end give no standing', async () => {
  await inState('draft', 4, 5)
  await inState('signed', 6, 7)
  expect([await standingOf(4), await standingOf(6), await standingOf(7)]).toEqual(['draft', 'signed', 'signed'])
  rig.clock.set('2026-12-31T00:00:00.000Z')
  expect([await standingOf(4), await standingOf(6), await standingOf(7)]).toEqual(['none', 'none', 'none'])
})
