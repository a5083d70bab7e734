import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contracts } from '@svc/contracts/all'
import { venueFiles } from '@svc/contracts/market-data/venues'
import { openPool, sql } from '@svc/postgres'
import { startReplayExchange } from '@svc/replay-exchange'
import { contractsWithVenues, eventually, inherited, opened, testStack } from '@svc/testing'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '../../../..')
const folder = mkdtempSync(join(tmpdir(), 'new-venue-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stack = opened(() => testStack(contracts, ['market-data']))
const exchange = opened(() => startReplayExchange({ tokens: 30, venues: ['gate'], limits: false }))
const pool = opened(() => openPool(stack.databaseOf('market-data').superuserUrl))

it('a new venue is a file: with its file alone a made-up venue is listed, observed with its books, and on the board', async () => {
  const gate = readFileSync(join(root, 'packages/contracts/src/market-data/venues/gate.ts'), 'utf8')
  const hook = contractsWithVenues(folder, { newvenue: gate })
  const child = fork(join(root, 'services/market-data/src/main.ts'), [], {
    execArgv: ['--import', hook],
    env: {
      ...inherited(),
      ...stack.environmentOf('market-data', {
        MARKET_VENUES: 'newvenue',
        MARKET_VENUE_BASE_URL_NEWVENUE: exchange.venueUrl('gate'),
        MARKET_LOCAL_BUDGET_FACTOR: '1000',
      }),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    const seen = pool.oneFirst.bind(
      pool,
      sql.type(z.object({ all: z.boolean() }))`
        SELECT EXISTS (SELECT FROM market_data.observation, unnest(depth_2pct_usd) AS depth WHERE exchange = 'newvenue' AND depth > 0)
          AND EXISTS (SELECT FROM market_data.board_snapshot WHERE tokens > 0) AS all`,
    )
    await eventually(() => seen(), { everyMs: 200 })
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
})

/** Sources without comments and without texts for people. */
const codeOf = (path: string) =>
  readFileSync(path, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replaceAll(/"[^"\n]*"|`[^`]*`/g, '')

it('no other source of the service or of its contract names a venue', () => {
  const ids = [...venueFiles.keys()].join('|')
  const named = new RegExp(`'(${ids})'|\\b(${ids}):`)
  const sources = ['services/market-data/src', 'packages/contracts/src/market-data'].flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .filter(
        (path) =>
          /^(?!venues\/\w+\.ts$).*(?<!\.test)\.ts$/.test(path) || /^venues\/rules\/(?!.*\.test\.ts$)/.test(path),
      )
      .map((path) => join(root, place, path)),
  )
  expect(sources.length).toBeGreaterThan(100)
  const naming = sources
    // Names of networks of assets, one of which a venue shares.
    .filter((path) => !/\/curated-\w+\.ts$/.test(path))
    .filter((path) => named.test(codeOf(path)))
  expect(naming).toEqual([])
})
