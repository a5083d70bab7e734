import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, opened, refusalOf } from '@svc/testing'
import { afterAll, expect, test } from 'vitest'
import { start } from '#main.ts'
import { bodyAt, owner, startLifeRig } from './rigs/life-rig.ts'

const folder = mkdtempSync(join(tmpdir(), 'switches-'))
const rig = opened(() =>
  startLifeRig({ environment: { HUB_TEST_VENUE_TARGETS: `0x${'4'.repeat(40)}`, SVC_SWITCHES_DIR: folder } }),
)
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

/** Why a draft with a leg is refused: for the switch, or, with the switch on, for lack of a market of the leg. */
const reason = async () =>
  (await refusalOf(rig.as(owner(1)).createMandate(bodyAt(rig, { hl_leg: true }) as never))).errors?.[0]?.code

test('the leg is switched on and off by a file while the service runs, and a wrong word changes nothing', async () => {
  const turn = (text: string) => writeFileSync(join(folder, 'HUB_HL_LEG_ENABLED'), text)
  expect(await reason()).toBe('leg_disabled')
  turn('on\n')
  await eventually(async () => (await reason()) === 'needs_leg_market')
  turn('fo\n')
  expect(await reason()).toBe('needs_leg_market')
  turn('off\n')
  await eventually(async () => (await reason()) === 'leg_disabled')
})

test('a misspelt word ends the start with the name of the switch', async () => {
  const started = start(rig.stack.environmentOf('mandates', { HUB_APPROVAL_ENABLED: 'ture' }))
  const outcome = await started.then(
    (service) => service.stop().then(() => 'it started'),
    (error: unknown) => String(error),
  )
  expect(outcome).toMatch(/^SettingError: HUB_APPROVAL_ENABLED is invalid: /)
})
