import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare } from '@svc/chain'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Surprise } from '../demo/request.ts'
import { createWalk } from '../demo/walk.ts'
import { actsOf } from '../demo/vault/acts.ts'
import { assemble, freshMarket, termsFor, USDC } from '../demo/people.ts'
import { findOrStartChain, type DemoChain } from '../demo/platform.ts'
import { createVault } from '../demo/vault/create.ts'
import { openStage, type Stage } from '../demo/chain-stage.ts'
import { HANG_MS, runShell } from '#check/run-shell.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'svc-vault-life-'))
let local: DemoChain
beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  local = await findOrStartChain(dataDir)
})
afterAll(async () => {
  await local?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

function open(): Stage {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  return openStage(local, createWalk(local.url))
}

/** Writes the file that a running platform leaves in the data folder. */
const platformRuns = (url: string, chain: string | null) =>
  writeFileSync(join(dataDir, 'platform.json'), JSON.stringify({ pid: process.pid, url, chain }))

test(
  'a vault lives as the terms say, each refusal is decoded, and three books agree after every transaction',
  async () => {
    platformRuns('http://127.0.0.1:1', local.url)
    const output = await runShell(`npm run demo -- vault --data ${dataDir}`)
    expect(Number(/went as the documents say: (\d+) steps/.exec(output)?.[1])).toBeGreaterThan(50)
    const { timestamp } = await local.chain.client.getBlock()
    expect(Number(timestamp)).toBeLessThanOrEqual(Date.now() / 1000 + 5)
  },
  HANG_MS,
)

test('a figure that differs from the expected one fails the demo and is named', () => {
  expect(() => open().walk.expect('the fee', { fee: 1n }, { fee: 2n })).toThrow(
    new Surprise('the fee is {"fee":"1"}, the documents say {"fee":"2"}'),
  )
})

test('the demo notices money that moves without a call of the rules', async () => {
  const stage = open()
  const cast = await assemble(stage, local.wallets)
  const limits = { budget: 100n * USDC, perTxCap: 10n * USDC, dailyCap: 10n * USDC, approvalAbove: null, stopLine: 0n }
  const endsAt = BigInt(Math.floor(Date.now() / 1000)) + 3_600n
  const terms = termsFor(stage, cast, { ...limits, endsAt, feeBps: 0n })
  const acts = actsOf(stage, cast, await createVault(stage, cast.owner, cast.agent, terms, freshMarket()))
  await acts.deposit(20n * USDC)
  const usdc = prepare(local.chain.id).usdc(local.deployment.contracts.usdc.address)
  const to = acts.mandate.account.vault.address
  await stage.send(cast.owner, usdc.transfer({ to, value: 1n }), 'usdc.transfer(vault, 0.000001 USDC)')
  const noticed = await acts.pause().catch((error: unknown) => error)
  expect(noticed).toBeInstanceOf(Surprise)
  expect(String(noticed)).toContain('balance is 20000000 by the rules and 20000001 by the events')
})

test('the vault demo uses the chain of a running platform and leaves it running', async () => {
  platformRuns('http://127.0.0.1:1', local.url)
  const found = await findOrStartChain(dataDir)
  expect(found.url).toBe(local.url)
  expect(found.deployment).toEqual(local.deployment)
  await found.stop()
  expect(await local.chain.client.getChainId()).toBe(31337)
})

test('the vault demo refuses a platform on a remote chain', async () => {
  platformRuns(local.url, null)
  await expect(findOrStartChain(dataDir)).rejects.toThrow('uses a chain elsewhere (HUB_RPC_URL)')
})
