import { randomBytes } from 'node:crypto'
import type { Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { opened } from '@svc/testing'
import { expectFires } from '@svc/testing/alerts'
import { test } from 'vitest'
import { NOWHERE } from './occurrences.ts'
import { alertStack, firstScrape } from './rig.ts'

const stack = opened(alertStack)

/** What services need to start, beside their servers. */
const NEEDED: Environment = {
  ...NOWHERE,
  SVC_PORT: '0',
  SVC_SESSION_SIGNING_KEY: randomBytes(32).toString('base64url'),
  SVC_KEEPER_CLIENT_SECRET: randomBytes(32).toString('base64url'),
}

test('ServiceMissing fires when the process of one service is gone, and is silent while each has one', async () => {
  const all = new Map<string, string>()
  let gone = new Map(all)
  for (const { name } of contracts) {
    gone = new Map(all)
    for (const one of (await firstScrape(stack, name, NEEDED)).series) all.set(...one)
  }
  const at = (series: ReadonlyMap<string, string>) => [{ atMs: Date.now(), series }]
  await expectFires('ServiceMissing', { before: at(all), after: at(gone) })
})
