import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare, read } from '@svc/chain'
import type { AssetPrices } from '@svc/replay-exchange'
import { openDataFolder, type DataFolder } from '@svc/servers'
import { disposableAnvil, type DisposableAnvil } from '@svc/testing'
import { stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareChain, type LocalChain } from './chain.ts'
import { send } from './send-call.ts'
import { follow } from './venue-prices.ts'

const USDC = 1_000_000n
let anvil: DisposableAnvil
let folder: DataFolder
let local: LocalChain
const prices: AssetPrices = { priceUsd: () => 91_234.5, fundingHour: () => 0 }

beforeAll(async () => {
  anvil = await disposableAnvil()
  folder = openDataFolder(mkdtempSync(join(tmpdir(), 'svc-venue-prices-')))
  local = await prepareChain(anvil.url, folder, prices)
})
afterAll(async () => {
  await anvil.stop()
  folder.release()
  rmSync(folder.path, { recursive: true, force: true })
})

const m = stringToHex('BTC', { size: 32 })
const venueOf = () => ({ ...local, admin: local.wallets.admin })
const priceNow = async () =>
  (await read(local.chain).venue(local.deployment.contracts.venue.address).markets({ arg0: m }))[0]
const headNow = async () => Number(await anvil.request('eth_blockNumber'))
const to = (price: bigint) => follow(venueOf(), folder, { name: 'BTC', price })

test('a market opens at the price of the source, and moves with a block for each half per cent only', async () => {
  expect(await priceNow()).toBe(91_234_500_000n)
  const head = await headNow()
  expect(await to(91_600n * USDC)).toBe(false)
  expect(await headNow()).toBe(head)
  expect(await to(91_700n * USDC)).toBe(true)
  expect(await priceNow()).toBe(91_700n * USDC)
  expect(await headNow()).toBe(head + 1)
})

test('a price that somebody else set stays, also after a new start', async () => {
  const { venue } = local.deployment.contracts
  const call = prepare(local.chain.id)
    .venue(venue.address)
    .setPrice({ m, price: 50n * USDC })
  await send(local.chain, local.url, local.wallets.admin, call)
  expect(await to(95_000n * USDC)).toBe(false)
  local = await prepareChain(anvil.url, folder, prices)
  expect(await to(96_000n * USDC)).toBe(false)
  expect(await priceNow()).toBe(50n * USDC)
})
