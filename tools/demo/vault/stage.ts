import {
  callAt,
  waitForReceipt,
  type Chain,
  type Deployment,
  type PreparedCall,
  type RawLog,
  type Revert,
} from '@svc/chain'
import { usdcText } from '@svc/limits'
import { createWalletClient, http, type Hex, type LocalAccount } from 'viem'
import { Surprise } from '../request.ts'
import type { Walk } from '../walk.ts'

/** Somebody with a wallet. */
export interface Person {
  readonly name: string
  readonly wallet: LocalAccount
}

/** A transaction in its block. */
export interface Mined {
  readonly hash: Hex
  readonly block: bigint
  /** Time of the block in Unix seconds. */
  readonly at: bigint
  readonly logs: readonly Pick<RawLog, 'address' | 'topics' | 'data'>[]
  /** Null when it succeeded. */
  readonly revert: Revert | null
}

/** Where the demo plays: a chain with the contracts, and a reader who sees each transaction. */
export interface Stage {
  readonly rpcUrl: string
  readonly chain: Chain
  readonly deployment: Deployment
  readonly walk: Walk
  /** Sends a transaction that must succeed. */
  send(
    person: Person,
    call: Pick<PreparedCall, 'to' | 'data'> & { readonly value?: bigint },
    what: string,
  ): Promise<Mined>
  /** Sends a transaction that must revert, and reads why. */
  sendRefused(person: Person, call: PreparedCall, what: string): Promise<Mined & { readonly revert: Revert }>
}

/** Given, not estimated: wallets that estimate would never send what must be refused on chain. */
const GAS = 1_500_000n

export function openStage(url: string, chain: Chain, deployment: Deployment, walk: Walk): Stage {
  const submit: Stage['send'] = async ({ name, wallet }, { to, data, value = 0n }, what) => {
    const client = createWalletClient({ account: wallet, transport: http(url) })
    const hash = await client.sendTransaction({ chain: null, to, data, value, gas: GAS })
    const { blockNumber, status, gasUsed, ...receipt } = await waitForReceipt(chain, hash)
    const logs = receipt.logs.flatMap(({ address, topics: [first, ...more], data }) =>
      first === undefined ? [] : [{ address, topics: [first, ...more] as const, data }],
    )
    const { timestamp } = await chain.client.getBlock({ blockNumber })
    const place = `block ${blockNumber}, ${gasUsed.toLocaleString('en')} gas`
    walk.step(`${name}: ${what}`)
    if (status === 'success') {
      walk.outcome(true, `mined in ${place}`)
      return { hash, block: blockNumber, at: timestamp, logs, revert: null }
    }
    // A refused call changes nothing, so the same call at its own block says again why.
    const replay = await callAt(chain, { from: wallet.address, to, data, blockNumber })
    if (replay.ok || replay.revert === null) throw new Surprise(`${what} failed without a reason: transaction ${hash}`)
    walk.outcome(false, `reverted in ${place}: ${revertText(replay.revert)}`)
    return { hash, block: blockNumber, at: timestamp, logs, revert: replay.revert }
  }
  return {
    rpcUrl: url,
    chain,
    deployment,
    walk,
    send: async (person, call, what) => {
      const mined = await submit(person, call, what)
      if (mined.revert !== null) throw new Surprise(`${what} was refused: ${revertText(mined.revert)}`)
      return mined
    },
    sendRefused: async (person, call, what) => {
      const { revert, ...mined } = await submit(person, call, what)
      if (revert === null) throw new Surprise(`${what} was not refused`)
      return { ...mined, revert }
    },
  }
}

const AMOUNTS = new Set(['asked', 'cap', 'left', 'available', 'room'])

/** A revert as people read it: amounts in USDC. */
function revertText({ name, selector, args }: Revert): string {
  const shown = Object.entries(args).map(
    ([key, value]) => `${key} ${typeof value === 'bigint' && AMOUNTS.has(key) ? `${usdcText(value)} USDC` : value}`,
  )
  return `${name ?? selector}(${shown.join(', ')})`
}
