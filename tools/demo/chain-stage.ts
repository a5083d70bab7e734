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
import { Surprise } from './request.ts'
import type { Walk } from './walk.ts'

/** A person with a wallet. */
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
  /** Null if the transaction succeeded. */
  readonly revert: Revert | null
}

type Call = Pick<PreparedCall, 'to' | 'data'> & { readonly value?: bigint }

/** A chain with the contracts, and a walk that prints each transaction. */
export interface Stage {
  readonly url: string
  readonly chain: Chain
  readonly deployment: Deployment
  readonly walk: Walk
  /** Sends a transaction that must succeed. */
  send(person: Person, call: Call, what: string): Promise<Mined>
  /** Sends a transaction that must revert; returns the reason with it. */
  sendRefused(person: Person, call: Call, what: string): Promise<Mined & { readonly revert: Revert }>
}

/** A fixed amount: a wallet that estimates gas never sends a call that will revert. */
const GAS = 1_500_000n

export function openStage({ url, chain, deployment }: Pick<Stage, 'url' | 'chain' | 'deployment'>, walk: Walk): Stage {
  const submit = async ({ name, wallet }: Person, { to, data, value = 0n }: Call, what: string): Promise<Mined> => {
    const client = createWalletClient({ account: wallet, transport: http(url) })
    const hash = await client.sendTransaction({ chain: null, to, data, value, gas: GAS })
    const { blockNumber, status, gasUsed, ...receipt } = await waitForReceipt(chain, hash)
    const logs = receipt.logs.flatMap(({ address, topics: [first, ...more], data }) =>
      first === undefined ? [] : [{ address, topics: [first, ...more] as const, data }],
    )
    const { timestamp } = await chain.client.getBlock({ blockNumber })
    const mined = { hash, block: blockNumber, at: timestamp, logs }
    const block = `block ${blockNumber}, ${gasUsed.toLocaleString('en')} gas`
    walk.step(`${name}: ${what}`)
    if (status === 'success') {
      walk.outcome(true, `mined in ${block}`)
      return { ...mined, revert: null }
    }
    // A reverted call changed nothing, so a repetition at its block reverts for the same reason.
    const replay = await callAt(chain, { from: wallet.address, to, data, blockNumber })
    if (replay.ok || replay.revert === null) throw new Surprise(`${what} failed without a reason: transaction ${hash}`)
    walk.outcome(false, `reverted in ${block}: ${revertText(replay.revert)}`)
    return { ...mined, revert: replay.revert }
  }
  return {
    url,
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

/** Returns a revert as text, with amounts in USDC. */
function revertText({ name, selector, args }: Revert): string {
  const shown = Object.entries(args).map(
    ([key, value]) => `${key} ${typeof value === 'bigint' && AMOUNTS.has(key) ? `${usdcText(value)} USDC` : value}`,
  )
  return `${name ?? selector}(${shown.join(', ')})`
}
