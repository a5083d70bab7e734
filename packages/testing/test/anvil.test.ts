import { createPublicClient, http } from 'viem'
import { opened } from '../src/opened.ts'
import { expect, test } from 'vitest'
import { disposableAnvil } from '../src/index.ts'
import { deployEmitter, send } from './chain.ts'

const anvil = opened(() => disposableAnvil())

const client = () => createPublicClient({ transport: http(anvil.url, { retryCount: 0 }), cacheTime: 0 })

test('a disposable chain has an id that is no public chain, and money in its test accounts', async () => {
  expect(await client().getChainId()).toBe(31337)
  expect(await client().getBalance({ address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' })).toBe(
    10_000n * 10n ** 18n,
  )
})

test('time moves on by what is asked for, and blocks keep their distance', async () => {
  const before = await anvil.now()
  await anvil.travel(86_400)
  expect((await anvil.now()) - before).toBeGreaterThanOrEqual(86_400)
  expect((await anvil.now()) - before).toBeLessThan(86_410)
  const [number, time] = [await client().getBlockNumber(), await anvil.now()]
  await anvil.mine(600, 2)
  expect(await client().getBlockNumber()).toBe(number + 600n)
  expect((await anvil.now()) - time).toBeGreaterThanOrEqual(1_198)
})

test('a snapshot brings the chain back, and state of old blocks can be read', async () => {
  const emitter = await deployEmitter(anvil)
  const deployed = await client().getBlockNumber()
  const back = await anvil.snapshot()
  await send(anvil, { to: emitter })
  await back()
  expect(await client().getBlockNumber()).toBe(deployed)
  expect(await client().getCode({ address: emitter, blockNumber: deployed - 1n })).toBeUndefined()
  expect(await client().getCode({ address: emitter, blockNumber: deployed })).toBe('0x600160006000a100')
})

test('a reorg takes the transactions of the replaced blocks away and keeps the others', async () => {
  const emitter = await deployEmitter(anvil)
  const kept = await send(anvil, { to: emitter })
  const lost = await send(anvil, { to: emitter })
  await anvil.reorg(1)
  expect((await client().getTransactionReceipt({ hash: kept })).status).toBe('success')
  await expect(client().getTransactionReceipt({ hash: lost })).rejects.toThrow(/could not be found/)
})

test('what the node refuses is an error with its words', async () => {
  await expect(anvil.request('anvil_reorg', [1_000_000, []])).rejects.toThrow(/^anvil_reorg: .*reorg/i)
  await expect(anvil.request('no_such_method')).rejects.toThrow(/^no_such_method: /)
})
