import { prepare, read } from '@svc/chain'
import { usdcText } from '@svc/limits'
import type { Hex } from 'viem'
import { walletUsdc } from '../vault/cast.ts'
import type { Scene } from './scene.ts'
import { recordOwn, walletCall, DEPOSIT } from './vault.ts'
import { refusedNow, type Working } from './trading.ts'

/** The keeper looks every five seconds, and the sweep every two. */
const SWEEP_MS = 45_000

/** The owner takes the agent's power away for a while, and gives it back. */
export async function pauseAndResume(working: Working): Promise<void> {
  const { scene, path } = working
  const { walk, stage, owner, asOwner } = scene
  walk.chapter('Pause and resume')
  const pause = await asOwner(`${path}/pause-call`, 200, { show: ['call'] })
  const paused = await stage.send(owner, walletCall(pause.call), 'vault.revokeAgent()')
  walk.expect('the state', (await recordOwn(scene, path, 'pause', paused.hash)).state, 'paused')
  await refusedNow(working, 'MandateStopped', 'While it is paused the agent may do nothing.')
  const resume = await asOwner(`${path}/resume-call`, 200, { show: ['call'] })
  const resumed = await stage.send(owner, walletCall(resume.call), 'vault.setAgent(agent)')
  walk.expect('the state', (await recordOwn(scene, path, 'resume', resumed.hash)).state, 'working')
}

interface PlanStep {
  readonly n: number
  readonly action: 'stop' | 'unwind' | 'wait' | 'withdraw'
  readonly title: string
  readonly call: { readonly to: string; readonly data: string } | null
  readonly exit_value_usdc: string | null
  readonly exit_cost_usdc: string | null
}

/** The functions behind the steps of a plan. */
const SENT = { stop: 'vault.stop()', unwind: 'vault.unwind(venue.sell)', wait: '', withdraw: 'vault.withdrawAll()' }

/** What came out of the vault, in USDC base units. */
export interface Outcome {
  readonly withdrawn: bigint
  readonly fee: bigint
}

/** Stop in the record, then on the chain; every position is sold, everything is paid out, the agent gets its fee. */
export async function closeAll(working: Working): Promise<Outcome> {
  const { scene, path, vault } = working
  const { walk, stage, owner, agent, agentId, asAgent, asOwner } = scene
  const before = { owner: await walletUsdc(stage, owner), agent: await walletUsdc(stage, agent) }
  walk.chapter('Stop, close everything, withdraw')
  const stopped = await asOwner(`${path}/stop`, 200, { body: {}, show: ['state', 'stopped_in_record_at', 'detail'] })
  walk.expect('whether the vault still lets the agent act', stopped.chain_state.open_until_stopped, true)
  await refusedNow(working, 'server_guard', 'From now on the service itself refuses the agent.')
  const plan = await asOwner(`${path}/close-all-plan`, 200, {
    show: ['exit_value_usdc', 'exit_cost_usdc', 'idle_usdc', 'complete'],
    note: 'The vault is closed by its own stop. The plan says what to send, in order, and what leaving costs.',
  })
  const steps = plan.steps as readonly PlanStep[]
  for (const { n, title, exit_value_usdc: value, exit_cost_usdc: cost } of steps)
    walk.say(`  ${n}. ${title}${value === null ? '' : `, for ${value} USDC; fee and spread ${cost} USDC`}`)
  walk.expect(
    'the plan',
    steps.map(({ action }) => action),
    ['stop', 'unwind', 'withdraw'],
  )
  for (const { action, title, call } of steps) {
    if (call === null) continue
    const { hash } = await stage.send(owner, walletCall(call), `${SENT[action]}: ${title}`)
    const { state } = await recordOwn(scene, path, action, hash)
    // The keeper may settle as soon as the position is sold, and then the withdrawal closes the mandate.
    if (action !== 'withdraw') walk.expect('the state', state, 'stopped')
  }
  await settle(working)
  await asAgent(`/hub/agents/${agentId}/deposit-address`, 200, {
    body: { chain_id: stage.chain.id },
    show: ['address', 'watched'],
    note: 'From now on what arrives at the wallet of the agent is seen.',
  })
  const paid = await stage.send(agent, prepare(stage.chain.id).vault(vault).claimFee(), 'vault.claimFee()')
  await arrived(scene, paid.hash)
  return count(working, before)
}

/** The settlement is the keeper's; the mandate is closed once it stands in the chain. */
async function settle({ scene, path }: Working): Promise<void> {
  const { walk, asOwner } = scene
  walk.say('Nothing is left at the venue, so the keeper settles the vault: waiting for it.')
  await walk.until('the settlement by the keeper', SWEEP_MS, async () => {
    const { state } = await asOwner(path, 200, { quiet: true })
    return state === 'closed'
  })
  await asOwner(path, 200, { show: ['state', 'fees'], note: 'Settled and paid out: closed.' })
}

/** The agent's activity shows what a transaction brought to its wallet. */
async function arrived({ walk, agentId, asAgent }: Scene, txHash: Hex): Promise<void> {
  await walk.until('the deposit in the activity of the agent', SWEEP_MS, async () => {
    const { items } = await asAgent(`/hub/agents/${agentId}/activity?limit=20`, 200, { quiet: true })
    return (items as readonly { kind: string; tx_hash: string | null }[]).some(
      ({ kind, tx_hash }) => kind === 'deposit_confirmed' && tx_hash === txHash,
    )
  })
  await asAgent(`/hub/agents/${agentId}/activity?limit=1`, 200, {
    show: ['items'],
    note: 'Its fee, as the chain shows it.',
  })
}

/** Every USDC that came in went out again: to the owner, and the fee to the agent. */
async function count(
  { scene, vault }: Working,
  before: { readonly owner: bigint; readonly agent: bigint },
): Promise<Outcome> {
  const { walk, stage, owner, agent } = scene
  const books = read(stage.chain).vault(vault)
  const [withdrawn, fee, left] = await Promise.all([books.withdrawn(), books.feeTotal(), books.accounted()])
  const profit = withdrawn + fee - DEPOSIT
  walk.expect('what is left in the vault', left, 0n)
  walk.expect('the fee, a tenth of the profit', fee, profit > 0n ? profit / 10n : 0n)
  walk.expect('what the owner got', (await walletUsdc(stage, owner)) - before.owner, withdrawn)
  walk.expect('what the agent got', (await walletUsdc(stage, agent)) - before.agent, fee)
  const text = usdcText
  walk.say(
    `${text(DEPOSIT)} USDC went in. The owner got ${text(withdrawn)} back and the agent ${text(fee)}, a tenth of the profit of ${text(profit)}.`,
  )
  return { withdrawn, fee }
}
