import type { Address, Hex } from 'viem'
import type { PreparedCall } from '@svc/chain'
import { createClient, type Client } from '@svc/sdk'
import type { DevWallets } from '#dev/dev-wallets.ts'
import type { Person, Stage } from '../chain-stage.ts'
import type { RegisteredAgent } from '../first-day.ts'
import { freshMarket, giveGas, houseOf, newcomer, takeFromFaucet } from '../people.ts'
import type { Walk } from '../walk.ts'

/** The keeper of a local platform runs every five seconds and the sweep every two. */
export const WORKERS = {}

/** The people of a mandate, the chain, and the API as owner and agent see it. */
export interface Scene {
  readonly stage: Stage
  readonly walk: Walk
  readonly owner: Person
  readonly ownerToken: string
  /** The API as the SDK offers it to the owner. */
  readonly client: Client
  readonly agent: Person
  readonly agentId: number
  /** Sets the prices of the test venue. */
  readonly venueOwner: Person
  /** Market of the test venue for this run only. */
  readonly market: Hex
  readonly asOwner: ReturnType<Walk['as']>
  readonly asAgent: ReturnType<Walk['as']>
}

/** A mandate with its vault. */
export interface Working {
  readonly scene: Scene
  /** `/hub/mandates/{public_id}` */
  readonly path: string
  readonly vault: Address
}

/** Opens the scene for an agent: a new owner with 1,000 test USDC signs in. */
export async function openScene(stage: Stage, wallets: DevWallets, agent: RegisteredAgent): Promise<Scene> {
  const { walk } = stage
  walk.chapter('An owner with a wallet')
  const owner = newcomer('owner')
  const agentPerson: Person = { name: 'agent', wallet: agent.wallet }
  walk.say('Ether and USDC on the local chain come from faucets and have no value.')
  await giveGas(stage, wallets, [owner, agentPerson])
  await takeFromFaucet(stage, owner)
  const session = await walk.openSession(owner.wallet, 'The owner')
  const { token } = session
  return {
    stage,
    walk,
    owner,
    ownerToken: token,
    client: createClient({ baseUrl: walk.baseUrl, session }),
    agent: agentPerson,
    agentId: agent.id,
    venueOwner: houseOf(wallets).venueOwner,
    market: freshMarket(),
    asOwner: walk.as({ token }),
    asAgent: walk.as({ key: agent.key }),
  }
}

/** Returns a call of the API in the form that a wallet sends. */
export const walletCall = (call: { to: string; data: string }): Pick<PreparedCall, 'to' | 'data'> => ({
  to: call.to as Address,
  data: call.data as PreparedCall['data'],
})

/** Reports a transaction of the owner; the service reads the receipt itself. */
export const reportTransaction = (
  { asOwner }: Scene,
  path: string,
  { kind, hash, expect = {} }: { kind: string; hash: string; expect?: Record<string, unknown> },
) => asOwner(`${path}/vault-tx`, 200, { body: { kind, tx_hash: hash }, expect })
