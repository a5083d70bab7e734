import { SettingError } from '@svc/contract'
import { type Address, isAddressEqual, keccak256 } from 'viem'
import type { Chain } from './chain.ts'
import { ContractReverted } from './contract-at.ts'
import { read } from './contracts.ts'
import type { Deployment } from './deployment/file.ts'
import { RpcInconsistent } from './errors.ts'

const USDC_DECIMALS = 6

/**
 * Verifies that the configured contracts exist and belong together: the version of each factory, their USDC, the leg's
 * gateway and, with a deployment file, the code. Rejects with `SettingError`, which names the setting and the fix, or with
 * `RpcUnavailable`. Call it at the start, before anything relies on an address.
 */
export async function checkContracts(chain: Chain): Promise<void> {
  const { factory, factoryV2, usdc, legGateway, testVenues } = chain.addresses
  const views = read(chain)
  if (usdc !== null) {
    await mustHaveCode(chain, 'HUB_USDC_ADDRESS', usdc)
    const decimals = await answerOf('HUB_USDC_ADDRESS', 'a token', usdc, views.usdc(usdc).decimals())
    if (decimals !== USDC_DECIMALS)
      throw new SettingError(`HUB_USDC_ADDRESS: ${usdc} has ${decimals} decimals; USDC has ${USDC_DECIMALS}.`)
  }
  if (factory !== null) await checkFactory(chain, 'HUB_MANDATE_FACTORY_ADDRESS', factory, 1)
  if (factoryV2 !== null) {
    await checkFactory(chain, 'HUB_MANDATE_FACTORY_V2_ADDRESS', factoryV2, 2)
    const pinned = await views.factoryV2(factoryV2).legGateway()
    if (legGateway !== null) mustBe('HUB_TEST_LEG_GATEWAY', 'leg gateway of the v2 factory', pinned, legGateway)
  }
  if (legGateway !== null) await mustHaveCode(chain, 'HUB_TEST_LEG_GATEWAY', legGateway)
  for (const venue of testVenues) await mustHaveCode(chain, 'HUB_TEST_VENUE_TARGETS', venue)
  if (chain.deployment !== null) await checkCode(chain, chain.deployment)
}

async function checkFactory(chain: Chain, setting: string, address: Address, version: 1 | 2): Promise<void> {
  await mustHaveCode(chain, setting, address)
  const views = read(chain).factory(address)
  const found = await answerOf(setting, 'a mandate factory', address, views.version())
  if (found !== version)
    throw new SettingError(
      `${setting}: the factory at ${address} has version ${found}; give the factory of version ${version}.`,
    )
  const { usdc } = chain.addresses
  if (usdc !== null) mustBe('HUB_USDC_ADDRESS', `USDC of the factory in ${setting}`, await views.usdc(), usdc)
}

function mustBe(setting: string, what: string, onChain: Address, configured: Address): void {
  if (!isAddressEqual(onChain, configured))
    throw new SettingError(
      `${setting}: the ${what} is ${onChain}, but ${configured} is configured; give that address or another factory.`,
    )
}

async function mustHaveCode(chain: Chain, setting: string, address: Address): Promise<void> {
  if ((await codeOf(chain, address)) === '0x')
    throw new SettingError(
      `${setting}: there is no contract at ${address} on chain ${chain.id}; correct the address, or HUB_RPC_URL.`,
    )
}

async function answerOf<T>(setting: string, kind: string, address: Address, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ContractReverted || error instanceof RpcInconsistent)) throw error
    throw new SettingError(`${setting}: the contract at ${address} is not ${kind}; correct the address.`)
  }
}

async function checkCode(chain: Chain, { contracts }: Deployment): Promise<void> {
  for (const [name, { address, code_hash }] of Object.entries(contracts)) {
    const code = await codeOf(chain, address)
    if (code === '0x' || keccak256(code) !== code_hash)
      throw new SettingError(
        `HUB_DEPLOYMENT_FILE: the contract ${name} at ${address} is ${code === '0x' ? 'not there' : 'another one than the file says'}; give the file of this chain, or deploy the contracts.`,
      )
  }
}

async function codeOf(chain: Chain, address: Address): Promise<`0x${string}`> {
  return String(await chain.request('eth_getCode', [address, 'latest'])) as `0x${string}`
}
