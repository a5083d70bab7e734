import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings, type Environment } from '@svc/contract'
import { gateway } from '@svc/contracts/gateway'
import { afterAll, expect, test } from 'vitest'
import { pageConfigOf } from './page-config.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'))
afterAll(() => rmSync(folder, { recursive: true }))

const address = (digit: string) => `0x${digit.repeat(40)}`
const contractAt = (digit: string) => ({ address: address(digit), code_hash: `0x${'0'.repeat(64)}` })
const names = ['usdc', 'venue', 'leg_gateway', 'vault', 'vault_v2', 'factory', 'factory_v2']
const file = join(folder, 'deployment.json')
writeFileSync(
  file,
  JSON.stringify({
    version: 1,
    chain_id: 84_532,
    start_block: 0,
    admin: address('a'),
    keeper: address('b'),
    contracts: Object.fromEntries(names.map((name, at) => [name, contractAt(String(at + 1))])),
  }),
)
const configOf = (environment: Environment) => pageConfigOf(loadSettings(gateway.settings, environment), false)

test('the contracts are those of the deployment file, and the chain is named with its explorer', () => {
  expect(
    configOf({
      HUB_DEPLOYMENT_FILE: file,
      HUB_TEST_LEG_GATEWAY: address('3'),
      SVC_PUBLIC_URL: 'https://svc.example/',
      SVC_VERSION: '2.1.0',
    }),
  ).toEqual({
    web_base: 'https://svc.example',
    chain: { id: 84_532, name: 'Base Sepolia', explorer: 'https://sepolia.basescan.org', test: true },
    usdc: address('1'),
    test_venues: [address('2')],
    leg_gateway: address('3'),
    factory: address('6'),
    factory_v2: address('7'),
    demo_wallet: false,
    version: '2.1.0',
  })
})

test('settings name the contracts that the file does not, and only a known test chain is called a test', () => {
  const config = configOf({
    HUB_CHAIN_ID: '8453',
    HUB_USDC_ADDRESS: address('8'),
    HUB_MANDATE_FACTORY_ADDRESS: address('9'),
  })
  expect(config).toMatchObject({ chain: { name: 'Base', test: false }, usdc: address('8'), factory: address('9') })
  expect(configOf({ HUB_CHAIN_ID: '424242' }).chain).toEqual({
    id: 424_242,
    name: 'Chain 424242',
    explorer: null,
    test: false,
  })
})

test('a deployment file of another chain than the configured one stops the start', () => {
  expect(() => configOf({ HUB_DEPLOYMENT_FILE: file, HUB_CHAIN_ID: '1' })).toThrow(
    'HUB_CHAIN_ID is 1, but HUB_DEPLOYMENT_FILE is of chain 84532',
  )
})
