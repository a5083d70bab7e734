import { mandates } from '@svc/contracts/mandates'
import { clientOf, type Bus } from '@svc/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyAt, owner, startLifeRig, type LifeRig } from '../rigs/life-rig.ts'

let rig: LifeRig
let bus: Bus
let legBus: Bus
beforeAll(async () => {
  // What another process was told to do: nobody here knows whether it runs.
  const switches = { HUB_KEEPER_MARK_DRY_RUN: '0', HUB_STOP_LINE_DRY_RUN: '0' }
  rig = await startLifeRig({ environment: { HUB_TEST_VENUE_TARGETS: `0x${'4'.repeat(40)}`, ...switches } })
  bus = await rig.stack.nats.connect('keeper')
  legBus = await rig.stack.nats.connect('hl-leg')
})
afterAll(async () => {
  await bus?.close()
  await legBus?.close()
  await rig?.stop()
})

async function clause7() {
  const { mandate } = await rig.as(owner(1)).createMandate(bodyAt(rig, { agent_id: 7 }) as never)
  const { clauses } = await rig.as(owner(1)).readMandate({ public_id: mandate.public_id })
  const terms = await rig.as(owner(1)).readTerms({ public_id: mandate.public_id })
  expect(terms.clauses).toEqual(clauses)
  const { state, state_reason } = clauses[6] ?? {}
  return { state, state_reason }
}

const pending = (missing: string) => ({
  state: 'stored_pending',
  state_reason: expect.stringContaining(`no live run was seen lately of: ${missing}.`),
})

test('the stop line is not in force until its workers have run, regardless of settings', async () => {
  expect((await clause7()).state).toBe('stored_pending')
})

test('the stop line is in force while the mark worker and the stop-line worker both run live', async () => {
  const note = (live: boolean) => clientOf(bus, 'keeper', mandates).noteWorker({ worker: 'mark', live, every_sec: 300 })
  expect(await clause7()).toEqual(pending('the mark worker, the stop-line worker'))
  await note(true)
  expect(await clause7()).toEqual(pending('the stop-line worker'))
  const closes = (live: boolean) =>
    clientOf(legBus, 'hl-leg', mandates).noteWorker({ worker: 'stopLine', live, every_sec: 30 })
  await closes(false)
  expect(await clause7()).toEqual(pending('the stop-line worker'))
  await closes(true)
  expect(await clause7()).toEqual({ state: 'in_force', state_reason: null })
  await note(false)
  expect(await clause7()).toEqual(pending('the mark worker'))
  await note(true)
  expect((await clause7()).state).toBe('in_force')
  rig.clock.advance((3 * 30 + 61) * 1_000)
  expect(await clause7()).toEqual(pending('the stop-line worker'))
})
