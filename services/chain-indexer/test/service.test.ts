import { prepare } from '@svc/chain'
import { contract } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { openPool } from '@svc/postgres'
import { clientOf, RemoteRefusal, startService, type Bus, type Reaction, type RunningService } from '@svc/service'
import { eventually, opened, testStack } from '@svc/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { start } from '#main.ts'
import { chainRig, consumed, environmentOf, storedFacts, USDC, vaultCalls, wallets, type Heard } from './rig.ts'

/** Asks, and hears every event, as keeper may. */
const listener = contract('keeper', {
  title: 'Listener',
  operations: {},
  consumes: Object.keys(chainIndexer.events).map((event) => `chain-indexer.${event}`),
})

/** Asks for legs of vaults. */
const legAsker = contract('hl-leg', { title: 'Asker', operations: {} })

let service: RunningService
let listening: RunningService
let bus: Bus
let legBus: Bus
let vault: `0x${string}`
const heard: Heard[] = []

const chain = opened(() => chainRig())
const stack = opened(() => testStack([chainIndexer, listener, legAsker]))
beforeAll(async () => {
  vault = await chain.createVault('service')
  await chain.deposit(vault, 200n * USDC)
  const reactions = Object.fromEntries(
    listener.consumes.map((name): [string, Reaction<Record<string, unknown>>] => [
      name,
      {
        apply: async (_tx, { payload }) => {
          heard.push({ subject: name.replace('chain-indexer.', ''), payload })
        },
      },
    ]),
  )
  listening = await startService(listener, [chainIndexer], stack.environmentOf('keeper'), () => ({
    handlers: {},
    reactions: reactions as never,
  }))
  service = await start(stack.environmentOf('chain-indexer', environment()))
  bus = await stack.nats.connect('keeper')
  legBus = await stack.nats.connect('hl-leg')
})
afterAll(async () => {
  await bus.close()
  await legBus.close()
  await service.stop()
  await listening.stop()
})

const environment = () =>
  environmentOf(chain, { HUB_VAULT_EVENTS_SEC: '1', HUB_POLL_SECONDS: '1', HUB_VAULT_POLL_SEC: '1' })
const ask = () => clientOf(bus, 'keeper', chainIndexer)
const hears = (subject: string, matching: Record<string, unknown> = {}) =>
  eventually(() => {
    const found = heard.find(
      (one) => one.subject === subject && Object.entries(matching).every(([key, value]) => one.payload[key] === value),
    )
    return found?.payload ?? false
  })
const refusalOf = async (call: Promise<unknown>) => {
  const error: unknown = await call.then(
    () => null,
    (caught: unknown) => caught,
  )
  return error instanceof RemoteRefusal ? [error.status, error.body.code] : error
}

test('the published facts are the stored facts, each exactly once', async () => {
  const { hash } = await chain.buy(vault, 20n * USDC)
  await hears('vaultEventSeen', { tx_hash: hash })
  await hears('vaultPolled', { vault })
  await hears('vaultCreated', { vault })
  const pool = await openPool(stack.databaseOf('chain-indexer').url)
  const stored = await storedFacts(pool)
  await pool.end()
  await eventually(() => consumed(heard).size === stored.length)
  const told = [...consumed(heard).keys()]
  expect(told.toSorted()).toEqual(stored.map((fact) => `${fact.tx_hash}:${fact.log_ordinal}`).toSorted())
  expect(heard.filter(({ subject }) => subject === 'vaultCreated')).toHaveLength(1)
})

test('readHead returns the head and the position of each stream', async () => {
  const head = await ask().readHead({})
  expect(head).toMatchObject({ chain_id: 31_337, safe_head: head.head, addresses: { usdc: chain.at('usdc') } })
  expect(head.streams.map(({ stream, stopped }) => [stream, stopped])).toContainEqual(['vault_events', null])
})

test('readBlockHash returns the hash of a block, and null beyond the head', async () => {
  const { head, head_hash } = await ask().readHead({})
  expect(await ask().readBlockHash({ block_number: head })).toEqual({ block_hash: head_hash })
  expect(await ask().readBlockHash({ block_number: head + 1_000 })).toEqual({ block_hash: null })
})

