import { setTimeout as delay } from 'node:timers/promises'
import { prepare, waitForReceipt } from '@svc/chain'
import { usdcText } from '@svc/limits'
import { createWalletClient, http, stringToHex, type Address, type Hex } from 'viem'
import type { LocalChain } from '../chain.ts'
import { amountsFor, type Limits } from './amounts.ts'
import { askApi, type AgentPerson, type AskApi } from './people.ts'

/** Steps of the demo agent under one mandate, in order. */
export const WORK = ['accepts', 'waits_for_money', 'trades', 'is_refused', 'asks_approval', 'acts_on_decision'] as const
type Step = (typeof WORK)[number]

/** How far the demo agent is under a mandate. */
export interface AgentWork {
  readonly public_id: string
  readonly status: 'idle' | 'working' | 'done' | 'failed'
  readonly steps: readonly { readonly key: Step; readonly at: string; readonly detail: string }[]
  /** Why it stopped; null unless it failed. */
  readonly problem: string | null
}

/** The demo agent: trades once, is refused once and asks once, by public routes and its own key. */
export interface DemoAgent {
  /** Starts the work under a mandate that names the agent, or starts it again; while it works, answers how far it is. */
  work(publicId: string): AgentWork
  read(publicId: string): AgentWork
  /** Ends all work. */
  stop(): Promise<void>
}

const MARKET = stringToHex('BTC', { size: 32 })
const MANDATES_MAX = 50
const POLL_MS = 1_000
/** How long the agent waits for the money of the owner, and for a decision. */
const WAIT_MS = 30 * 60_000

interface Means {
  readonly chain: LocalChain
  readonly baseUrl: string
  /** Resolves when the agent is enrolled. */
  readonly agent: () => Promise<AgentPerson>
}

interface Task {
  readonly ask: AskApi
  readonly agent: AgentPerson
  readonly chain: LocalChain
  readonly path: string
  readonly signal: AbortSignal
  readonly did: (key: Step, detail: string) => void
}

interface Detail {
  readonly state: string
  readonly agent: { readonly agent_id: number; readonly accepted_at: string | null } | null
  readonly limits: Limits
  readonly usage: { readonly left_usdc: string } | null
}

/** Returns the demo agent; it does nothing before it is asked to work. */
export function openDemoAgent({ chain, baseUrl, agent }: Means): DemoAgent {
  const works = new Map<string, AgentWork>()
  const stopped = new AbortController()
  const running = new Set<Promise<void>>()
  const read = (publicId: string): AgentWork =>
    works.get(publicId) ?? { public_id: publicId, status: 'idle', steps: [], problem: null }
  const change = (publicId: string, part: Partial<AgentWork>) => works.set(publicId, { ...read(publicId), ...part })
  const run = async (publicId: string) => {
    try {
      await day({
        ask: askApi(baseUrl),
        agent: await agent(),
        chain,
        path: `/hub/mandates/${publicId}`,
        signal: stopped.signal,
        did: (key, detail) =>
          change(publicId, { steps: [...read(publicId).steps, { key, at: new Date().toISOString(), detail }] }),
      })
      change(publicId, { status: 'done' })
    } catch (error) {
      change(publicId, { status: 'failed', problem: error instanceof Error ? error.message : 'unknown' })
    }
  }
  return {
    read,
    work: (publicId) => {
      const { status } = read(publicId)
      if (status === 'working' || stopped.signal.aborted) return read(publicId)
      const oldest = works.keys().next().value
      if (works.size >= MANDATES_MAX && oldest !== undefined) works.delete(oldest)
      works.set(publicId, { public_id: publicId, status: 'working', steps: [], problem: null })
      const work = run(publicId).finally(() => running.delete(work))
      running.add(work)
      return read(publicId)
    },
    stop: async () => {
      stopped.abort()
      await Promise.all(running)
    },
  }
}

