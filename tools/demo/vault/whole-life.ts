import { prepare } from '@svc/chain'
import { usdcText } from '@svc/limits'
import { Surprise } from '../request.ts'
import type { DevWallets } from '#dev/dev-wallets.ts'
import { actsOf, type Acts } from './acts.ts'
import { assemble, awayFromMidnight, freshMarket, termsFor, USDC, walletUsdc, type Cast } from '../people.ts'
import { createVault } from './create.ts'
import type { Stage } from '../chain-stage.ts'

const MONTH_SECONDS = 30n * 86_400n
/** Enough to create and fund a vault and to buy once. */
const SHORT_TERM_SECONDS = 12n

/** Plays a vault's whole life and two vaults that end early, then counts all money. */
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

/** Plays terms, deposit, trades, the refusals of all caps, pause, resume, stop, unwinding, settlement, withdrawal and fee. */
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
  await acts.printBooks()
  await acts.buy(80n * USDC)
  await acts.buy(60n * USDC)
  await acts.setPrice(125n * USDC)
  await acts.sell(mandate.books().units / 2n)
  await acts.printBooks()

  walk.chapter('Refused: what the terms do not allow')
  walk.say('The agent tries to send the money of the vault to itself.')
  const usdc = deployment.contracts.usdc.address
  const theft = prepare(chain.id)
    .usdc(usdc)
    .transfer({ to: agent.wallet.address, value: 400n * USDC })
  const stealing = { target: usdc, data: theft.data, amount: 0n }
  await mandate.refuse(agent, stealing, 'TargetNotAllowed', 'vault.execute(usdc.transfer to itself)')
  await refusedBuy(acts, cast, 150n, 'OverPerTxCap')
  walk.say('95 USDC is above the approval amount. The guard enforces clause 6; the contract does not know it.')
  const held = await mandate.judge(agent, acts.buying(95n * USDC), false)
  walk.expect('the code of the guard', held.code, 'approval_required')
  await acts.buy(90n * USDC)
  await refusedBuy(acts, cast, 50n, 'OverDailyCap')

  walk.chapter('Pause and resume')
  await acts.pause()
  await refusedBuy(acts, cast, 10n, 'MandateStopped', 3)
  await acts.resume()
  await acts.buy(10n * USDC)
  walk.say('The owner can withdraw only after stopping the vault.')
  walk.expect('the lock', await acts.withdrawLocked(), 1)

  walk.chapter('Stop, unwind, settle, withdraw')
  await acts.stop()
  await refusedBuy(acts, cast, 10n, 'MandateStopped', 1)
  await acts.unwindAll(owner)
  await close(acts)
  await acts.claimFee()
  await acts.printBooks()
  return acts
}

/** Opens a vault that ends in seconds, with an open position. */
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

/** Plays a vault that the stop line closes after the price fell. */
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
  walk.say('The keeper reports a worth above the stop line: nothing changes.')
  await acts.mark()
  await acts.setPrice(30n * USDC)
  await acts.mark()
  walk.expect('the reason of the stop', acts.mandate.books().vault.stopReason, 2)
  await refusedBuy(acts, cast, 10n, 'MandateStopped', 2)
  walk.say('The agent may still close its positions.')
  await acts.unwindAll(cast.agent)
  await close(acts)
  await acts.printBooks()
  return acts
}

async function endOf({ walk }: Stage, cast: Cast, acts: Acts): Promise<void> {
  walk.chapter('The end of the second vault')
  const { endsAt } = acts.mandate.account.vault.terms
  const waitMs = Number(SHORT_TERM_SECONDS) * 2_000
  await walk.until('the end of the mandate', { timeoutMs: waitMs }, () => Date.now() / 1000 >= Number(endsAt))
  await refusedBuy(acts, cast, 10n, 'MandateEnded')
  walk.say('For a day the owner can withdraw only after the keeper settled, which needs all positions closed.')
  walk.expect('the lock', await acts.withdrawLocked(), 2)
  await acts.setPrice(60n * USDC)
  await acts.unwindAll(cast.agent)
  await close(acts)
  await acts.claimFee()
  await acts.printBooks()
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

/** Returns the earliest time of the next block; the newest block of a quiet chain may be a minute old. */
async function now({ chain }: Stage): Promise<bigint> {
  const { timestamp } = await chain.client.getBlock()
  const clock = BigInt(Math.floor(Date.now() / 1000))
  return clock > timestamp ? clock : timestamp
}

/** Every USDC that came in must have left again: to the owner, or as the fee on the profit. */
async function count(stage: Stage, cast: Cast, before: bigint, lives: readonly Acts[]): Promise<void> {
  const { walk } = stage
  walk.chapter('The count')
  let [profits, fees] = [0n, 0n]
  for (const { mandate } of lives) {
    const { vault, balance, units } = mandate.books()
    const { terms } = mandate.account.vault
    const profit = vault.withdrawn + vault.feeTotal - vault.principal
    walk.expect(
      'what is left in the vault',
      { balance, units, owed: vault.feeOwed },
      { balance: 0n, units: 0n, owed: 0n },
    )
    walk.expect('the fee', vault.feeTotal, profit > 0n ? (profit * terms.feeBps) / 10_000n : 0n)
    walk.say(
      `Vault ${mandate.account.vault.address}: ${usdcText(vault.principal)} in, ${usdcText(vault.withdrawn)} out, ` +
        `${signed(profit)} by trading, ${usdcText(vault.feeTotal)} fee.`,
    )
    profits += profit
    fees += vault.feeTotal
  }
  const [after, fee] = [await walletUsdc(stage, cast.owner), await walletUsdc(stage, cast.recipient)]
  walk.expect('what the fee recipient has', fee, fees)
  walk.expect('what the owner has', after, before + profits - fees)
  walk.say(`Owner: ${usdcText(before)} before, ${usdcText(after)} after. Fee recipient: ${usdcText(fee)}.`)
}

const signed = (amount: bigint) => (amount < 0n ? `-${usdcText(-amount)}` : usdcText(amount))
