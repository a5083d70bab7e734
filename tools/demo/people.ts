import { randomBytes } from 'node:crypto'
import { prepare, read, type MandateTerms } from '@svc/chain'
import { stringToHex, toFunctionSelector, zeroAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { DevWallets } from '#dev/dev-wallets.ts'
import type { Person, Stage } from './chain-stage.ts'
import type { Walk } from './walk.ts'

/** The people of a vault. Owner, agent and fee recipient have new wallets. */
export interface Cast {
  readonly owner: Person
  readonly agent: Person
  readonly recipient: Person
  readonly keeper: Person
  /** Sets the prices of the test venue. */
  readonly venueOwner: Person
}

export const USDC = 1_000_000n
const GAS_MONEY = 10n ** 17n

/** Returns a person with a new wallet. */
export const newcomer = (name: string): Person => ({ name, wallet: privateKeyToAccount(generatePrivateKey()) })

/** Sends people the ether for their transactions from a demo wallet. */
export async function giveGas(stage: Stage, wallets: DevWallets, people: readonly Person[]): Promise<void> {
  const sponsor: Person = { name: 'demo wallet', wallet: wallets.demo[0] }
  for (const { name, wallet } of people)
    await stage.send(sponsor, { to: wallet.address, data: '0x', value: GAS_MONEY }, `0.1 test ETH to the ${name}`)
}

/** Mints 1,000 test USDC to a person. */
export async function takeFromFaucet(stage: Stage, person: Person): Promise<void> {
  const { chain, deployment } = stage
  await stage.send(person, prepare(chain.id).usdc(deployment.contracts.usdc.address).faucet(), 'usdc.faucet()')
}

/** Returns the people of a run: all have ether, and the owner has USDC. */
export async function assemble(stage: Stage, wallets: DevWallets): Promise<Cast> {
  const [owner, agent, recipient] = [newcomer('owner'), newcomer('agent'), newcomer('fee recipient')]
  await giveGas(stage, wallets, [owner, agent, recipient])
  await takeFromFaucet(stage, owner)
  return { owner, agent, recipient, ...houseOf(wallets) }
}

/** Returns the people who have the same wallets on every local chain. */
export const houseOf = (wallets: DevWallets): Pick<Cast, 'keeper' | 'venueOwner'> => ({
  keeper: { name: 'keeper', wallet: wallets.keeper },
  venueOwner: { name: 'venue', wallet: wallets.admin },
})

/** Returns a market for one run, so that its prices affect no other run. */
export const freshMarket = (): Hex => stringToHex(`DEMO-${randomBytes(4).toString('hex').toUpperCase()}`, { size: 32 })

type Limits = Pick<
  MandateTerms,
  'budget' | 'perTxCap' | 'dailyCap' | 'approvalAbove' | 'stopLine' | 'endsAt' | 'feeBps'
>

/** Returns terms that let the agent only buy, sell and redeem at the test venue. */
export function termsFor({ deployment }: Stage, { owner, agent, recipient }: Cast, limits: Limits): MandateTerms {
  const { usdc, venue } = deployment.contracts
  const functions = ['buy(bytes32,uint256,uint256)', 'sell(bytes32,uint256,uint256)', 'redeem(bytes32)']
  return {
    mandateId: `demo-${randomBytes(6).toString('hex')}`,
    owner: owner.wallet.address,
    agent: agent.wallet.address,
    feeRecipient: recipient.wallet.address,
    usdc: usdc.address,
    legGateway: zeroAddress,
    legBudget: 0n,
    ...limits,
    markets: [
      {
        id: 'test-venue',
        title: 'Test venue',
        calls: functions.map((text) => ({ target: venue.address, selector: toFunctionSelector(text) })),
      },
    ],
  }
}

/** Returns the USDC in a person's wallet, in base units. */
export function walletUsdc({ chain, deployment }: Stage, { wallet }: Person): Promise<bigint> {
  return read(chain).usdc(deployment.contracts.usdc.address).balanceOf({ account: wallet.address })
}

const MIDNIGHT_MARGIN_SECONDS = 90

/** Waits until midnight UTC has passed if it is near: the daily cap resets then, and the demo would be refused less than it expects. */
export async function awayFromMidnight(walk: Walk): Promise<void> {
  const timeoutMs = (MIDNIGHT_MARGIN_SECONDS + 5) * 1_000
  const note = 'It is almost midnight UTC, when the daily cap resets: waiting until it has passed.'
  await walk.until(
    'midnight',
    { timeoutMs, note },
    () => 86_400 - ((Date.now() / 1000) % 86_400) > MIDNIGHT_MARGIN_SECONDS,
  )
}
