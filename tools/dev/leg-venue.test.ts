import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataFolder, openSecrets, type DataFolder } from '@svc/servers'
import { eventually } from '@svc/testing'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DevWallets } from './dev-wallets.ts'
import { openLegVenue, VENUE_TOKEN, venueIsOpen } from './leg-venue.ts'

const root = HDKey.fromMasterSeed(new Uint8Array(64).fill(7))
const wallet = (addressIndex: number) => hdKeyToAccount(root, { addressIndex })
const wallets: DevWallets = {
  admin: wallet(0),
  keeper: wallet(1),
  operator: wallet(2),
  builder: wallet(6),
  funder: wallet(7),
  demo: [wallet(3), wallet(4), wallet(5)],
}
const [owner] = wallets.demo

let folder: DataFolder
beforeEach(() => void (folder = openDataFolder(mkdtempSync(join(tmpdir(), 'svc-leg-venue-')))))
afterEach(() => {
  folder.release()
  rmSync(folder.path, { recursive: true, force: true })
})

const start = (chain: { wallets: DevWallets } | null = { wallets }) => openLegVenue(folder, openSecrets(folder), chain)
const post = async (url: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  // Tests read any member of an answer.
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: answer.status, body: (await answer.json().catch(() => null)) as any }
}
const valueOf = async (url: string, user: string) =>
  (await post(`${url}/info`, { type: 'clearinghouseState', user })).body['marginSummary']['accountValue']

test('the local venue keeps accounts and prices between starts, and funds a demo wallet once', async () => {
  const first = await start()
  expect(await valueOf(first.url, owner.address)).toBe('1000')
  expect(Number(await valueOf(first.url, wallets.operator.address))).toBeGreaterThanOrEqual(100_000)
  // The venue pays no fee to a builder with less than 100 USDC.
  expect(Number(await valueOf(first.url, wallets.builder.address))).toBeGreaterThanOrEqual(100)
  expect(first.environment['SVC_BUILDER_ADDRESS']).toBe(wallets.builder.address)
  const token = openSecrets(folder).password(VENUE_TOKEN)
  expect((await post(`${first.url}/_rig/mark`, { coin: 'BTC', price: '61234' })).status).toBe(401)
  const command = (name: string, body: object) => post(`${first.url}/_rig/${name}`, body, { 'x-rig-token': token })
  expect((await command('mark', { coin: 'BTC', price: '61234' })).status).toBe(200)
  expect((await command('fund', { address: owner.address, amount: '0.5' })).status).toBe(200)
  // Written without a stop, for a process that is killed.
  await eventually(async () => expect(readFileSync(folder.file('venue.json'), 'utf8')).toContain('61234'))
  await first.stop()
  const again = await start()
  expect(await valueOf(again.url, owner.address)).toBe('1000.5')
  expect((await post(`${again.url}/info`, { type: 'allMids' })).body['BTC']).toBe('61234')
  expect(again.environment['HUB_HL_LEG_SEED']).toBe(first.environment['HUB_HL_LEG_SEED'])
  await again.stop()
})

test('services get a valid seed and the rig; without a local chain the pool and its switches are left out', async () => {
  const venue = await start(null)
  expect(venue.environment).toMatchObject({
    HUB_HL_INFO_URL: `${venue.url}/info`,
    HUB_HL_EXCHANGE_URL: `${venue.url}/exchange`,
    HUB_HL_LEG_ENABLED: '1',
    HUB_HL_LEG_SEED: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(Object.keys(venue.environment).join()).not.toMatch(/POOL|FUNDING|MOVER|BUILDER|LIVE_TRADING/)
  await venue.stop()
})

test('a state file of another version ends the start in one sentence', async () => {
  writeFileSync(folder.file('venue.json'), '{"format":0}')
  await expect(start()).rejects.toThrow(/venue\.json is of another version: remove .+\.$/)
})

test('a setting that chooses another venue, network, seed or pool leaves the rig out', () => {
  expect(venueIsOpen({ HUB_HL_SLIPPAGE_PCT: '0.02' })).toBe(true)
  for (const name of ['HUB_HL_INFO_URL', 'HUB_HL_NETWORK', 'HUB_HL_LEG_ENABLED', 'HUB_HL_LEG_SEED_FILE'])
    expect(venueIsOpen({ [name]: '1' })).toBe(false)
})
