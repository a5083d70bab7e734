import { openChain } from '@svc/chain'
import { loadSettings } from '@svc/contract'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer/settings'
import { opened } from '@svc/testing'
import { beforeEach, expect, test } from 'vitest'
import { jobs } from '#jobs.ts'
import { findCursor } from '#streams/store/cursors.ts'
import { chainRig, consumed, emptied, environmentOf, indexerOf, storedFacts, storedVaults, USDC } from '../rig.ts'

const chain = opened(() => chainRig())
const indexer = opened(() => indexerOf(chain))
const fresh = opened(() => indexerOf(chain))
beforeEach(async () => {
  await emptied(indexer)
  await emptied(fresh)
  chain.proxy.forget()
})

/** A run of the sweep as it was before the second factory was configured, or with another one. */
function runWithV2(address: string) {
  const settings = loadSettings(
    chainIndexerSettings,
    environmentOf(chain, { HUB_MANDATE_FACTORY_V2_ADDRESS: address, HUB_VAULT_EVENTS_MAX_BLOCKS_PER_TICK: '1000' }),
  )
  const context = { ...indexer.context, settings, chain: openChain(settings) }
  return jobs.vaultEvents(context)(AbortSignal.timeout(600_000))
}
const few = { vaultEventsMaxBlocksPerTick: 12, vaultEventsMaxSpan: 8 }
const named = async (vault: string) => (await storedFacts(indexer.pool)).filter((fact) => fact.vault === vault)

test('vaults of a factory that is configured later are found in passed blocks while the stream continues, even across a reorganisation', async () => {
  const known = await chain.createVault('known')
  await chain.anvil.mine(10)
  const late = await chain.createVault('late', { legBudget: 10n * USDC })
  await chain.deposit(late, 30n * USDC)
  await chain.anvil.mine(25)
  await runWithV2('')
  expect(await named(late)).toEqual([])

  await chain.deposit(late, 5n * USDC)
  await chain.deposit(known, USDC)
  for (let turn = 0; turn < 3; turn++) {
    await indexer.run('vaultEvents', few)
    // What has not come to the position yet is compared with nothing.
    await indexer.run('vaultPoll')
    await indexer.run('reverts')
  }
  expect((await named(known)).map(({ name }) => name)).toEqual(['VaultCreated', 'Deposited'])
  expect((await named(late)).length).toBeLessThan(3)
  await chain.anvil.reorg(3)
  await chain.anvil.mine(30)
  await chain.deposit(late, 7n * USDC)
  for (let turn = 0; turn < 8; turn++) await indexer.run('vaultEvents', few)
  expect((await named(late)).map(({ name }) => name)).toEqual(['VaultCreated', 'Deposited', 'Deposited'])

  await fresh.run('vaultEvents')
  expect(await storedFacts(indexer.pool)).toEqual(await storedFacts(fresh.pool))
  expect(await storedVaults(indexer.pool)).toEqual(await storedVaults(fresh.pool))
  await indexer.run('vaultPoll')
  const heard = await indexer.heard()
  expect(heard.map(({ subject }) => subject)).not.toContain('vaultDiffers')
  expect(consumed(heard).size).toBe((await storedFacts(indexer.pool)).length)
  expect(await findCursor(indexer.pool, chain.chainId, 'vault_events')).toMatchObject({
    next_block: (await chain.head()) + 1,
  })
})

test('passed blocks are not read again for a factory that did not exist in them', async () => {
  await runWithV2('')
  await chain.anvil.mine(1)
  chain.proxy.forget()
  await runWithV2('0x00000000000000000000000000000000000000aa')
  expect(chain.proxy.seen('eth_getLogs').map(({ span }) => span)).toEqual([1])
  chain.proxy.forget()
  await chain.anvil.mine(1)
  await runWithV2('0x00000000000000000000000000000000000000aa')
  expect(chain.proxy.seen('eth_getCode')).toEqual([])
})