/** The whole work of the agent under one mandate. */
async function day(task: Task): Promise<void> {
  const first = await detailOf(task)
  if (first.agent?.agent_id !== task.agent.id) throw new Error('The mandate names another agent.')
  if (first.agent.accepted_at === null) {
    await task.ask(`${task.path}/accept`, [200], { key: task.agent.key, body: {} })
    task.did('accepts', 'The agent accepts the mandate.')
  }
  const { limits, usage } = await until(task, async () => {
    const found = await detailOf(task)
    if (['stopped', 'ended', 'closed'].includes(found.state)) throw new Error('The mandate is over.')
    return found.state === 'working' && found.usage !== null ? found : null
  })
  task.did('waits_for_money', 'The vault has money, so the agent may begin.')
  const amounts = amountsFor(limits, usage?.left_usdc ?? '0')
  if (amounts.inside === null) throw new Error('The limits leave nothing to trade today.')
  await buy(task, amounts.inside)
  task.did('trades', `Bought for ${usdcText(amounts.inside)} USDC.`)
  const refused = await task.ask(executionOf(task, amounts.above), [409], { key: task.agent.key })
  task.did('is_refused', `Asked for ${usdcText(amounts.above)} USDC: ${String(refused.body['detail'])}`)
  if (amounts.held === null) {
    task.did('asks_approval', 'These limits hold nothing for approval.')
    return
  }
  await askFor(task, amounts.held)
}

async function askFor(task: Task, amount: bigint): Promise<void> {
  const { key } = task.agent
  const held = await task.ask(executionOf(task, amount), [202], { key })
  const { approval_id: id } = held.body['approval'] as { approval_id: string }
  task.did('asks_approval', `Waits for your decision on ${usdcText(amount)} USDC.`)
  const decided = await until(task, async () => {
    const { body } = await task.ask(`${task.path}/approvals?approval_id=${id}`, [200], { key })
    const [item] = body['items'] as readonly { status: string }[]
    return item === undefined || item.status === 'pending' ? null : item.status
  })
  if (decided !== 'approved') return task.did('acts_on_decision', `The request is ${decided}, so the agent leaves it.`)
  await buy(task, amount)
  task.did('acts_on_decision', `You approved, so the agent bought for ${usdcText(amount)} USDC.`)
}

const venueOf = ({ chain }: Task): Address => chain.deployment.contracts.venue.address

function executionOf(task: Task, amount: bigint): string {
  const target = venueOf(task)
  const { data } = prepare(task.chain.chain.id).venue(target).buy({ m: MARKET, usdcIn: amount, minUnits: 1n })
  return `${task.path}/execute-call?target=${target}&data=${data}&approve_amount_usdc=${usdcText(amount)}`
}

/** Asks for the call, sends it from the wallet of the agent and reports it. */
async function buy(task: Task, amount: bigint): Promise<void> {
  const { agent, chain } = task
  const { body } = await task.ask(executionOf(task, amount), [200], { key: agent.key })
  const { to, data } = body['call'] as { to: Address; data: Hex }
  const wallet = createWalletClient({ account: agent.wallet, transport: http(chain.url) })
  const hash = await wallet.sendTransaction({ chain: null, to, data })
  const { status } = await waitForReceipt(chain.chain, hash)
  if (status !== 'success') throw new Error(`The vault refused the transaction ${hash}.`)
  await task.ask(`${task.path}/events`, [201, 202], {
    key: agent.key,
    body: {
      kind: 'buy',
      side: 'buy',
      market: 'testvenue',
      amount_usdc: usdcText(amount),
      tx_hash: hash,
      occurred_at: new Date().toISOString(),
    },
  })
}

async function detailOf({ ask, path, agent }: Task): Promise<Detail> {
  const { body } = await ask(path, [200], { key: agent.key })
  return body as unknown as Detail
}

/** Asks again every second until there is an answer; throws when it takes too long or the platform stops. */
async function until<T>({ signal }: Task, attempt: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    const found = await attempt()
    if (found !== null) return found
    if (performance.now() > deadline) throw new Error('The agent waited for half an hour and gave up.')
    await delay(POLL_MS, undefined, { signal })
  }
}
