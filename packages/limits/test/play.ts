import { mandateVaultV2Abi, testUSDCAbi, testVenueAbi } from '@svc/vault'
import {
  encodeErrorResult,
  encodeFunctionData,
  pad,
  toFunctionSelector,
  toHex,
  type Address,
  type EncodeErrorResultParameters,
  type Hex,
} from 'viem'
import {
  apply,
  closesAt,
  legFallback,
  newVault,
  nextUtcMidnight,
  nobody,
  settleGrace,
  type Holdings,
  type Terms,
  type Vault,
  type VaultError,
} from '../src/index.ts'
import type { Moment } from './amounts.ts'
import { firstDay, firstPrice, market, parties, richly, type Contracts } from './parties.ts'
import type { Script, Step, TermsChoice } from './script.ts'
import { transactionOf, type OutsideStep, type VaultTransaction } from './transactions.ts'
import { expectedViews } from './views.ts'

/** A transaction, its expected answer, and the expected views after it. */
export interface Expected {
  readonly step: Step
  readonly at: bigint
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  /** Name of the successful call or of the error; null for a step outside the vault. */
  readonly outcome: string | null
  readonly reverted: boolean
  /** Exact return or revert data; null if it is not compared. */
  readonly answer: Hex | null
  readonly views: readonly bigint[]
}

/** Returns the terms of a script, with every kind of allowed call. */
export function termsOf(choice: TermsChoice, contracts: Contracts): Terms {
  return {
    owner: parties.owner,
    agent: parties.agent,
    feeRecipient: parties.agent,
    usdc: contracts.usdc,
    legGateway: choice.leg ? contracts.gateway : nobody,
    budget: BigInt(choice.budget),
    perTxCap: BigInt(choice.perTxCap),
    dailyCap: BigInt(choice.dailyCap),
    approvalAbove: null,
    stopLine: BigInt(choice.stopLine),
    legBudget: choice.leg ? BigInt(choice.legBudget) : 0n,
    endsAt: createdAt(choice) + BigInt(choice.lasts),
    feeBps: BigInt(choice.feeBps),
    calls: [
      { target: contracts.venue, selector: toFunctionSelector('buy(bytes32,uint256,uint256)') },
      { target: contracts.venue, selector: toFunctionSelector('sell(bytes32,uint256,uint256)') },
      { target: contracts.script, selector: toFunctionSelector('run((address,bytes,bool)[],bytes)') },
      // Selectors that equal short calldata after padding.
      { target: contracts.venue, selector: '0xa9059c00' },
      { target: contracts.script, selector: '0x00000000' },
    ],
  }
}

/** Returns the second at which the vault of a script is created. */
export const createdAt = (choice: TermsChoice): bigint => firstDay * 86_400n + BigInt(choice.createdAt)

/** Runs a script on the engine. Returns every transaction with its expected answer and views. */
export function play(script: Script, contracts: Contracts, vaultAddress: Address): Expected[] {
  const terms = termsOf(script.terms, contracts)
  const version = script.terms.leg ? 2 : 1
  const of: Vault = {
    terms,
    address: vaultAddress,
    factory: contracts.factory[version],
    implementation: contracts.implementation[version],
    isVault: (address) => address === vaultAddress,
    keeper: parties.keeper,
  }
  let at = createdAt(script.terms)
  let now: Holdings = { vault: newVault(terms.agent), balance: 0n }
  let venue = { price: firstPrice, units: 0n }
  let wallets = { owner: richly, feeRecipient: 0n }
  let otherTokens = 0n
  const expected: Expected[] = []

  const expectVault = (step: Step, { call, units, ...sent }: VaultTransaction): void => {
    const outcome = apply(of, now, call)
    const { from, to, data } = sent
    if ('name' in outcome) {
      const views = expectedViews(terms, now, wallets, at)
      const answer = errorData(outcome)
      expected.push({ step, at, from, to, data, outcome: outcome.name, reverted: true, answer, views })
      return
    }
    now = { vault: outcome.vault, balance: outcome.balance }
    venue = { ...venue, units }
    if (call.name === 'withdrawAll') wallets = { ...wallets, owner: wallets.owner + outcome.paid }
    if (call.name === 'claimFee') wallets = { ...wallets, feeRecipient: wallets.feeRecipient + outcome.paid }
    if (call.name === 'deposit' || call.name === 'transfer')
      wallets = { ...wallets, owner: wallets.owner - call.amount }
    if (call.name === 'rescue') otherTokens -= outcome.paid
    const answer = call.name === 'withdrawAll' || call.name === 'claimFee' ? pad(toHex(outcome.paid)) : null
    const views = expectedViews(terms, now, wallets, at)
    expected.push({ step, at, from, to, data, outcome: call.name, reverted: false, answer, views })
  }

  const expectOutside = (step: OutsideStep): void => {
    const outside = { step, at, outcome: null, reverted: false, answer: null }
    switch (step.do) {
      case 'gift': {
        otherTokens += 7n
        const data = encodeFunctionData({ abi: testUSDCAbi, functionName: 'transfer', args: [vaultAddress, 7n] })
        const views = expectedViews(terms, now, wallets, at)
        expected.push({ ...outside, from: parties.owner, to: contracts.otherToken, data, views })
        return
      }
      case 'price': {
        const price = (venue.price * BigInt(step.percent)) / 100n
        venue = { ...venue, price: price < 1_000n || price > 10n ** 12n ? firstPrice : price }
        const data = encodeFunctionData({ abi: testVenueAbi, functionName: 'setPrice', args: [market, venue.price] })
        const views = expectedViews(terms, now, wallets, at)
        expected.push({ ...outside, from: parties.operator, to: contracts.venue, data, views })
        return
      }
      case 'wait': {
        const closed = closesAt(terms, now.vault)
        const moments = {
          later: at,
          midnight: nextUtcMidnight(at),
          end: terms.endsAt,
          grace: closed + settleGrace,
          fallback: closed + legFallback,
        }
        const then = moments[step.until] + BigInt(step.plus)
        if (then > at) at = then
      }
    }
  }

  for (const step of script.steps) {
    const moment: Moment = { terms, vaultAddress, contracts, at, now, venue, otherTokens }
    if (step.do === 'gift' || step.do === 'price' || step.do === 'wait') expectOutside(step)
    else if (script.terms.leg || !legSteps.includes(step.do)) expectVault(step, transactionOf(step, moment))
  }
  return expected
}

/** Steps that a vault without a leg does not have. */
const legSteps: readonly Step['do'][] = ['fundLeg', 'giveBack', 'onLegReturn']

function errorData({ name, args }: VaultError): Hex {
  return encodeErrorResult({ abi: mandateVaultV2Abi, errorName: name, args } as EncodeErrorResultParameters)
}
