import { mandateVaultV2Abi, testUSDCAbi, testVenueAbi } from '@svc/vault'
import { encodeErrorResult, encodeFunctionData, type Address, type Hex } from 'viem'
import type { TargetEffect } from '../src/index.ts'
import { market, type Contracts } from './parties.ts'
import { scriptedTargetAbi } from './scripted-target.ts'
import type { TargetStep } from './script.ts'

/** The market of the venue, and the position of the vault. */
export interface Venue {
  readonly price: bigint
  /** Units that the vault has. */
  readonly units: bigint
}

/** A call of a target: its calldata, and its effect if the vault makes the call. */
export interface TargetPlan {
  readonly target: Address
  readonly data: Hex
  readonly effect: TargetEffect
  /** Units of the vault once the call has succeeded. */
  readonly units: bigint
}

const uint256Max = 2n ** 256n - 1n
const bps = 10_000n
const wholeUnit = 1_000_000n
const ceilDiv = (value: bigint, by: bigint) => (value + by - 1n) / by
const feeOf = (money: bigint) => ceilDiv(money * 10n, bps)

/** Plans a call of a target that may pull `allowance` from the vault. */
export function planTarget(
  step: TargetStep,
  { price, units }: Venue,
  allowance: bigint,
  vault: Address,
  contracts: Contracts,
): TargetPlan {
  const nothing: TargetEffect = { pulled: 0n, paid: 0n }
  const venueCall = (data: Hex, effect: TargetEffect, unitsAfter = units): TargetPlan => ({
    target: contracts.venue,
    data,
    effect,
    units: unitsAfter,
  })
  switch (step.act) {
    case 'buy': {
      const usdcIn = percentOf(allowance, step.percent)
      const minUnits = step.minUnits === 'none' ? 0n : 2n ** 255n
      const bought = ((usdcIn - feeOf(usdcIn)) * wholeUnit) / ceilDiv(price * 10_010n, bps)
      const data = encodeFunctionData({ abi: testVenueAbi, functionName: 'buy', args: [market, usdcIn, minUnits] })
      if (bought === 0n || bought < minUnits) return venueCall(data, { failed: badPrice(bought, minUnits) })
      if (usdcIn > allowance) return venueCall(data, { failed: lowAllowance(contracts.venue, allowance, usdcIn) })
      return venueCall(data, { pulled: usdcIn, paid: 0n }, units + bought)
    }
    case 'sell': {
      const sold = percentOf(units, step.percent)
      const gross = (sold * ((price * 9_990n) / bps)) / wholeUnit
      const data = encodeFunctionData({ abi: testVenueAbi, functionName: 'sell', args: [market, sold, 0n] })
      if (sold === 0n || sold > units) return venueCall(data, { failed: noPosition })
      return venueCall(data, { pulled: 0n, paid: gross - feeOf(gross) }, units - sold)
    }
    case 'redeem':
      return venueCall(encodeFunctionData({ abi: testVenueAbi, functionName: 'redeem', args: [market] }), {
        failed: noPosition,
      })
    case 'held':
      return venueCall(encodeFunctionData({ abi: testVenueAbi, functionName: 'held', args: [vault] }), nothing)
    case 'run':
      return { target: contracts.script, ...scripted(step, allowance, vault, contracts), units }
    case 'raw': {
      const places = { ...contracts, vault, stranger: contracts.factory[1] }
      // A contract without a fallback reverts with empty data on an unknown selector.
      return { target: places[step.to], data: step.data, effect: { failed: '0x' }, units }
    }
  }
}

function scripted(step: Extract<TargetStep, { act: 'run' }>, allowance: bigint, vault: Address, contracts: Contracts) {
  const pull = percentOf(allowance, step.pull)
  const calls: { to: Address; data: Hex; mayFail: boolean }[] = []
  const usdcCall = (data: Hex) => calls.push({ to: contracts.usdc, data, mayFail: false })
  if (pull > 0n)
    usdcCall(
      encodeFunctionData({ abi: testUSDCAbi, functionName: 'transferFrom', args: [vault, contracts.script, pull] }),
    )
  if (step.reenter !== 'no') calls.push({ to: vault, data: reentry(step.reenter), mayFail: step.swallow })
  if (step.pay > 0)
    usdcCall(encodeFunctionData({ abi: testUSDCAbi, functionName: 'transfer', args: [vault, BigInt(step.pay)] }))
  const failure = step.fail === 'no' ? '0x' : step.fail === 'long' ? longReason : fakeRefusal
  const data = encodeFunctionData({ abi: scriptedTargetAbi, functionName: 'run', args: [calls, failure] })
  return { data, effect: effect() }

  function effect(): TargetEffect {
    if (pull > allowance) return { failed: lowAllowance(contracts.script, allowance, pull) }
    if (step.reenter !== 'no' && !step.swallow) return { failed: reentrant }
    // The vault reports the first 256 bytes.
    if (failure !== '0x') return { failed: failure.slice(0, 2 + 2 * 256) as Hex }
    return { pulled: pull, paid: BigInt(step.pay) }
  }
}

function reentry(name: 'execute' | 'stop' | 'withdrawAll' | 'claimFee' | 'settle'): Hex {
  return name === 'execute'
    ? encodeFunctionData({
        abi: mandateVaultV2Abi,
        functionName: name,
        args: [market.slice(0, 42) as Address, '0x', 0n],
      })
    : encodeFunctionData({ abi: mandateVaultV2Abi, functionName: name })
}

const percentOf = (whole: bigint, percent: number): bigint => {
  const part = (whole * BigInt(percent)) / 100n
  return part > uint256Max ? uint256Max : part
}

const badPrice = (got: bigint, limit: bigint) =>
  encodeErrorResult({ abi: testVenueAbi, errorName: 'BadPrice', args: [got, limit] })
const lowAllowance = (spender: Address, allowance: bigint, needed: bigint) =>
  encodeErrorResult({ abi: testUSDCAbi, errorName: 'ERC20InsufficientAllowance', args: [spender, allowance, needed] })
const noPosition = encodeErrorResult({ abi: testVenueAbi, errorName: 'NoPosition' })
const reentrant = encodeErrorResult({ abi: mandateVaultV2Abi, errorName: 'ReentrancyGuardReentrantCall' })
const fakeRefusal = encodeErrorResult({ abi: mandateVaultV2Abi, errorName: 'OverDailyCap', args: [1n, 2n] })
const longReason: Hex = `0x${'ab'.repeat(300)}`
