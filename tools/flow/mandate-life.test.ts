import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { read, type Chain } from '@svc/chain'
import { eventually, opened } from '@svc/testing'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mandateDay, type PlayedMandate } from '../demo/mandate/mandate-day.ts'
import { createWalk } from '../demo/walk.ts'
import { openStage } from '../demo/chain-stage.ts'
import { awayFromMidnight, giveGas, takeFromFaucet } from '../demo/people.ts'
import { prepareExamples } from '../sdk/examples.ts'
import { preparePython } from '../sdk/python-examples.ts'
import { compareWithChain } from '../verify-record/on-chain.ts'
import { verifyRecord, type Entry, type VerifiedRecord } from '../verify-record/verify.ts'
import { agentWalkSuite } from './agent-walk.suite.ts'
import { ask } from './client.ts'
import { startWorld } from './contract/world.ts'
import { newDataFolder } from './data-folder.ts'
import { mandateToolsSuite } from './mandate-tools.suite.ts'
import { registerAgent } from './people.ts'

const folder = newDataFolder('mandate-life')
const world = opened(() =>
  startWorld({ HUB_DOOR_ENABLED: '1', HUB_LEG_MOVER_SEC: '1', HUB_HL_SLIPPAGE_PCT: '0.2' }, { chain: true, leg: true }),
)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

async function play(): Promise<PlayedMandate> {
  const { chain: local } = world.platform
  if (local === null) throw new Error('the world has no chain')
  const stage = openStage(local, createWalk(world.url))
  return mandateDay(stage, local.wallets, await registerAgent(world.url, 'trader'), folder)
}

/** Each play takes ten seconds, so only the long run plays twice. */
const RUNS = process.env['TEST_LONG'] === '1' ? 2 : 1

test('a mandate goes as the documents say, from a purpose note to the verified record', async () => {
  const played: PlayedMandate[] = []
  for (let run = 0; run < RUNS; run += 1) played.push(await play())
  expect(new Set(played.map(({ vault }) => vault)).size).toBe(RUNS)
  const { chain: local } = world.platform
  if (local === null) throw new Error('the world has no chain')
  const usdc = read(local.chain).usdc(local.deployment.contracts.usdc.address)
  for (const { publicId, vault, withdrawn, folder: kept } of played) {
    expect(await usdc.balanceOf({ account: vault })).toBe(0n)
    // 40 USDC bought at 100, sold at 125: a profit that fees and spread do not eat up.
    expect(withdrawn).toBeGreaterThan(405_000_000n)
    const record = verifyRecord([readFileSync(join(kept, 'record.ndjson'), 'utf8')], null)
    const { head, entries } = record
    await mustFindForgeries(record, local.chain)
    expect(head.mandate).toBe(publicId)
    const kinds = new Set(entries.map(({ kind }) => kind))
    for (const kind of ['corrected', 'accepted', 'vault_attached', 'approval_used', 'refused', 'state_changed'])
      expect(kinds).toContain(kind)
    const causes = entries.flatMap(({ kind, body }) => (kind === 'state_changed' ? [body['cause']] : []))
    expect(causes).toEqual([
      'terms_signed',
      'vault_funded',
      'agent_removed',
      'agent_restored',
      'stopped_in_record',
      'settled_and_withdrawn',
    ])
    expect(readFileSync(join(kept, 'statement.pdf')).subarray(-6).toString('latin1')).toContain('%%EOF')
  }
})

/** Changes to logged facts by an attacker who rechains the record, for which the service's key is needed. */
const forgeries: readonly (readonly [string, (entry: Entry) => readonly Entry[]])[] = [
  ['Deposited of transaction', (entry) => (entry.body['name'] === 'Deposited' ? [] : [entry])],
  // One of two events of a transaction.
  ['AgentSet of transaction', (entry) => (entry.body['log_ordinal'] === 1 ? [] : [entry])],
  ['Executed of transaction', (entry) => (entry.body['name'] === 'Executed' ? [] : [entry])],
  ['logged no Unwound', changed('Unwound', { args: { received: '1' } })],
  ['is in another block', changed('Deposited', { block_hash: `0x${'00'.repeat(32)}` })],
  ['is in another block', changed('Deposited', { block_number: 1 })],
  ['has the time', changed('Deposited', { block_time: '2026-01-05T00:00:00.000Z' })],
  [
    'more often than the chain',
    (entry) => (isFact(entry, 'Stopped') ? [entry, withBody(entry, { log_ordinal: 7 })] : [entry]),
  ],
  [
    'is not in the chain',
    (entry) => [isFact(entry, 'Settled') ? { ...entry, tx_hash: `0x${'12'.repeat(32)}` } : entry],
  ],
  [
    'created no vault',
    (entry) => [entry.kind === 'vault_attached' ? withBody(entry, { factory: `0x${'12'.repeat(20)}` }) : entry],
  ],
  [
    'with other terms',
    (entry) => [entry.kind === 'vault_attached' ? withBody(entry, { terms_hash: `0x${'12'.repeat(32)}` }) : entry],
  ],
]
const isFact = (entry: Entry, name: string) => entry.kind === 'chain_fact' && entry.body['name'] === name
const withBody = (entry: Entry, body: object): Entry => ({ ...entry, body: { ...entry.body, ...body } })
function changed(name: string, body: object) {
  return (entry: Entry) => [isFact(entry, name) ? withBody(entry, body) : entry]
}

