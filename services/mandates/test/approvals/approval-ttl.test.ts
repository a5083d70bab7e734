import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { agent, buyCall, owner, startSeededRig, VENUE } from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig({ HUB_APPROVAL_TTL_HOURS: '0.05' }))

test('a held call ends after a fraction of an hour where HUB_APPROVAL_TTL_HOURS is one', async () => {
  const { publicId: public_id, ownerId } = await rig.newMandate()
  const call = { target: VENUE, data: buyCall(1), approve_amount_usdc: '45' }
  const answer = await rig.as(agent(21)).prepareExecution({ public_id, ...call })
  if (!('approval' in answer)) throw new Error('the call was not held')
  expect(answer.approval.expires_at).toBe('2026-11-21T10:03:00.000Z')
  const status = async () => (await rig.as(owner(ownerId)).listApprovals({ public_id })).items[0]?.status
  rig.clock.advance(179_999)
  expect(await status()).toBe('pending')
  rig.clock.advance(1)
  expect(await status()).toBe('expired')
})
