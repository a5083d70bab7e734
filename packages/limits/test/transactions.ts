import { mandateVaultV2Abi, testLegGatewayAbi, testUSDCAbi } from '@svc/vault'
import { encodeFunctionData, keccak256, toHex, type Address, type Hex } from 'viem'
import { nobody, type VaultCall } from '../src/index.ts'
import { amountOf, type Moment } from './amounts.ts'
import { parties } from './parties.ts'
import { noAgents, type NoAgent, type Step, type Who } from './script.ts'
import { planTarget } from './target-model.ts'

/** A step that reaches the vault, as a call of the engine and as a transaction of the chain. */
export interface VaultTransaction {
  readonly call: VaultCall
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  /** Units of the vault at the venue after the call succeeds. */
  readonly units: bigint
}

/** Steps that change the environment of the vault only. */
export type OutsideStep = Extract<Step, { do: 'gift' | 'price' | 'wait' }>

/** Largest amount of a transfer; the token rejects larger ones, which says nothing about the vault. */
const transferMax = 10n ** 15n
const abi = mandateVaultV2Abi

/** Returns the transaction of a step. */
export function transactionOf(step: Exclude<Step, OutsideStep>, moment: Moment): VaultTransaction {
  const { at, contracts, vaultAddress, venue } = moment
  const address = (who: Who): Address => (who === 'nobody' ? nobody : who === 'vault' ? vaultAddress : parties[who])
  const direct = (call: VaultCall, data: Hex, units = venue.units): VaultTransaction => {
    return { call, from: call.caller, to: vaultAddress, data, units }
  }
  switch (step.do) {
    case 'deposit':
    case 'fundLeg': {
      const amount = amountOf(moment, step.amount)
      const data = encodeFunctionData({ abi, functionName: step.do, args: [amount] })
      return direct({ name: step.do, caller: address(step.from), at, amount }, data)
    }
    case 'transfer': {
      const amount = amountOf(moment, step.amount, transferMax)
      const data = encodeFunctionData({ abi: testUSDCAbi, functionName: 'transfer', args: [vaultAddress, amount] })
      const call = { name: 'transfer', caller: parties.owner, at, amount } as const
      return { ...direct(call, data), to: contracts.usdc }
    }
    case 'execute': {
      const amount = amountOf(moment, step.amount)
      const { units, ...plan } = planTarget(step.target, venue, amount, vaultAddress, contracts)
      const data = encodeFunctionData({ abi, functionName: 'execute', args: [plan.target, plan.data, amount] })
      return direct({ name: 'execute', caller: address(step.from), at, amount, ...plan }, data, units)
    }
    case 'unwind': {
      const { units, ...plan } = planTarget(step.target, venue, 0n, vaultAddress, contracts)
      const data = encodeFunctionData({ abi, functionName: 'unwind', args: [plan.target, plan.data] })
      return direct({ name: 'unwind', caller: address(step.from), at, ...plan }, data, units)
    }
    case 'revokeAgent':
    case 'stop':
    case 'settle':
    case 'withdrawAll':
    case 'claimFee': {
      const data = encodeFunctionData({ abi, functionName: step.do })
      return direct({ name: step.do, caller: address(step.from), at }, data)
    }
    case 'setAgent': {
      const agent = isContractName(step.agent) ? contractOf(step.agent, moment) : address(step.agent)
      const data = encodeFunctionData({ abi, functionName: 'setAgent', args: [agent] })
      return direct({ name: 'setAgent', caller: address(step.from), at, agent }, data)
    }
    case 'markWorth': {
      const worth = amountOf(moment, step.worth)
      const asOf = at - BigInt(step.age)
      const data = encodeFunctionData({ abi, functionName: 'markWorth', args: [worth, asOf] })
      return direct({ name: 'markWorth', caller: address(step.from), at, worth, asOf }, data)
    }
    case 'rescue': {
      const token = { usdc: contracts.usdc, other: contracts.otherToken, stranger: parties.stranger }[step.token]
      const amount = { usdc: moment.now.balance, other: moment.otherTokens, stranger: null }[step.token]
      const data = encodeFunctionData({ abi, functionName: 'rescue', args: [token] })
      return direct({ name: 'rescue', caller: address(step.from), at, token, amount }, data)
    }
    case 'onLegReturn': {
      const amount = amountOf(moment, step.amount)
      const data = encodeFunctionData({ abi, functionName: 'onLegReturn', args: [amount, step.last] })
      return direct({ name: 'onLegReturn', caller: address(step.from), at, amount, last: step.last }, data)
    }
    case 'giveBack': {
      const amount = amountOf(moment, step.amount, transferMax)
      const call = { name: 'onLegReturn', caller: contracts.gateway, at, amount, last: step.last } as const
      return { ...direct(call, giveBack(moment, amount, step.last)), from: parties.operator, to: contracts.gateway }
    }
  }
}

const isContractName = (name: Who | NoAgent): name is NoAgent => noAgents.some((one) => one === name)

/** Returns the address of the contract that a script names. */
function contractOf(name: NoAgent, { contracts, terms }: Moment): Address {
  const version = terms.legGateway === nobody ? 1 : 2
  return name === 'factory' || name === 'implementation' ? contracts[name][version] : contracts[name]
}

/** Returns the calldata of a return from the leg. A reference is used once, so it is derived from the state of the leg. */
function giveBack({ now, vaultAddress }: Moment, amount: bigint, last: boolean): Hex {
  const { legSeq, legReturned, legOut, legOpen } = now.vault
  const ref = keccak256(toHex([legSeq, legReturned, legOut, legOpen].join()))
  const args = [vaultAddress, amount, last, ref] as const
  return encodeFunctionData({ abi: testLegGatewayAbi, functionName: 'giveBack', args })
}
