import { prepare, read } from '@svc/chain'
import { usdcText } from '@svc/limits'
import type { Hex } from 'viem'
import { walletUsdc } from '../people.ts'
import { reportTransaction, walletCall, WORKERS, type Scene, type Working } from './scene.ts'
import { refusedNow } from './trading.ts'
import { DEPOSIT } from './vault.ts'

/** The owner revokes the agent for a while. */
export async function pauseAndResume(working: Working): Promise<void> {
  const { scene, path } = working
  const { walk, stage, owner, asOwner } = scene
  walk.chapter('Pause and resume')
  const pause = await asOwner(`${path}/pause-call`, 200, { show: ['call'] })
  const paused = await stage.send(owner, walletCall(pause.call), 'vault.revokeAgent()')
  await reportTransaction(scene, path, { kind: 'pause', hash: paused.hash, expect: { state: 'paused' } })
  await refusedNow(working, 'MandateStopped', 'The agent may do nothing while the mandate is paused.')
  const resume = await asOwner(`${path}/resume-call`, 200, { show: ['call'] })
  const resumed = await stage.send(owner, walletCall(resume.call), 'vault.setAgent(agent)')
  await reportTransaction(scene, path, { kind: 'resume', hash: resumed.hash, expect: { state: 'working' } })
}

interface PlanStep {
  readonly n: number
  readonly action: 'stop' | 'unwind' | 'wait' | 'withdraw'
  readonly title: string
  readonly call: { readonly to: string; readonly data: string } | null
  readonly exit_value_usdc: string | null
  readonly exit_cost_usdc: string | null
}

/** The contract calls behind the steps of a plan. */
const SENT = { stop: 'vault.stop()', unwind: 'vault.unwind(venue.sell)', wait: '', withdraw: 'vault.withdrawAll()' }

/** The payouts of the vault, in USDC base units. */
export interface Outcome {
  readonly withdrawn: bigint
  readonly fee: bigint
}

/** Stops the mandate in the record and on the chain, sells all positions, and pays out the owner and the agent's fee. */
export async function closeAll(working: Working): Promise<Outcome> {
  const { scene, path, vault } = working
  const { walk, stage, owner, agent, agentId, asAgent, asOwner } = scene
  const before = { owner: await walletUsdc(stage, owner), agent: await walletUsdc(stage, agent) }
  walk.chapter('Stop, close everything, withdraw')
  await asOwner(`${path}/stop`, 200, {
    body: {},
    show: ['state', 'stopped_in_record_at', 'detail'],
    expect: { 'chain_state.open_until_stopped': true },
  })
  await refusedNow(working, 'server_guard', 'The service refuses the agent from now on.')
  const plan = await asOwner(`${path}/close-all-plan`, 200, {
    show: ['exit_value_usdc', 'exit_cost_usdc', 'idle_usdc', 'complete'],
    note: 'Only its own stop closes the vault. The plan lists the transactions in order and the cost of leaving.',
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
    // The keeper may settle as soon as the position is sold; the withdrawal then closes the mandate.
    const expect = action === 'withdraw' ? {} : { state: 'stopped' }
    await reportTransaction(scene, path, { kind: action, hash, expect })
  }
  await settle(working)
  await asAgent(`/hub/agents/${agentId}/deposit-address`, 200, {
    body: { chain_id: stage.chain.id },
    show: ['address', 'watched'],
    note: 'The service watches the wallet of the agent from now on.',
  })
  const paid = await stage.send(agent, prepare(stage.chain.id).vault(vault).claimFee(), 'vault.claimFee()')
  await arrived(scene, paid.hash)
  return count(working, before)
}

/** Waits for the settlement by the keeper, which closes the mandate. */
async function settle({ scene, path }: Working): Promise<void> {
  const { walk, asOwner } = scene
  walk.say('No position is left, so the keeper settles the vault: waiting for it.')
  await walk.until('the settlement by the keeper', WORKERS, async () => {
    const { state } = await asOwner(path, 200, { quiet: true })
    return state === 'closed'
  })
  await asOwner(path, 200, { show: ['state', 'fees'], note: 'Settled and paid out: closed.' })
}

/** Waits until the agent's activity shows a payment to its wallet. */
async function arrived({ walk, agentId, asAgent }: Scene, txHash: Hex): Promise<void> {
  await walk.until('the deposit in the activity of the agent', WORKERS, async () => {
    const { items } = await asAgent(`/hub/agents/${agentId}/activity?limit=20`, 200, { quiet: true })
    return (items as readonly { kind: string; tx_hash: string | null }[]).some(
      ({ kind, tx_hash }) => kind === 'deposit_confirmed' && tx_hash === txHash,
    )
  })
  await asAgent(`/hub/agents/${agentId}/activity?limit=1`, 200, {
    show: ['items'],
    note: 'The fee of the agent, read from the chain.',
  })
}

/** Every USDC that came in must have left again: to the owner, and as fee to the agent. */
async function count(
  { scene, vault }: Working,
  before: { readonly owner: bigint; readonly agent: bigint },
): Promise<Outcome> {
  const { walk, stage, owner, agent } = scene
  const books = read(stage.chain).vault(vault)
  const [withdrawn, fee, left] = await Promise.all([books.withdrawn(), books.feeTotal(), books.accounted()])
  const profit = withdrawn + fee - DEPOSIT
  walk.expect('the rest in the vault', left, 0n)
  walk.expect('the fee, a tenth of the profit', fee, profit > 0n ? profit / 10n : 0n)
  walk.expect('the payout to the owner', (await walletUsdc(stage, owner)) - before.owner, withdrawn)
  walk.expect('the payout to the agent', (await walletUsdc(stage, agent)) - before.agent, fee)
  const text = usdcText
  walk.say(
    `${text(DEPOSIT)} USDC went in. The owner got back ${text(withdrawn)}, the agent ${text(fee)}: a tenth of the profit of ${text(profit)}.`,
  )
  return { withdrawn, fee }
}
