import { mandates } from '@svc/contracts/mandates'
import { clientOf } from '@svc/service'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { agent, bodyAt, owner, startLifeRig } from '../rigs/life-rig.ts'

const rig = opened(() => startLifeRig({ environment: { HUB_TEST_VENUE_TARGETS: `0x${'4'.repeat(40)}` } }))
const bus = opened(() => rig.stack.nats.connect('identity'))

const listMandatesOf = (account_id: number, kind: 'agent' | 'owner') =>
  clientOf(bus, 'identity', mandates).listMandatesOf({ account_id, kind })

test('identity is told the mandates of an owner and those that name an agent, newest first, and no others', async () => {
  const draft = async (changed: Record<string, unknown>) =>
    (await rig.as(owner(1)).createMandate(bodyAt(rig, changed) as never)).mandate.public_id
  const [first, second] = [await draft({ agent_id: 7, name: 'first' }), await draft({ name: 'second' })]
  await rig.as(agent(7)).acceptMandate({ public_id: first })
  const changed_at = rig.clock.now().toISOString()
  const briefs = [
    { public_id: second, name: 'second', state: 'draft', accepted: false, changed_at },
    { public_id: first, name: 'first', state: 'draft', accepted: true, changed_at },
  ]
  expect((await listMandatesOf(1, 'owner')).items).toEqual(briefs)
  expect((await listMandatesOf(7, 'agent')).items).toEqual([briefs[1]])
  expect((await listMandatesOf(2, 'owner')).items).toEqual([])
  // An owner and an agent are told apart also where their ids are the same.
  expect((await listMandatesOf(1, 'agent')).items).toEqual([])
})
