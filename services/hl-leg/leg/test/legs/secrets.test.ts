import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLog } from '@svc/service'
import { eventually, inherited, opened } from '@svc/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runJob } from '#main.ts'
import { owner, ownerWallet, signTypedData, startRig } from '../rig.ts'
import { allRows, expectNowhere, foundIn, listener } from '@svc/testing/seed-hunt'

const SEED = 'c0ffee5eed'.padEnd(64, 'a7')
const lines: string[] = []
const rig = opened(() =>
  startRig({
    environment: { HUB_HL_LEG_SEED: SEED },
    log: openLog('hl-leg', 'debug', { write: (line) => void lines.push(line) }),
  }),
)
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

test('the seed and the derived keys occur in no log, row, event, answer, request or error', async () => {
  const { told, ask } = listener()
  const mandate = rig.mandate(1)
  const { public_id } = mandate
  const as = rig.as(owner(1))
  await ask(() => as.prepareApproval({ public_id }))
  await ask(() => rig.bind(mandate))
  for (const kind of ['status500', 'truncated', 'wrong-type', 'drop']) {
    rig.venue.control('fault', { kind, endpoint: 'info', count: 3 })
    await ask(() => as.prepareApproval({ public_id }))
    await ask(() => as.bindLeg({ public_id }))
    await ask(() => rig.run('readLegs'))
    rig.venue.control('clear-faults', {})
  }
  const offer = await as.prepareApproval({ public_id })
  await ask(async () =>
    as.bindLeg({ public_id, signature: await signTypedData(ownerWallet(2), offer.typed_data), nonce: offer.nonce }),
  )
  await ask(() => as.bindLeg({ public_id, signature: `0x${SEED}`, nonce: offer.nonce }))
  rig.advance(1_800_000)
  for (const job of ['readMarkets', 'readLegs', 'watchApprovals'] as const) await ask(() => rig.run(job))
  for (const call of [as.readLeg, as.readExitKit, as.unbindLeg]) await ask(() => call({ public_id }))
  await ask(() => rig.restart({ HUB_HL_LEG_SEED: `${SEED}ff` }))
  const folder = mkdtempSync(join(tmpdir(), 'svc-seed-'))
  writeFileSync(join(folder, 'seed'), `${SEED}\n`)
  await rig.restart({ HUB_HL_LEG_SEED: undefined, HUB_HL_LEG_SEED_FILE: join(folder, 'seed') })
  expect((await as.bindLeg({ public_id })).leg.state).toBe('bound')
  rmSync(folder, { recursive: true })

  expect(lines.length).toBeGreaterThan(5)
  expect(JSON.stringify(told)).toContain('HUB_HL_LEG_SEED')
  expectNowhere({ seed: SEED, salt: 'svc/hl-leg/v1' }, [public_id], {
    logs: lines.join(''),
    rows: await allRows(rig.stack.databaseOf('hl-leg').superuserUrl, 'hl_leg'),
    answers: JSON.stringify(told),
    venue: JSON.stringify(rig.venue.state),
    context: JSON.stringify(rig.context.settings),
  })
})

test('a process deletes the seed from its environment once it has started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-report-'))
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: {
      ...rig.stack.environmentOf('hl-leg'),
      ...inherited(),
      HUB_HL_LEG_ENABLED: '1',
      HUB_HL_LEG_SEED: SEED,
      HUB_HL_INFO_URL: `${rig.venue.url}/info`,
      HUB_HL_EXCHANGE_URL: `${rig.venue.url}/exchange`,
      SVC_LOG_LEVEL: 'debug',
      NODE_OPTIONS: `--report-on-signal --report-signal=SIGUSR2 --report-directory=${folder}`,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (text: Buffer) => void (said += text.toString()))
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await eventually(() => said.includes('"msg":"ready"'))
  child.kill('SIGUSR2')
  const report = await eventually(() => {
    const [name = ''] = readdirSync(folder)
    const text = readFileSync(join(folder, name), 'utf8')
    return text.endsWith('}\n') ? text : false
  })
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  expect(JSON.parse(String(report)).environmentVariables).toHaveProperty('HUB_HL_LEG_ENABLED')
  expect([foundIn(said, [SEED]), foundIn(String(report), [SEED])]).toEqual([[], []])
  rmSync(folder, { recursive: true })
})

test('each job runs once by its name', async () => {
  await rig.end()
  const environment = {
    ...rig.stack.environmentOf('hl-leg'),
    HUB_HL_LEG_ENABLED: '1',
    HUB_HL_LEG_SEED: SEED,
    HUB_HL_INFO_URL: `${rig.venue.url}/info`,
    HUB_HL_EXCHANGE_URL: `${rig.venue.url}/exchange`,
    SVC_VENUE_WEIGHT_MINUTE: '1000000',
  }
  const overrides = { clock: rig.clock, log: openLog('hl-leg', 'silent') }
  for (const job of ['readMarkets', 'readLegs', 'watchApprovals'])
    expect([job, await runJob(job, environment, overrides)]).toEqual([job, 0])
  rig.venue.control('fault', { kind: 'status500', endpoint: 'info', count: 100 })
  expect(await runJob('readMarkets', environment, overrides)).toBe(1)
  await expect(runJob('readTea', environment, overrides)).rejects.toThrow('hl-leg has no job readTea')
})
