import type { LocalAccount } from 'viem'
import { walletOf } from '#dev/history/people.ts'
import type { History } from '#dev/history/play.ts'
import type { House } from '#dev/platform.ts'
import type { DevWallets } from '#dev/dev-wallets.ts'
import type { Stage } from '../chain-stage.ts'
import type { LocalVenue } from '../leg/leg-day.ts'
import { Surprise } from '../request.ts'
import type { Walk } from '../walk.ts'

/** What the chapter plays on: a platform with a history. */
export interface PublicStage {
  readonly stage: Stage
  readonly walk: Walk
  readonly wallets: DevWallets
  readonly venue: LocalVenue
  readonly house: House
  readonly history: History
  /** Makes the wallets of the history. */
  readonly seed: string
  /** File that names the contracts. */
  readonly deploymentFile: string
  /** Folder of what the demo downloads. */
  readonly folder: string
}

/** An agent of the history with a key of this run and its owner's session. */
export interface Seller {
  readonly agentId: number
  readonly name: string
  readonly asAgent: ReturnType<Walk['as']>
  readonly asOwner: ReturnType<Walk['as']>
}

/** Opens an agent of the history: its wallet signs for a new key, and its owner lets the key transact. */
export async function openSeller({ walk, history, seed }: PublicStage, index: number, owner: number): Promise<Seller> {
  const agent = history.agents[index]
  if (agent === undefined) throw new Surprise(`the history has no agent ${index}`)
  const wallet = walletOf(seed, 'agent', index)
  const { api_key, key_id } = await newKey(walk, wallet)
  const token = await walk.signIn(walletOf(seed, 'owner', owner), `The owner of ${agent.name}`)
  const asOwner = walk.as({ token })
  await asOwner(`/hub/agents/${agent.agentId}/keys/${key_id}/scopes`, 200, {
    body: { scopes: ['read', 'write', 'tx'] },
    note: 'Only the paired owner lets a key publish.',
    show: ['ok'],
  })
  return { agentId: agent.agentId, name: agent.name, asAgent: walk.as({ key: api_key }), asOwner }
}

async function newKey(walk: Walk, wallet: LocalAccount): Promise<{ api_key: string; key_id: string }> {
  const wallet_address = wallet.address
  const { body: nonce } = await walk.ask('/auth/wallet/nonce', 200, {
    body: { wallet_address, purpose: 'key' },
    quiet: true,
  })
  const signature = await wallet.signMessage({ message: nonce.message })
  const { body } = await walk.ask('/auth/agent/keys', 201, {
    body: { wallet_address, message: nonce.message, signature, name: 'demo' },
    show: ['key_id', 'scopes'],
  })
  return body
}
