import { setTimeout as pause } from 'node:timers/promises'
import { read } from '@svc/chain'
import { sql } from '@svc/postgres'
import { openLog } from '@svc/service'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { start } from '#main.ts'
import { chainRig, environmentOf, startRig, USDC, wallets, type ChainRig } from '../rig.ts'

const earlier = opened(() => chainRig())
const chain = opened(() => anotherChain())
const rig = opened(() => startRig(earlier))

const firstBlock = async ({ anvil }: ChainRig) =>
  (await anvil.request<{ hash: string }>('eth_getBlockByNumber', ['0x1', false])).hash

/** A chain that began in another second: of the same one every block would be the same. */
async function anotherChain(): Promise<ChainRig> {
  for (let tries = 0; tries < 5; tries++) {
    await pause(500)
    const made = await chainRig()
    if ((await firstBlock(made)) !== (await firstBlock(earlier))) return made
    await made.stop()
  }
  throw new Error('five chains began in the same second')
}

const transactions = () =>
  rig.pool.any(sql.type(z.object({ nonce: z.number().nullable(), outcome: z.string().nullable() }))`
    SELECT nonce, outcome FROM transaction ORDER BY id`)

/** Starts the service on a chain, as after a restart; its jobs are then run by hand. */
async function startOn(which: ChainRig): Promise<void> {
  const jobsRest = { HUB_KEEPER_MARK_SEC: '86400' }
  const running = await start(
    { ...rig.stack.environmentOf('keeper'), ...environmentOf(which, jobsRest) },
    { clock: rig.clock, log: openLog('keeper', 'silent') },
  )
  await running.stop()
}

test('vaults on a recreated local chain get their marks: transactions of the earlier chain end as lost', async () => {
  await startOn(earlier)
  for (let vaults = 0; vaults < 2; vaults++) rig.follow(await earlier.vault(400n * USDC))
  await rig.run('mark')
  await rig.run('send')
  await rig.run('send')
  rig.follow(await earlier.vault(400n * USDC))
  await rig.run('mark')
  const heal = earlier.proxy.inject({ kind: 'dropped', methods: ['eth_sendRawTransaction'] })
  await expect(rig.run('send')).rejects.toThrow('eth_sendRawTransaction')
  heal()
  const before = await transactions()
  expect(before).toEqual([
    { nonce: 0, outcome: 'done' },
    { nonce: 1, outcome: 'done' },
    { nonce: 2, outcome: null },
  ])

  await startOn(earlier)
  expect(await transactions()).toEqual(before)

  await startOn(chain)
  expect(await transactions()).toEqual([
    { nonce: null, outcome: 'done' },
    { nonce: null, outcome: 'done' },
    { nonce: null, outcome: 'lost' },
  ])
  rig.neighbours.followed.clear()
  rig.neighbours.rows.length = 0
  const vault = await chain.vault(400n * USDC)
  rig.follow(vault)
  // The neighbours answer for both chains.
  for (const [address, row] of chain.rows) earlier.rows.set(address, row)
  const here = { rpcUrl: chain.proxy.url }
  await rig.run('mark', here)
  await rig.run('send', here)
  await rig.run('send', here)
  expect((await transactions()).slice(3)).toEqual([{ nonce: 0, outcome: 'done' }])
  expect(await read(chain.chain).vault(vault.address).lastWorth()).toBe(400n * USDC)
  expect(await chain.chain.client.getTransactionCount({ address: wallets.keeper.address })).toBe(1)

  await startOn(chain)
  expect((await transactions()).slice(3)).toEqual([{ nonce: 0, outcome: 'done' }])
})