/** Fails unless the comparison with the chain finds and names each forgery of a record. */
async function mustFindForgeries({ head, entries }: VerifiedRecord, chain: Chain): Promise<void> {
  // The last action of the keeper may not be in the record yet.
  const { facts, refused } = await compareWithChain({ head, entries }, chain)
  expect(refused).toBe(2)
  expect(facts).toBeGreaterThanOrEqual(11)
  const at = (exported_at: string, forged: readonly Entry[], mandate = head.mandate) =>
    compareWithChain({ head: { ...head, mandate, exported_at }, entries: forged }, chain)
  // An hour later a missing fact can no longer be late.
  const later = new Date(Date.parse(head.exported_at) + 3_600_000).toISOString()
  for (const [found, forge] of forgeries) {
    const forged = entries.flatMap(forge)
    expect(forged).not.toEqual(entries)
    await expect(at(later, forged)).rejects.toThrow(found)
  }
  await expect(at(later, entries, `mdt_${'0'.repeat(32)}`)).rejects.toThrow('was created for another mandate')
  // The newest facts: no later entry shows that they are missing, only the time does.
  const last = Math.max(...entries.map(({ body }) => Number(body['block_number'] ?? 0)))
  const early = entries.filter(({ body }) => body['block_number'] !== last)
  const dropped = entries.flatMap(({ body }) => (body['block_number'] === last ? [body['name']] : []))
  // Until then the facts may only be too late for the export. This chain makes a block only for a transaction.
  await chain.request('anvil_mine', ['0x3'])
  const told = await eventually(async () => {
    const { newer } = await at(head.exported_at, early)
    if (newer.length === 0) throw new Error('its block is not deep enough yet')
    return newer
  })
  expect(told).toEqual(expect.arrayContaining(dropped))
  await expect(at(later, early)).rejects.toThrow(/in block \d+ is not in the record/)
  const traded = entries.find(({ kind, tx_hash }) => kind === 'event' && tx_hash !== null)
  if (traded === undefined) throw new Error('the agent reported no trade')
  const refusal = { ...traded, kind: 'refused', source: 'chain' }
  await expect(at(head.exported_at, entries.with(traded.seq - 1, refusal))).rejects.toThrow(
    'no call that the vault refused',
  )
}

test('the examples in the README of the SDK run as they stand, against its built package', async () => {
  const { chain: local } = world.platform
  if (local === null) throw new Error('the world has no chain')
  const examples = await prepareExamples()
  try {
    const stage = openStage(local, createWalk(world.url))
    const [ownerKey, agentKey] = [generatePrivateKey(), generatePrivateKey()]
    const people = [ownerKey, agentKey].map((key) => ({ name: 'reader', wallet: privateKeyToAccount(key) }))
    await giveGas(stage, local.wallets, people)
    for (const person of people.slice(0, 1)) await takeFromFaucet(stage, person)
    const agent = await registerAgent(world.url, 'reader', privateKeyToAccount(agentKey))
    const environment = {
      CHERRY_URL: world.url,
      CHERRY_KEY: agent.key,
      RPC_URL: local.url,
      OWNER_KEY: ownerKey,
      AGENT_KEY: agentKey,
      VENUE: local.deployment.contracts.venue.address,
    }
    expect(examples.names).toEqual(['register', 'session', 'refusal', 'vault', 'record'])
    expect(await examples.run('register', environment)).toBe('{ welcome_cherry: 10, balance: 10 }\n')
    expect(await examples.run('session', environment)).toBe('{ mandates: 0, renewed: true }\n')
    expect(await examples.run('refusal', environment)).toBe("{ code: 'insufficient_cherry', needed: 10000 }\n")
    const vault = await examples.run('vault', environment)
    for (const said of ["state: 'working'", "code: 'hub_mandate_refuses'", 'refused: [ 2 ]', "passes: '80'"])
      expect(vault).toContain(said)
    const [mandate = ''] = /mdt_[0-9a-f]{32}/.exec(vault) ?? []
    const record = await examples.run('record', { ...environment, MANDATE: mandate })
    for (const said of ["signature: 'good'", "'vault_attached'", "'accepted'"]) expect(record).toContain(said)
  } finally {
    examples.remove()
  }
})

test('the commands and programs of the page about Python run as they stand, with a client of OpenAPI Generator', async ({
  skip,
}) => {
  const programs = await preparePython(world.url)
  if (typeof programs === 'string') return skip(programs)
  try {
    expect(programs.names).toEqual(['older', 'visitor', 'agent'])
    await eventually(async () => expect((await ask(world.url, '/board?limit=3')).body.tokens).toHaveLength(3))
    const [tiers, tokens, statement] = (await programs.run('visitor', {})).split('\n')
    expect(tiers).toBe("['free', 'tier_1', 'tier_2']")
    expect(tokens).toMatch(/^\['\S+\/\S+', '\S+\/\S+', '\S+\/\S+'\]$/)
    expect(statement).toBe(`0x${'11'.repeat(20)}`)
    const { key } = await registerAgent(world.url)
    const [balance, made, again, refusal] = (await programs.run('agent', { CHERRY_KEY: key })).split('\n')
    expect([balance, refusal]).toEqual(['10', '402 insufficient_cherry 10000'])
    expect(made).toMatch(/^\['?\w+'?\]$/)
    expect(again).toBe(made)
  } finally {
    programs.remove()
  }
})

test('a client address can save 20 drafts a day without a session', async () => {
  await awayFromMidnight(createWalk(world.url))
  const save = () => ask(world.url, '/hub/mandates/draft', { body: { note: '100 USDC', save: true } })
  for (let made = 0; made < 20; made += 1) expect((await save()).status).toBe(201)
  const over = await save()
  expect([over.status, over.body.code]).toEqual([429, 'rate_limited'])
})

mandateToolsSuite(() => world)
agentWalkSuite(() => world)
