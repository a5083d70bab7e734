import { randomBytes } from 'node:crypto'
import { prepare, read, type MandateTerms } from '@svc/chain'
import { stringToHex, toFunctionSelector, zeroAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { DevWallets } from '#dev/dev-wallets.ts'
import type { Person, Stage } from './stage.ts'

/** Everybody who plays. Owner, agent and fee recipient have wallets that nobody used before. */
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

/** Somebody with a wallet that nobody used before. */
export const newcomer = (name: string): Person => ({ name, wallet: privateKeyToAccount(generatePrivateKey()) })

/** Gives people the ether that their transactions cost, from a demo wallet. */
export async function giveGas(stage: Stage, wallets: DevWallets, people: readonly Person[]): Promise<void> {
  const sponsor: Person = { name: 'demo wallet', wallet: wallets.demo[0] }
  for (const { name, wallet } of people)
    await stage.send(sponsor, { to: wallet.address, data: '0x', value: GAS_MONEY }, `0.1 test ETH to the ${name}`)
}

/** Gives somebody 1,000 test USDC. */
export async function takeFromFaucet(stage: Stage, person: Person): Promise<void> {
  const { chain, deployment } = stage
  await stage.send(person, prepare(chain.id).usdc(deployment.contracts.usdc.address).faucet(), 'usdc.faucet()')
}

/** New people for a run: with ether, and the owner with USDC. */
export async function assemble(stage: Stage, wallets: DevWallets): Promise<Cast> {
  const [owner, agent, recipient] = [newcomer('owner'), newcomer('agent'), newcomer('fee recipient')]
  await giveGas(stage, wallets, [owner, agent, recipient])
  await takeFromFaucet(stage, owner)
  return { owner, agent, recipient, ...houseOf(wallets) }
}

/** Those whose wallets are the same on every local chain. */
export const houseOf = (wallets: DevWallets): Pick<Cast, 'keeper' | 'venueOwner'> => ({
  keeper: { name: 'keeper', wallet: wallets.keeper },
  venueOwner: { name: 'venue', wallet: wallets.admin },
})

/** A market of this run alone, so that its prices disturb nobody else. */
export const freshMarket = (): Hex => stringToHex(`DEMO-${randomBytes(4).toString('hex').toUpperCase()}`, { size: 32 })

type Limits = Pick<
  MandateTerms,
  'budget' | 'perTxCap' | 'dailyCap' | 'approvalAbove' | 'stopLine' | 'endsAt' | 'feeBps'
>

/** Terms that let the agent buy, sell and redeem at the test venue, and nothing else. */
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

/** USDC that a person has in the wallet. */
export function walletUsdc({ chain, deployment }: Stage, { wallet }: Person): Promise<bigint> {
  return read(chain).usdc(deployment.contracts.usdc.address).balanceOf({ account: wallet.address })
}
