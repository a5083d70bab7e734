import type { Address, CheckedCall, Hex } from './wallet.ts'

/** A call as the service prepares it. */
export interface PreparedCall {
  readonly to: string
  readonly data: string
  readonly value: string
  readonly chain_id: number
}

/** Selectors of the functions that this page may ask a wallet to call. */
export const selectors = {
  createVault: '0x7eac2ff0',
  approve: '0x095ea7b3',
  deposit: '0xb6b55f25',
  stop: '0x07da68f5',
  revokeAgent: '0x7961803e',
  setAgent: '0xbcf685ed',
  withdrawAll: '0x853828b6',
  unwind: '0x71646689',
  faucet: '0xde5f72fd',
} as const satisfies Readonly<Record<string, Hex>>

const word = (value: bigint): string => {
  if (value < 0n || value >= 1n << 256n) throw new RangeError('must fit a uint256')
  return value.toString(16).padStart(64, '0')
}
const addressWord = (address: string): string => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new RangeError(`not an address: ${address.slice(0, 50)}`)
  return address.slice(2).toLowerCase().padStart(64, '0')
}

/** Calldata of the functions whose arguments are on the page. `createVault` is written by `terms.ts`. */
export const callData = {
  approve: (spender: Address, units: bigint): Hex => `${selectors.approve}${addressWord(spender)}${word(units)}`,
  deposit: (units: bigint): Hex => `${selectors.deposit}${word(units)}`,
  stop: (): Hex => selectors.stop,
  pause: (): Hex => selectors.revokeAgent,
  resume: (agent: Address): Hex => `${selectors.setAgent}${addressWord(agent)}`,
  withdraw: (): Hex => selectors.withdrawAll,
  faucet: (): Hex => selectors.faucet,
  unwind: (target: Address, data: Hex): Hex => {
    const bytes = data.slice(2).toLowerCase()
    if (!/^(?:[0-9a-f]{2})*$/.test(bytes)) throw new RangeError('not whole bytes')
    const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
    return `${selectors.unwind}${addressWord(target)}${word(64n)}${word(BigInt(bytes.length / 2))}${padded}`
  },
} as const

/** What a prepared call is checked for, in the order of the checks. */
export type CallPart = 'to' | 'chain' | 'value' | 'selector' | 'length' | 'arguments'

/** A part of a prepared call that is not what this page wrote. */
export interface CallDifference {
  readonly part: CallPart
  readonly here: string
  readonly sent: string
}

/** The call that this page wrote, for the chain of `config.json`. */
export interface WantedCall extends CheckedCall {
  readonly chainId: number
}

/** Returns every part in which a prepared call is not the call that this page wrote; none if they are the same. */
export function differencesOf(prepared: PreparedCall, wanted: WantedCall): readonly CallDifference[] {
  const sent = prepared.data.toLowerCase()
  const here = wanted.data.toLowerCase()
  const found: CallDifference[] = []
  const compare = (part: CallPart, ours: string, theirs: string) => {
    if (ours !== theirs) found.push({ part, here: ours, sent: theirs })
  }
  compare('to', wanted.to.toLowerCase(), prepared.to.toLowerCase())
  compare('chain', String(wanted.chainId), String(prepared.chain_id))
  compare('value', '0', prepared.value)
  compare('selector', here.slice(0, 10), sent.slice(0, 10))
  compare('length', String(here.length / 2 - 1), String(sent.length / 2 - 1))
  if (found.every(({ part }) => part !== 'selector' && part !== 'length'))
    argumentsOf(here).forEach((ours, at) => compare('arguments', ours, argumentsOf(sent)[at] ?? ''))
  return found
}

/** Returns the arguments of calldata word by word. */
const argumentsOf = (data: string): readonly string[] =>
  (data.slice(10).match(/.{1,64}/g) ?? []).map((argument) => `0x${argument}`)

/** A call that the service prepared differently from this page. It never reaches a wallet. */
export class ForeignCall extends Error {
  override readonly name = 'ForeignCall'
  readonly differences: readonly CallDifference[]

  constructor(differences: readonly CallDifference[]) {
    super(`the prepared call differs in ${differences.map(({ part }) => part).join(', ')}`)
    this.differences = differences
  }
}

/** Returns the call that this page wrote if the service prepared the same one. Throws `ForeignCall`. */
export function checkedCall(prepared: PreparedCall, wanted: WantedCall): CheckedCall {
  const differences = differencesOf(prepared, wanted)
  if (differences.length > 0) throw new ForeignCall(differences)
  return { to: wanted.to, data: wanted.data }
}
