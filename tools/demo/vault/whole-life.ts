import { prepare } from '@svc/chain'
import { Surprise } from '../request.ts'
import type { DevWallets } from '#dev/dev-wallets.ts'
import { actsOf, type Acts } from './acts.ts'
import { assemble, freshMarket, termsFor, USDC, walletUsdc, type Cast } from './cast.ts'
import { count } from './count.ts'
import { createVault } from './create.ts'
import { awayFromMidnight } from './midnight.ts'
import type { Stage } from './stage.ts'

const MONTH_SECONDS = 30n * 86_400n
/** Enough to create and fund a vault and to buy once. */
const SHORT_TERM_SECONDS = 12n

/** A vault's whole life, twice more what can end one early, and a count of all money at the end. */
export async function wholeLife(stage: Stage, wallets: DevWallets): Promise<void> {
  const { walk } = stage
  await awayFromMidnight(walk)
  walk.chapter('People and their wallets')
  const cast = await assemble(stage, wallets)
  const before = await walletUsdc(stage, cast.owner)
  const first = await tradedVault(stage, cast)
  const short = await shortVault(stage, cast)
  const fallen = await fallenVault(stage, cast)
  await endOf(stage, cast, short)
  await count(stage, cast, before, [first, short, fallen])
}

/** Terms, deposit, trades, every refusal of a cap, pause, resume, stop, unwind, settlement, withdrawal, fee. */
async function tradedVault(stage: Stage, cast: Cast): Promise<Acts> {
  const { walk, chain, deployment } = stage
  const { owner, agent } = cast
  walk.chapter('Terms, signed as typed data')
  const acts = await open(stage, cast, {
    budget: 800n * USDC,
    perTxCap: 100n * USDC,
    dailyCap: 250n * USDC,
    approvalAbove: 90n * USDC,
    stopLine: 100n * USDC,
    endsAt: (await now(stage)) + MONTH_SECONDS,
    feeBps: 1_000n,
  })
  const { mandate } = acts

  walk.chapter('Deposit and trade')
  await acts.setPrice(100n * USDC)
  await acts.deposit(600n * USDC)
  await acts.tell()
  await acts.buy(80n * USDC)
  await acts.buy(60n * USDC)
  await acts.setPrice(125n * USDC)
  await acts.sell(mandate.books().units / 2n)
  await acts.tell()

  walk.chapter('Refused: what the terms do not allow')
  walk.say('The agent tries to send itself the money of the vault.')
  const usdc = deployment.contracts.usdc.address
  const theft = prepare(chain.id)
    .usdc(usdc)
    .transfer({ to: agent.wallet.address, value: 400n * USDC })
  const stealing = { target: usdc, data: theft.data, amount: 0n }
  await mandate.refuse(agent, stealing, 'TargetNotAllowed', 'vault.execute(usdc.transfer to itself)')
  await refusedBuy(acts, cast, 150n, 'OverPerTxCap')
  walk.say('Clause 6 is the guard’s: 95 USDC is above the approval amount, and the contract knows nothing of it.')
  const held = await mandate.judge(agent, acts.buying(95n * USDC), false)
  walk.expect('the word of the guard', held.code, 'approval_required')
  await acts.buy(90n * USDC)
  await refusedBuy(acts, cast, 50n, 'OverDailyCap')

  walk.chapter('Pause and resume')
  await acts.pause()
  await refusedBuy(acts, cast, 10n, 'MandateStopped', 3)
  await acts.resume()
  await acts.buy(10n * USDC)
  walk.say('While the vault is open its owner stops it first, then withdraws.')
  walk.expect('the lock', await acts.withdrawLocked(), 1)

  walk.chapter('Stop, unwind, settle, withdraw')
  await acts.stop()
  await refusedBuy(acts, cast, 10n, 'MandateStopped', 1)
  await acts.unwindAll(owner)
  await close(acts)
  await acts.claimFee()
  await acts.tell()
  return acts
}

