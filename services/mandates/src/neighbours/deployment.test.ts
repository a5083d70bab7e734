import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings } from '@svc/contract'
import { mandatesSettings } from '@svc/contracts/mandates/settings'
import { afterAll, expect, test } from 'vitest'
import { deploymentOf } from './deployment.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-deployment-'))
afterAll(() => rmSync(folder, { recursive: true }))

const usdc = `0x${'1'.repeat(40)}`

/** Returns the deployment of a file for a chain. */
function deployedOn(chainId: number) {
  const file = join(folder, `${chainId}.json`)
  const contract = { address: usdc, code_hash: `0x${'0'.repeat(64)}` }
  const names = ['usdc', 'venue', 'leg_gateway', 'vault', 'vault_v2', 'factory', 'factory_v2']
  const contracts = Object.fromEntries(names.map((name) => [name, contract]))
  writeFileSync(
    file,
    JSON.stringify({ version: 1, chain_id: chainId, start_block: 0, admin: usdc, keeper: usdc, contracts }),
  )
  return deploymentOf(loadSettings(mandatesSettings, { HUB_DEPLOYMENT_FILE: file }))
}

test('the USDC of a deployment is play money on a test chain and never on a main network', () => {
  expect(deployedOn(31_337).playMoney).toBe(usdc)
  expect(deployedOn(84_532).playMoney).toBe(usdc)
  for (const main of [1, 8453, 42_161]) expect(deployedOn(main)).toMatchObject({ usdc, playMoney: null })
})

test('a token that the settings name is not ours to give away', () => {
  const settings = loadSettings(mandatesSettings, { HUB_CHAIN_ID: '84532', HUB_USDC_ADDRESS: usdc })
  expect(deploymentOf(settings)).toMatchObject({ usdc, playMoney: null })
})
