import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalChain } from '../dev/chain.ts'
import { freePort } from '@svc/servers'
import { tellingServices } from '@svc/contracts/gallery/status'
import { eventually, opened } from '@svc/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStage } from '../demo/chain-stage.ts'
import { publicDay } from '../demo/public/public-day.ts'
import { createWalk } from '../demo/walk.ts'
import { keepHistory, keptHistory, runnerSettings } from '../dev/history/kept.ts'
import { beginningOf, playHistory } from '../dev/history/play.ts'
import { VENUE_TOKEN, type LegVenue } from '../dev/leg-venue.ts'
import { preparePlatform } from '../dev/platform.ts'
import { startInProcess } from '../dev/services.ts'
import { ask } from './client.ts'

/** Two agents are ranked; the mandate of another ended after 12 days, and one agent came too late. */
const SIZE = { agents: 4, days: 15 }
const LIMITS = { SVC_OPEN_LIMIT_MINUTE: '100000', SVC_LOG_LEVEL: 'silent' }

const world = opened(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-public-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const chainSince = beginningOf(SIZE, new Date())
  const platform = await preparePlatform({
    dataDir,
    publicUrl: url,
    durable: false,
    chain: true,
    chainSince,
    leg: true,
  })
  const history = await playHistory(platform, { size: SIZE, onStep: () => {} })
  keepHistory(platform.servers.folder, history)
  const more = { ...runnerSettings(history), ...LIMITS, SVC_PORT: String(port), SVC_GATEWAY_URL: url }
  const running = await startInProcess(platform, () => more)
  return {
    url,
    platform,
    history,
    stop: async () => {
      await running.stop()
      await platform.servers.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
})
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

function local(): { chain: LocalChain; venue: LegVenue } {
  const { chain, legVenue: venue } = world.platform
  if (chain === null || venue === null) throw new Error('the world has no chain or no venue')
  return { chain, venue }
}

test('after a history the Hall has every agent of the past, ranked by days and trades, from the first request on', async () => {
  const { body: hall } = await ask(world.url, '/hub/hall?limit=100')
  expect(hall).toMatchObject({ pending: false, stale: false })
  const ids = [...world.history.agents.map(({ agentId }) => agentId), world.history.runner.agentId]
  expect(new Set(hall.items.map(({ agent_id }: { agent_id: number }) => agent_id))).toEqual(new Set(ids))
  const ranked = hall.items.filter((row: { ranked: boolean }) => row.ranked)
  expect(ranked.length).toBe(2)
  for (const row of ranked) {
    expect(row.days_live).toBeGreaterThanOrEqual(14)
    expect(row.trades).toBeGreaterThanOrEqual(10)
    expect(row.worth_change_low_bps).toBeLessThanOrEqual(row.worth_change_bps)
    expect(row.worth_change_high_bps).toBeGreaterThanOrEqual(row.worth_change_bps)
  }
  const { body: page } = await ask(world.url, `/hub/hall/${ranked[0].agent_id}`)
  // A closing a day: the series has no gap.
  expect(page.series.values.length).toBeGreaterThanOrEqual(14)
  expect(page.series.values).not.toContain(null)
  expect(keptHistory(world.platform.servers.folder)).toEqual(world.history)
})

test('the public side goes as the documents say: Hall, template, adoption, hire, signals followed once, paid reads', async () => {
  const { chain, venue } = local()
  const walk = createWalk(world.url)
  const token = world.platform.servers.secrets.password(VENUE_TOKEN)
  await publicDay({
    stage: openStage(chain, walk),
    walk,
    wallets: chain.wallets,
    venue: { url: venue.url, token },
    house: world.platform.house,
    history: world.history,
    seed: world.platform.servers.secrets.password('history'),
    deploymentFile: chain.deploymentFile,
    folder: world.platform.servers.folder.file('demo'),
  })
  expect(walk.steps()).toBeGreaterThan(40)
})

test('the status page hears of the workers of every service that tells of them', async () => {
  type Told = readonly {
    readonly service: string
    readonly worker: string
    readonly mode: string
    readonly state: string
  }[]
  // The services of the history told of their workers too; those that run now tell of theirs every half minute.
  await eventually(
    async () => {
      const { workers }: { workers: Told } = (await ask(world.url, '/hub/status/workers')).body
      expect(new Set(workers.map(({ service }) => service))).toEqual(new Set(tellingServices))
      const of = (name: string) => workers.find(({ worker }) => worker === name)
      expect(of('followSignals')).toMatchObject({ service: 'gallery', mode: 'live' })
      expect(of('sendAlerts')).toMatchObject({ service: 'mandates', mode: 'dry' })
      expect(workers.filter(({ state }) => state === 'late')).toEqual([])
    },
    { timeoutMs: 90_000, everyMs: 500 },
  )
})
