import { FakeClock, opened } from '@svc/testing'
import { startVenueRig } from '@svc/venue-rig'
import { expect, test } from 'vitest'
import { keepAnswers } from '#cache/venue-answers.ts'
import { openVenueClient } from '@svc/venue/venue-client'

const LONG_AGO = '2026-11-20T15:00:00.000Z'
const rig = opened(async () => {
  const clock = new FakeClock(LONG_AGO)
  const venue = await startVenueRig()
  const urls = { infoUrl: `${venue.url}/info`, exchangeUrl: `${venue.url}/exchange` }
  const client = openVenueClient({ spend: async () => null, add: async () => {} }, { network: 'testnet', ...urls })
  const stop = async () => {
    await client.close()
    await venue.close()
  }
  return { clock, venue, answers: keepAnswers({ venue: client, clock }), stop }
})

test('copies are bounded: the account that nobody asked for longest is forgotten, and no market with it', async () => {
  const terms = { by: 'visitors', maxAgeMs: 10_000 } as const
  const asked = (type: string) => (rig.venue.control('counts') as Record<string, number>)[`info ${type}`] ?? 0
  const read = (n: number) => rig.answers.ask(terms, 'userFees', { user: `0x${n.toString(16).padStart(40, '0')}` })
  await rig.answers.ask({ ...terms, by: 'relays' }, 'metaAndAssetCtxs')
  await read(0)
  for (let n = 1; n <= 500; n += 50) await Promise.all(Array.from({ length: 50 }, (_, k) => read(n + k)))
  await read(500)
  expect(asked('userFees')).toBe(501)
  await read(0)
  await rig.answers.ask({ ...terms, by: 'relays' }, 'metaAndAssetCtxs')
  expect([asked('userFees'), asked('metaAndAssetCtxs')]).toEqual([502, 1])
})
