import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWalletClient, http, getAddress } from 'viem'
import { opened } from '@svc/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSettings, SettingError } from '@svc/contract'
import { chainSettings } from '@svc/contracts/common/chain-settings'
import {
  checkContracts,
  deployContracts,
  openChain,
  readDeployment,
  RpcUnavailable,
  writeDeployment,
} from '../src/index.ts'
import { admin, keeper, operator, stranger, testChain } from './harness.ts'

let folder: string
let file: string
const t = opened(() => testChain())
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-chain-'))
  file = join(folder, 'deployment.json')
  await writeDeployment(file, t.deployment)
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

const open = (environment: Record<string, string>) => {
  const chain = openChain(loadSettings(chainSettings, { HUB_RPC_URL: t.anvil.url, ...environment }), { retriesMax: 0 })
  if (chain === null) throw new Error('not opened')
  return chain
}

describe('the deployment', () => {
  test('is written for this user only', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('stands at the same addresses when it is run again, and deploys nothing twice', async () => {
    const before = await t.anvil.request<string>('eth_blockNumber')
    const wallet = createWalletClient({ account: admin, transport: http(t.anvil.url) })
    const again = await deployContracts(t.chain, wallet, {
      keeper: keeper.address,
      operator: operator.address,
      previous: t.deployment,
    })
    expect(again).toEqual(t.deployment)
    expect(await t.anvil.request('eth_blockNumber')).toBe(before)
  })

  test('starts at the block of its first contract', async () => {
    expect(t.deployment.start_block).toBe(1)
  })

  test('is the same on another chain, since the addresses follow from code and roles', async () => {
    const other = await testChain()
    expect(other.deployment.contracts).toEqual(t.deployment.contracts)
    await other.stop()
  })

  test('reads back from its file as it was written', () => {
    expect(readDeployment(file)).toEqual(t.deployment)
  })

  test('opens a chain by its file alone', async () => {
    const chain = open({ HUB_DEPLOYMENT_FILE: file })
    expect(chain.id).toBe(31337)
    expect(chain.deployment).toEqual(t.deployment)
    expect(chain.addresses).toEqual({
      factory: t.at('factory'),
      factoryV2: t.at('factory_v2'),
      usdc: t.at('usdc'),
      legGateway: null,
      testVenues: [],
    })
    await checkContracts(chain)
  })
})

describe('opening a chain gives one clear error for', () => {
  const expectRefused = async (environment: Record<string, string>, text: RegExp) => {
    const check = async () => checkContracts(open(environment))
    await expect(check()).rejects.toThrow(SettingError)
    await expect(check()).rejects.toThrow(text)
  }
  const id = { HUB_CHAIN_ID: '31337' }

  test('no RPC: nothing is opened', () => {
    expect(openChain(loadSettings(chainSettings, {}))).toBeNull()
  })
  test('no chain id', () => expectRefused({}, /^HUB_CHAIN_ID is required with HUB_RPC_URL/))
  test('a chain id that the RPC does not serve', () =>
    expectRefused(
      { HUB_CHAIN_ID: '84532', HUB_USDC_ADDRESS: t.at('usdc') },
      /^HUB_RPC_URL serves chain 31337, but chain 84532 is expected/,
    ))
  test('a chain id that the deployment file contradicts', () =>
    expectRefused(
      { HUB_CHAIN_ID: '1', HUB_DEPLOYMENT_FILE: file },
      /^HUB_CHAIN_ID is 1, but HUB_DEPLOYMENT_FILE is of chain 31337/,
    ))
  test('a factory address without a contract', () =>
    expectRefused(
      { ...id, HUB_MANDATE_FACTORY_ADDRESS: stranger.address },
      new RegExp(`^HUB_MANDATE_FACTORY_ADDRESS: there is no contract at ${stranger.address} on chain 31337`),
    ))
  test('a contract that is no factory', () =>
    expectRefused(
      { ...id, HUB_MANDATE_FACTORY_ADDRESS: t.at('venue') },
      /^HUB_MANDATE_FACTORY_ADDRESS: the contract at .* is not a mandate factory/,
    ))
  test('a factory of the wrong version', async () => {
    await expectRefused(
      { ...id, HUB_MANDATE_FACTORY_ADDRESS: t.at('factory_v2') },
      /^HUB_MANDATE_FACTORY_ADDRESS: .* has version 2/,
    )
    await expectRefused(
      { ...id, HUB_MANDATE_FACTORY_V2_ADDRESS: t.at('factory') },
      /^HUB_MANDATE_FACTORY_V2_ADDRESS: .* has version 1/,
    )
  })
  test('another USDC than the factory has', async () => {
    const wallet = createWalletClient({ account: stranger, transport: http(t.anvil.url) })
    const other = await deployContracts(t.chain, wallet, { keeper: keeper.address, operator: operator.address })
    await expectRefused(
      { ...id, HUB_MANDATE_FACTORY_ADDRESS: t.at('factory'), HUB_USDC_ADDRESS: other.contracts.usdc.address },
      /^HUB_USDC_ADDRESS: the USDC of the factory in HUB_MANDATE_FACTORY_ADDRESS is .*, but .* is configured/,
    )
    await expectRefused(
      {
        ...id,
        HUB_MANDATE_FACTORY_V2_ADDRESS: t.at('factory_v2'),
        HUB_TEST_LEG_GATEWAY: other.contracts.leg_gateway.address,
      },
      /^HUB_TEST_LEG_GATEWAY: the leg gateway of the v2 factory is/,
    )
  })
  test('a USDC address without a token', async () => {
    await expectRefused({ ...id, HUB_USDC_ADDRESS: stranger.address }, /^HUB_USDC_ADDRESS: there is no contract/)
    await expectRefused(
      { ...id, HUB_USDC_ADDRESS: t.at('venue') },
      /^HUB_USDC_ADDRESS: the contract at .* is not a token/,
    )
  })
  test('a venue address without a contract', () =>
    expectRefused(
      { ...id, HUB_TEST_VENUE_TARGETS: `${t.at('venue')},${stranger.address}` },
      /^HUB_TEST_VENUE_TARGETS: there is no contract/,
    ))
  test('a malformed factory, naming it; a malformed v2 factory counts as unset', () => {
    expect(() => open({ ...id, HUB_MANDATE_FACTORY_ADDRESS: '0x12' })).toThrow(
      /^HUB_MANDATE_FACTORY_ADDRESS is invalid/,
    )
    expect(open({ ...id, HUB_MANDATE_FACTORY_V2_ADDRESS: '0x12' }).addresses.factoryV2).toBeNull()
  })
  test('code that is not the code of the deployment file', async () => {
    const { venue } = t.deployment.contracts
    const contracts = { ...t.deployment.contracts, venue: { ...venue, code_hash: `0x${'0'.repeat(64)}` as const } }
    const other = join(folder, 'other.json')
    await writeDeployment(other, { ...t.deployment, contracts })
    await expectRefused(
      { HUB_DEPLOYMENT_FILE: other },
      /^HUB_DEPLOYMENT_FILE: the contract venue at .* is another one than the file says/,
    )
    contracts.venue = { ...venue, address: stranger.address }
    await writeDeployment(other, { ...t.deployment, contracts })
    await expectRefused({ HUB_DEPLOYMENT_FILE: other }, /^HUB_DEPLOYMENT_FILE: the contract venue at .* is not there/)
  })
  test('a deployment file that is missing, no JSON, or incomplete', async () => {
    const broken = join(folder, 'broken.json')
    expect(() => open({ HUB_DEPLOYMENT_FILE: join(folder, 'none.json') })).toThrow(/^HUB_DEPLOYMENT_FILE names a file/)
    await writeFile(broken, '{')
    expect(() => open({ HUB_DEPLOYMENT_FILE: broken })).toThrow(/^HUB_DEPLOYMENT_FILE is not JSON/)
    await writeFile(broken, JSON.stringify({ ...t.deployment, chain_id: 'x' }))
    expect(() => open({ HUB_DEPLOYMENT_FILE: broken })).toThrow(/^HUB_DEPLOYMENT_FILE is invalid: chain_id/)
  })
  test('an RPC that is not there, as an outage and not as a wrong setting', async () => {
    const chain = open({ ...id, HUB_RPC_URL: 'http://127.0.0.1:9/secret-api-key', HUB_USDC_ADDRESS: t.at('usdc') })
    await expect(checkContracts(chain)).rejects.toThrow(RpcUnavailable)
  })
})

describe('the span of a log call', () => {
  test('is capped at 200 blocks, whatever is asked, until a large span is allowed', () => {
    const span = (environment: Record<string, string>) => open({ HUB_CHAIN_ID: '31337', ...environment }).logLimits.span
    expect(span({})).toBe(200)
    expect(span({ HUB_GETLOGS_MAX_SPAN: '2000' })).toBe(200)
    expect(span({ HUB_GETLOGS_MAX_SPAN: '50' })).toBe(50)
    expect(span({ HUB_GETLOGS_MAX_SPAN: '2000', HUB_GETLOGS_ALLOW_LARGE_SPAN: '0' })).toBe(200)
    expect(span({ HUB_GETLOGS_MAX_SPAN: '2000', HUB_GETLOGS_ALLOW_LARGE_SPAN: '1' })).toBe(2000)
  })
})

test('configured addresses are returned with their checksum regardless of their letter case', () => {
  const chain = open({ HUB_CHAIN_ID: '31337', HUB_USDC_ADDRESS: t.at('usdc').toLowerCase() })
  expect(chain.addresses.usdc).toBe(getAddress(t.at('usdc')))
})
