import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { read } from '@svc/chain'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { mandateDay, type PlayedMandate } from '../mandate-demo/mandate-day.ts'
import { createWalk } from '../demo/walk.ts'
import { openStage } from '../vault-demo/stage.ts'
import { verifyRecord } from '../verify-record/verify.ts'
import { ask } from './client.ts'
import { startWorld, type World } from './contract/world.ts'
import { registerAgent } from './people.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-mandate-life-'))
let world: World
beforeAll(async () => {
  world = await startWorld({}, { chain: true })
}, 90_000)
afterAll(async () => {
  await world?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

async function play(): Promise<PlayedMandate> {
  const { chain: local } = world.platform
  if (local === null) throw new Error('the world has no chain')
  const stage = openStage(local.url, local.chain, local.deployment, createWalk(world.url))
  return mandateDay(stage, local.wallets, await registerAgent(world.url, 'trader'), folder)
}

/** Twice only in the long run: each play takes ten seconds. */
const RUNS = process.env['TEST_LONG'] === '1' ? 2 : 1

test('a mandate goes as the documents say, from a purpose note to the verified record', async () => {
  const played: PlayedMandate[] = []
  for (let run = 0; run < RUNS; run += 1) played.push(await play())
  expect(new Set(played.map(({ vault }) => vault)).size).toBe(RUNS)
  const { chain: local } = world.platform
  if (local === null) throw new Error('the world has no chain')
  const usdc = read(local.chain).usdc(local.deployment.contracts.usdc.address)
  for (const { publicId, vault, withdrawn, folder: kept } of played) {
    expect(await usdc.balanceOf({ account: vault })).toBe(0n)
    // 40 USDC bought at 100, sold at 125: a profit that fees and spread do not eat up.
    expect(withdrawn).toBeGreaterThan(405_000_000n)
    const { head, entries } = verifyRecord(readFileSync(join(kept, 'record.ndjson'), 'utf8'), null)
    expect(head.mandate).toBe(publicId)
    const kinds = new Set(entries.map(({ kind }) => kind))
    for (const kind of ['corrected', 'accepted', 'vault_attached', 'approval_used', 'refused', 'state_changed'])
      expect(kinds).toContain(kind)
    const causes = entries.flatMap(({ kind, body }) => (kind === 'state_changed' ? [body['cause']] : []))
    expect(causes).toEqual([
      'terms_signed',
      'vault_funded',
      'agent_removed',
      'agent_restored',
      'stopped_in_record',
      'settled_and_withdrawn',
    ])
    expect(readFileSync(join(kept, 'statement.pdf')).subarray(-6).toString('latin1')).toContain('%%EOF')
  }
}, 120_000)

test('drafts without a session are kept for the client by its address, 20 a day', async () => {
  const save = () => ask(world.url, '/hub/mandates/draft', { body: { note: '100 USDC', save: true } })
  for (let made = 0; made < 20; made += 1) expect((await save()).status).toBe(201)
  const over = await save()
  expect([over.status, over.body.code]).toEqual([429, 'rate_limited'])
})