/** A vault whose end is near, with a position left open. */
async function shortVault(stage: Stage, cast: Cast): Promise<Acts> {
  stage.walk.chapter('A second vault, which ends soon')
  const acts = await open(stage, cast, {
    budget: 100n * USDC,
    perTxCap: 50n * USDC,
    dailyCap: 100n * USDC,
    approvalAbove: null,
    stopLine: 0n,
    endsAt: (await now(stage)) + SHORT_TERM_SECONDS,
    feeBps: 2_000n,
  })
  await acts.setPrice(50n * USDC)
  await acts.deposit(50n * USDC)
  await acts.buy(20n * USDC)
  return acts
}

/** A vault that the stop line closes after a fall of the price. */
async function fallenVault(stage: Stage, cast: Cast): Promise<Acts> {
  const { walk } = stage
  walk.chapter('A third vault, and the stop line')
  const acts = await open(stage, cast, {
    budget: 200n * USDC,
    perTxCap: 100n * USDC,
    dailyCap: 200n * USDC,
    approvalAbove: null,
    stopLine: 150n * USDC,
    endsAt: (await now(stage)) + MONTH_SECONDS,
    feeBps: 1_000n,
  })
  await acts.setPrice(100n * USDC)
  await acts.deposit(200n * USDC)
  await acts.buy(80n * USDC)
  walk.say('The keeper marks the vault above the line, which changes nothing.')
  await acts.mark()
  await acts.setPrice(30n * USDC)
  await acts.mark()
  walk.expect('the reason of the stop', acts.mandate.books().vault.stopReason, 2)
  await refusedBuy(acts, cast, 10n, 'MandateStopped', 2)
  walk.say('The agent may still close what it opened.')
  await acts.unwindAll(cast.agent)
  await close(acts)
  await acts.tell()
  return acts
}

async function endOf({ walk }: Stage, cast: Cast, acts: Acts): Promise<void> {
  walk.chapter('The end of the second vault')
  const { endsAt } = acts.mandate.account.vault.terms
  const waitMs = Number(SHORT_TERM_SECONDS) * 2_000
  await walk.until('the end of the mandate', waitMs, async () => Date.now() / 1000 >= Number(endsAt))
  await refusedBuy(acts, cast, 10n, 'MandateEnded')
  walk.say('For a day only the keeper can let the owner out: it settles once no position is left.')
  walk.expect('the lock', await acts.withdrawLocked(), 2)
  await acts.setPrice(60n * USDC)
  await acts.unwindAll(cast.agent)
  await close(acts)
  await acts.claimFee()
  await acts.tell()
}

async function open(stage: Stage, cast: Cast, limits: Parameters<typeof termsFor>[2]): Promise<Acts> {
  const terms = termsFor(stage, cast, limits)
  return actsOf(stage, cast, await createVault(stage, cast.owner, cast.agent, terms, freshMarket()))
}

async function close(acts: Acts): Promise<void> {
  await acts.settle()
  await acts.withdraw()
}

type Kind = Parameters<Acts['mandate']['refuse']>[2]

async function refusedBuy(
  { mandate, buying }: Acts,
  { agent }: Cast,
  usdc: bigint,
  kind: Kind,
  reason?: number,
): Promise<void> {
  const what = `vault.execute(venue.buy for ${usdc} USDC)`
  const { args } = await mandate.refuse(agent, buying(usdc * USDC), kind, what)
  if (args['reason'] !== reason) throw new Surprise(`the reason of the stop is ${args['reason']}, not ${reason}`)
}

/** Time of the next block at the least: the newest one of a quiet chain is a minute old. */
async function now({ chain }: Stage): Promise<bigint> {
  const { timestamp } = await chain.client.getBlock()
  const clock = BigInt(Math.floor(Date.now() / 1000))
  return clock > timestamp ? clock : timestamp
}