describe('readTransaction returns', () => {
  test('the events of our contracts with the ordinals of the facts', async () => {
    const { hash } = await chain.buy(vault, 10n * USDC)
    const read = await ask().readTransaction({ tx_hash: hash.toUpperCase().replace('0X', '0x') })
    expect(read).toMatchObject({
      state: 'mined',
      status: 'success',
      from: wallets.agent.address,
      to: vault,
      confirmed: true,
      attempt: null,
      logs: [{ log_ordinal: 0, vault, name: 'Executed', args: { spent: '10000000' }, created: null }],
    })
    expect(read.transfers).toContainEqual({ from: vault, to: chain.at('venue'), amount: '10000000' })
  })

  test('the creation of a vault that the sweep has not reached', async () => {
    const created = await chain.createVault('fresh')
    const { hash } = await chain.deposit(created, USDC)
    const read = await ask().readTransaction({ tx_hash: hash })
    expect(read.logs).toMatchObject([{ log_ordinal: 0, vault: created, name: 'Deposited' }])
    const creation = (await hears('vaultCreated', { vault: created })) as Record<string, unknown>
    expect((await ask().readTransaction({ tx_hash: String(creation['tx_hash']) })).logs).toMatchObject([
      { name: 'VaultCreated', vault: created, created: { version: 1, terms: { budget: '500000000' } } },
    ])
  })

  test('a refused call with its reason', async () => {
    const { hash } = await chain.buy(vault, 60n * USDC)
    expect(await ask().readTransaction({ tx_hash: hash })).toMatchObject({
      status: 'reverted',
      logs: [],
      attempt: { outcome: 'refusal', kind: 'OverPerTxCap', vault, agent: wallets.agent.address },
    })
    expect(await hears('attemptReverted', { tx_hash: hash })).toMatchObject({ kind: 'OverPerTxCap' })
  })

  test('pending for a transaction that is not mined, unknown for one that the RPC does not know', async () => {
    await chain.anvil.request('evm_setAutomine', [false])
    try {
      const raw = await chain.sign(wallets.owner, vaultCalls.of(vault).deposit({ amount: USDC }))
      const tx_hash = await chain.anvil.request<string>('eth_sendRawTransaction', [raw])
      expect(await ask().readTransaction({ tx_hash })).toMatchObject({ state: 'pending', to: vault, status: null })
    } finally {
      await chain.anvil.request('evm_setAutomine', [true])
      await chain.anvil.mine(1)
    }
    expect(await ask().readTransaction({ tx_hash: `0x${'ab'.repeat(32)}` })).toMatchObject({
      state: 'unknown',
      from: null,
    })
  })

  test('no events for a transaction of other contracts', async () => {
    const { hash } = await chain.send(
      wallets.stranger,
      prepare(31_337).usdc(chain.at('usdc')).transfer({ to: wallets.operator.address, value: USDC }),
    )
    expect(await ask().readTransaction({ tx_hash: hash })).toMatchObject({ state: 'mined', logs: [], attempt: null })
  })

  test('an outage for a false receipt', async () => {
    const { hash } = await chain.buy(vault, USDC)
    const off = chain.proxy.inject({ kind: 'receipt-missing' })
    await expect(ask().readTransaction({ tx_hash: hash })).rejects.toMatchObject({ name: 'Outage' })
    off()
  })
})

test('readVault returns the stored books and the views of a vault; readVaults filters by owner, mandate and address', async () => {
  await hears('vaultCreated', { vault })
  const read = await ask().readVault({ vault: vault.toLowerCase() })
  expect(read).toMatchObject({
    vault: { vault, differs: [], canonical: true },
    live: { phase: 0, withdraw_lock: { reason: 1 } },
  })
  const { owner, mandate_id_hash } = read.vault
  expect((await ask().readVaults({ owner, mandate_id_hash, vaults: [vault] })).vaults.map((one) => one.vault)).toEqual([
    vault,
  ])
  expect((await ask().readVaults({ owner: wallets.stranger.address })).vaults).toEqual([])
  const first = await ask().readVaults({ limit: 1 })
  const rest = await ask().readVaults({ after: first.vaults[0]?.vault })
  expect([...first.vaults, ...rest.vaults].map((one) => one.vault)).toContain(vault)
  expect(await refusalOf(ask().readVault({ vault: wallets.stranger.address }))).toEqual([404, 'unknown_vault'])
  // A vault of the first version has no leg.
  const leg = clientOf(legBus, 'hl-leg', chainIndexer)
  for (const one of [vault, wallets.stranger.address])
    expect(await refusalOf(leg.readVaultLeg({ vault: one }))).toEqual([404, 'unknown_vault'])
})

