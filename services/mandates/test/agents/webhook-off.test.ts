import { eventually, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { owner, startSeededRig } from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig({ HUB_PUBLIC_WEB_BASE: 'https://app.example.org' }))
const alerts = async (ownerId: number) => (await rig.as(owner(ownerId)).listAlerts({})).items
const WEBHOOK = 'whk_0123456789abcdefghij'

test('the owner of an account is told once that its webhook was turned off: of a paired agent its owner, and nobody else', async () => {
  // Agent 21 is paired with owner 11; agent 22 is not, and works for owner 12. Account 950 is an owner without an agent.
  const [, newest] = [
    await rig.newMandate({ ownerId: 11, agentId: 21 }),
    await rig.newMandate({ ownerId: 11, agentId: 22 }),
    await rig.newMandate({ ownerId: 12, agentId: 22 }),
    await rig.newMandate({ ownerId: 12, agentId: 21 }),
    await rig.newMandate({ ownerId: 950, agentId: 23 }),
  ]
  await rig.tellWebhookOff({ account_id: 22, webhook_id: WEBHOOK, reason: 'failing' })
  // An owner without a mandate.
  await rig.tellWebhookOff({ account_id: 951, webhook_id: WEBHOOK, reason: 'failing' })
  await rig.tellWebhookOff({ account_id: 21, webhook_id: WEBHOOK, reason: 'gone' })
  // Another webhook of the same account on the same day alerts nobody again.
  await rig.tellWebhookOff({ account_id: 21, webhook_id: 'whk_0123456789abcdefghik', reason: 'failing' })
  await rig.tellWebhookOff({ account_id: 950, webhook_id: WEBHOOK, reason: 'failing' })
  await eventually(async () => expect(await alerts(950)).toHaveLength(1))
  expect(await alerts(11)).toMatchObject([
    {
      kind: 'webhook_off',
      severity: 'info',
      mandate_id: newest.publicId,
      text: expect.stringMatching(
        /^The webhook of your agent 21 to hook\.example\.org was turned off, because its receiver answered 410/,
      ),
    },
  ])
  expect((await alerts(950))[0]?.text).toMatch(
    /^Your webhook to hook\.example\.org .* accepted nothing for a day\..*\/verify turns it on/,
  )
  expect(await alerts(12)).toEqual([])
  expect(await alerts(951)).toEqual([])
})
