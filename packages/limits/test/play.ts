import { mandateVaultV2Abi, testLegGatewayAbi, testUSDCAbi, testVenueAbi } from '@svc/vault'
import { encodeErrorResult, encodeFunctionData, pad, toFunctionSelector, toHex, type Address, type Hex } from 'viem'
import {
  apply,
  assess,
  closesAt,
  depositRoom,
  legFallback,
  legRoom,
  newVault,
  nextUtcMidnight,
  nobody,
  phaseAt,
  settleGrace,
  unrecognised,
  usageAt,
  withdrawLock,
  type Holdings,
  type Terms,
  type Vault,
  type VaultCall,
  type VaultError,
} from '../src/index.ts'
import { firstDay, firstPrice, market, parties, richly, type Contracts } from './parties.ts'
import type { Amount, Script, Step, TermsChoice, Who } from './script.ts'
import { planTarget, type TargetPlan } from './target-model.ts'

/** One transaction, what it must answer, and what the views must read after it. */
export interface Expected {
  readonly step: Step
  readonly at: bigint
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly reverts: boolean
  /** Exact return or revert data; null where it is not compared. */
  readonly answer: Hex | null
  readonly views: readonly bigint[]
}

/** Largest sum that a script transfers where the engine leaves the token to judge. */
const transferMax = 10n ** 15n

/** The terms of a script, with every listed target there is. */
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
    ],
  }
}

/** The second at which the vault of a script is created. */
export const createdAt = (choice: TermsChoice): bigint => firstDay * 86_400n + BigInt(choice.createdAt)