test('simulateCall returns the data of a call or its revert, and runs creation code', async () => {
  const view = vaultCalls.of(vault).execute(vaultCalls.buy(chain.at('venue'), 60n * USDC))
  expect(await ask().simulateCall({ to: vault, from: wallets.agent.address, data: view.data })).toMatchObject({
    ok: false,
    revert: { name: 'OverPerTxCap', refusal_kind: 'OverPerTxCap', args: { asked: '60000000', cap: '50000000' } },
  })
  const phase = await ask().simulateCall({ to: vault, data: '0xb1c9fe6e' })
  expect(phase).toEqual({ ok: true, data: `0x${'0'.repeat(64)}`, revert: null })
  // PUSH1 7, MSTORE at 0, RETURN 32 bytes.
  expect(await ask().simulateCall({ data: '0x600760005260206000f3' })).toMatchObject({
    ok: true,
    data: `0x${'7'.padStart(64, '0')}`,
  })
  // GAS, MSTORE at 0, RETURN 32 bytes: what a stranger's contract may burn is bounded here, not by the RPC.
  const given = await ask().simulateCall({ data: '0x5a60005260206000f3' })
  expect(Number(given.data)).toBeLessThan(10_000_000)
  expect(Number(given.data)).toBeGreaterThan(9_000_000)
})

test('watchAddress and watchTransaction may be repeated without effect', async () => {
  for (let twice = 0; twice < 2; twice++)
    expect(await ask().watchAddress({ address: wallets.operator.address, kind: 'agent_wallet' })).toEqual({ ok: true })
  await eventually(async () => (await ask().readHead({})).streams.some(({ stream }) => stream === 'deposits'))
  const { hash } = await chain.send(
    wallets.stranger,
    prepare(31_337)
      .usdc(chain.at('usdc'))
      .transfer({ to: wallets.operator.address, value: 3n * USDC }),
  )
  expect(await ask().watchTransaction({ tx_hash: hash })).toEqual({ ok: true })
  expect(await hears('transactionConfirmed', { tx_hash: hash })).toMatchObject({ status: 'success', canonical: true })
  expect(await hears('depositConfirmed', { tx_hash: hash })).toMatchObject({ amount: '3000000', revision: 2 })
})

test('while the RPC is unavailable every read is an outage whose text contains no part of its address', async () => {
  const off = chain.proxy.inject({ kind: 'http-status', status: 401 })
  const error: unknown = await ask()
    .readHead({})
    .catch((caught: unknown) => caught)
  off()
  expect(error).toMatchObject({ name: 'Outage' })
  expect(String(error)).not.toContain(new URL(chain.proxy.url).port)
})

test('without an RPC every operation refuses, and the jobs do nothing', async () => {
  const bare = await start({ ...stack.environmentOf('chain-indexer') })
  await service.stop()
  try {
    const hash = `0x${'ab'.repeat(32)}`
    const asked = [
      ask().readHead({}),
      ask().readBlockHash({ block_number: 1 }),
      ask().readTransaction({ tx_hash: hash }),
      ask().watchTransaction({ tx_hash: hash }),
      ask().watchAddress({ address: vault, kind: 'vault' }),
      ask().readVault({ vault }),
      ask().readVaults({}),
      clientOf(legBus, 'hl-leg', chainIndexer).readVaultLeg({ vault }),
      ask().simulateCall({ data: '0x00' }),
    ]
    const refusals = await Promise.all(asked.map((answer) => refusalOf(answer)))
    expect(refusals).toEqual(asked.map(() => [409, 'chain_not_configured']))
  } finally {
    await bare.stop()
    service = await start(stack.environmentOf('chain-indexer', environment()))
  }
})

test('only the declared services may call the operations', async () => {
  const stranger = await stack.nats.connect('chain-indexer')
  await expect(
    clientOf(stranger, 'chain-indexer', chainIndexer).readHead({}, { deadline: Date.now() + 500 }),
  ).rejects.toThrow()
  await stranger.close()
})
