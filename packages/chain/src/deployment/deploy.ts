import { type Account, type Address, concat, type Hex, isAddressEqual, keccak256, zeroAddress, zeroHash } from 'viem'
import type { SendTransactionParameters } from 'viem/actions'
import type { Chain } from '../chain.ts'
import type { PreparedCall } from '../contract-at.ts'
import { prepare, read } from '../contracts.ts'
import { waitForReceipt } from '../wait-for-receipt.ts'
import type { DeployedName, Deployment } from './file.ts'
import { CREATE2_PROXY, type DeploymentRoles, planDeployment } from './plan.ts'

/** A deployment failed for the reason in the message. */
export class DeploymentFailed extends Error {
  override readonly name = 'DeploymentFailed'
}

/** The part of viem's wallet client that is needed to deploy; its account becomes the admin. */
export interface Deployer {
  readonly account: Account
  sendTransaction(transaction: SendTransactionParameters): Promise<Hex>
}

/** The keeper and the operator of the deployed contracts. */
export interface DeployOptions {
  readonly keeper: Address
  readonly operator: Address
  /** The deployment of an earlier run on this chain: its start block is kept if nothing new is deployed. */
  readonly previous?: Deployment | null
}

const RECEIPT_TIMEOUT_MS = 60_000

/**
 * Deploys the missing contracts, binds the gateway to the v2 factory and returns the deployment. Safe to repeat: the
 * addresses follow from code and roles, and existing contracts are kept. Rejects with `DeploymentFailed` or an `Outage`.
 */
export async function deployContracts(chain: Chain, deployer: Deployer, options: DeployOptions): Promise<Deployment> {
  const roles: DeploymentRoles = { admin: deployer.account.address, keeper: options.keeper, operator: options.operator }
  const planned = planDeployment(roles)
  if ((await codeAt(chain, CREATE2_PROXY)) === '0x')
    throw new DeploymentFailed(`chain ${chain.id} has no deployment proxy at ${CREATE2_PROXY}: deploy it first.`)
  const blocks: bigint[] = []
  const contracts: Partial<Deployment['contracts']> = {}
  for (const { name, address, initCode } of planned) {
    if ((await codeAt(chain, address)) === '0x') {
      blocks.push(await send(chain, deployer, { to: CREATE2_PROXY, data: concat([zeroHash, initCode]) }, name))
    }
    const code = await codeAt(chain, address)
    if (code === '0x') throw new DeploymentFailed(`${name} has no code at ${address} after its deployment.`)
    contracts[name] = { address, code_hash: keccak256(code) }
  }
  const deployed = contracts as Deployment['contracts']
  await bindGateway(chain, deployer, deployed)
  // Only a run that deployed everything knows the first block; otherwise any block may contain a part of the deployment.
  const [first] = blocks.length === planned.length ? blocks : []
  const known = options.previous?.chain_id === chain.id ? options.previous.start_block : 0
  return {
    version: 1,
    chain_id: chain.id,
    start_block: first === undefined ? known : Number(first),
    admin: roles.admin,
    keeper: roles.keeper,
    contracts: deployed,
  }
}

async function bindGateway(
  chain: Chain,
  deployer: Deployer,
  contracts: Readonly<Record<DeployedName, { readonly address: Address }>>,
): Promise<void> {
  const gateway = contracts.leg_gateway.address
  const factory = contracts.factory_v2.address
  const bound = await read(chain).legGateway(gateway).factory()
  if (isAddressEqual(bound, factory)) return
  if (!isAddressEqual(bound, zeroAddress))
    throw new DeploymentFailed(`the gateway at ${gateway} is bound to ${bound}, not to ${factory}.`)
  await send(chain, deployer, prepare(chain.id).legGateway(gateway).bindFactory({ f: factory }), 'bindFactory')
}

async function send(
  chain: Chain,
  deployer: Deployer,
  { to, data }: Pick<PreparedCall, 'to' | 'data'>,
  what: string,
): Promise<bigint> {
  const hash = await deployer.sendTransaction({ account: deployer.account, chain: null, to, data })
  const receipt = await waitForReceipt(chain, hash, RECEIPT_TIMEOUT_MS)
  if (receipt.status !== 'success') throw new DeploymentFailed(`${what}: transaction ${hash} reverted.`)
  return receipt.blockNumber
}

async function codeAt(chain: Chain, address: Address): Promise<Hex> {
  return String(await chain.request('eth_getCode', [address, 'latest'])) as Hex
}