/** Plays a script with the engine: every transaction with the answer and the views it must have. */
export function play(script: Script, contracts: Contracts, vaultAddress: Address): Expected[] {
  const terms = termsOf(script.terms, contracts)
  const of: Vault = { terms, address: vaultAddress, keeper: parties.keeper }
  let at = createdAt(script.terms)
  let now: Holdings = { vault: newVault(terms.agent), balance: 0n }
  let venue = { price: firstPrice, units: 0n }
  let ownerHas = richly
  let recipientHas = 0n
  let otherTokens = 0n
  const expected: Expected[] = []

  const address = (who: Who): Address => (who === 'nobody' ? nobody : who === 'vault' ? vaultAddress : parties[who])

  const views = (): bigint[] => {
    const { vault, balance } = now
    const { day, used, left } = usageAt(terms, vault, at)
    const lock = withdrawLock(terms, vault, at)
    const leg = [vault.legOut, vault.legOpen ? 1n : 0n, vault.legSeq, vault.legFunded, vault.legReturned, vault.legOut]
    return [
      BigInt(vault.agent),
      vault.accounted,
      vault.principal,
      vault.withdrawn,
      vault.feeTotal,
      vault.feeOwed,
      day,
      used,
      left,
      vault.lastWorth,
      vault.markedAt,
      BigInt(vault.stopReason),
      vault.stoppedAt,
      vault.settled ? 1n : 0n,
      BigInt(phaseAt(terms, vault, at)),
      BigInt(lock.reason),
      lock.until,
      balance,
      ownerHas,
      recipientHas,
      0n,
      0n,
      ...(script.terms.leg ? leg : []),
    ]
  }

  const expectTx = (step: Step, from: Address, to: Address, data: Hex, reverts = false, answer: Hex | null = null) =>
    expected.push({ step, at, from, to, data, reverts, answer, views: views() })

  /** Runs a call through the engine; true when it succeeded. */
  const vaultCall = (step: Step, call: VaultCall, data: Hex, sent?: { from: Address; to: Address }): boolean => {
    const { from, to } = sent ?? { from: call.caller, to: vaultAddress }
    const outcome = apply(of, now, call)
    if ('name' in outcome) {
      expectTx(step, from, to, data, true, errorData(outcome))
      return false
    }
    now = { vault: outcome.vault, balance: outcome.balance }
    if (call.name === 'withdrawAll') ownerHas += outcome.paid
    if (call.name === 'claimFee') recipientHas += outcome.paid
    if (call.name === 'deposit' || call.name === 'transfer') ownerHas -= call.amount
    if (call.name === 'rescue') otherTokens -= outcome.paid
    const answers = call.name === 'withdrawAll' || call.name === 'claimFee'
    expectTx(step, from, to, data, false, answers ? pad(toHex(outcome.paid)) : null)
    return true
  }

  const targetCall = (step: Step, plan: TargetPlan, call: VaultCall, data: Hex) => {
    if (vaultCall(step, call, data)) venue = { ...venue, units: plan.units }
  }

  const bases: Record<Amount['of'], () => bigint> = {
    perTxCap: () => terms.perTxCap,
    dailyLeft: () => usageAt(terms, now.vault, at).left,
    accounted: () => now.vault.accounted,
    unrecognised: () => unrecognised(now.vault, now.balance),
    room: () => depositRoom(terms, now.vault),
    legRoom: () => legRoom(terms, now.vault),
    legOut: () => now.vault.legOut,
    stopLine: () => terms.stopLine,
    maxPassing: () => {
      const [listed] = terms.calls
      if (listed === undefined) return 0n
      const seen = { ...now, worth: null, held: 0n, approved: false, stoppedInRecord: false }
      const attempt = { caller: now.vault.agent, target: listed.target, data: listed.selector, amount: 0n, at }
      return assess(terms, seen, attempt).maxPassing ?? 0n
    },
    uint128: () => 2n ** 128n - 1n,
    uint256: () => 2n ** 256n - 1n,
    zero: () => 0n,
  }
  const amountOf = ({ of: base, percent, plus }: Amount, most = 2n ** 256n - 1n): bigint => {
    const value = (bases[base]() * BigInt(percent)) / 100n + BigInt(plus)
    return value < 0n ? 0n : value > most ? most : value
  }

  const abi = mandateVaultV2Abi
  const run = (step: Step): void => {
    switch (step.do) {
      case 'deposit': {
        const amount = amountOf(step.amount)
        const data = encodeFunctionData({ abi, functionName: 'deposit', args: [amount] })
        vaultCall(step, { name: 'deposit', caller: address(step.from), at, amount }, data)
        return
      }
      case 'transfer': {
        const amount = amountOf(step.amount, transferMax)
        const data = encodeFunctionData({ abi: testUSDCAbi, functionName: 'transfer', args: [vaultAddress, amount] })
        const call: VaultCall = { name: 'transfer', caller: parties.owner, at, amount }
        vaultCall(step, call, data, { from: parties.owner, to: contracts.usdc })
        return
      }
      case 'execute': {
        const amount = amountOf(step.amount)
        const plan = planTarget(step.target, venue, amount, vaultAddress, contracts)
        const data = encodeFunctionData({ abi, functionName: 'execute', args: [plan.target, plan.data, amount] })
        targetCall(step, plan, { name: 'execute', caller: address(step.from), at, amount, ...plan }, data)
        return
      }
      case 'unwind': {
        const plan = planTarget(step.target, venue, 0n, vaultAddress, contracts)
        const data = encodeFunctionData({ abi, functionName: 'unwind', args: [plan.target, plan.data] })
        targetCall(step, plan, { name: 'unwind', caller: address(step.from), at, ...plan }, data)
        return
      }
      case 'revokeAgent':
      case 'stop':
      case 'settle':
      case 'withdrawAll':
      case 'claimFee':
        vaultCall(
          step,
          { name: step.do, caller: address(step.from), at },
          encodeFunctionData({ abi, functionName: step.do }),
        )
        return
      case 'setAgent': {
        const agent = address(step.agent)
        const data = encodeFunctionData({ abi, functionName: 'setAgent', args: [agent] })
        vaultCall(step, { name: 'setAgent', caller: address(step.from), at, agent }, data)
        return
      }
      case 'markWorth': {
        const worth = amountOf(step.worth)
        const asOf = at - BigInt(step.age)
        const data = encodeFunctionData({ abi, functionName: 'markWorth', args: [worth, asOf] })
        vaultCall(step, { name: 'markWorth', caller: address(step.from), at, worth, asOf }, data)
        return
      }
      case 'rescue': {
        const token = { usdc: contracts.usdc, other: contracts.otherToken, stranger: parties.stranger }[step.token]
        const held = { usdc: now.balance, other: otherTokens, stranger: null }[step.token]
        const data = encodeFunctionData({ abi, functionName: 'rescue', args: [token] })
        vaultCall(step, { name: 'rescue', caller: address(step.from), at, token, amount: held }, data)
        return
      }
      case 'gift': {
        otherTokens += 7n
        const data = encodeFunctionData({ abi: testUSDCAbi, functionName: 'transfer', args: [vaultAddress, 7n] })
        expectTx(step, parties.owner, contracts.otherToken, data)
        return
      }
      case 'price': {
        const price = (venue.price * BigInt(step.percent)) / 100n
        venue = { ...venue, price: price < 1_000n || price > 10n ** 12n ? firstPrice : price }
        const data = encodeFunctionData({ abi: testVenueAbi, functionName: 'setPrice', args: [market, venue.price] })
        expectTx(step, parties.operator, contracts.venue, data)
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
        return
      }
      case 'fundLeg': {
        if (!script.terms.leg) return
        const amount = amountOf(step.amount)
        const data = encodeFunctionData({ abi, functionName: 'fundLeg', args: [amount] })
        vaultCall(step, { name: 'fundLeg', caller: address(step.from), at, amount }, data)
        return
      }
      case 'giveBack': {
        if (!script.terms.leg) return
        const amount = amountOf(step.amount, transferMax)
        const ref = pad(toHex(expected.length + 1))
        const data = encodeFunctionData({
          abi: testLegGatewayAbi,
          functionName: 'giveBack',
          args: [vaultAddress, amount, step.last, ref],
        })
        const call: VaultCall = { name: 'onLegReturn', caller: contracts.gateway, at, amount, last: step.last }
        vaultCall(step, call, data, { from: parties.operator, to: contracts.gateway })
        return
      }
      case 'onLegReturn': {
        if (!script.terms.leg) return
        const amount = amountOf(step.amount)
        const data = encodeFunctionData({ abi, functionName: 'onLegReturn', args: [amount, step.last] })
        vaultCall(step, { name: 'onLegReturn', caller: address(step.from), at, amount, last: step.last }, data)
      }
    }
  }

  for (const step of script.steps) run(step)
  return expected
}

function errorData({ name, args }: VaultError): Hex {
  return encodeErrorResult({ abi: mandateVaultV2Abi, errorName: name, args } as Parameters<typeof encodeErrorResult>[0])
}
