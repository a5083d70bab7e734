import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import type { DevWallets } from '#dev/dev-wallets.ts'
import { freshMarket, giveGas, houseOf, newcomer, takeFromFaucet } from '../vault/cast.ts'
import type { Person, Stage } from '../vault/stage.ts'
import type { RegisteredAgent } from '../first-day.ts'
import { signIn } from '../sign-in.ts'
import type { Answer } from '../request.ts'
import type { Ask, Walk } from '../walk.ts'

type Asked = Omit<Ask, 'key' | 'token'>

/** Everybody and everything that a mandate's life needs: people with wallets, the chain, and the API as each of them sees it. */
export interface Scene {
  readonly stage: Stage
  readonly walk: Walk
  readonly owner: Person
  readonly ownerToken: string
  readonly agent: Person
  readonly agentId: number
  /** Sets the prices of the test venue. */
  readonly venueOwner: Person
  /** Market of the test venue that belongs to this run alone. */
  readonly market: Hex
  asOwner(path: string, expected: number | readonly number[], asked?: Asked): Promise<Answer['body']>
  asAgent(path: string, expected: number | readonly number[], asked?: Asked): Promise<Answer['body']>
}

/** A new owner with 1,000 test USDC, who signs in; the agent comes with its key and its wallet. */
export async function openScene(stage: Stage, wallets: DevWallets, agent: RegisteredAgent): Promise<Scene> {
  const { walk } = stage
  walk.chapter('An owner with a wallet')
  const owner = newcomer('owner')
  const actor: Person = { name: 'agent', wallet: agent.wallet }
  walk.say('On the local chain ether and USDC are for the asking; these have no value.')
  await giveGas(stage, wallets, [owner, actor])
  await takeFromFaucet(stage, owner)
  const { token } = await signIn(walk, owner.wallet, 'The owner')
  const as =
    (credential: Pick<Ask, 'key' | 'token'>): Scene['asOwner'] =>
    async (path, expected, asked = {}) => {
      const once = asked.body === undefined ? {} : { idempotencyKey: randomUUID() }
      return (await walk.ask(path, expected, { ...once, ...asked, ...credential })).body
    }
  return {
    stage,
    walk,
    owner,
    ownerToken: token,
    agent: actor,
    agentId: agent.id,
    venueOwner: houseOf(wallets).venueOwner,
    market: freshMarket(),
    asOwner: as({ token }),
    asAgent: as({ key: agent.key }),
  }
}
