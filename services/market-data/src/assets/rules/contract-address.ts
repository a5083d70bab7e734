import { createHash } from 'node:crypto'
import { base58, utils } from '@scure/base'
import { chainOf, type AddressFamily } from './chains.ts'

/** A contract address of a chain in its one spelling. Without a chain it is the address alone. */
export interface ContractAddress {
  readonly chain: string | null
  readonly address: string
}

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest()
const base58check = utils.chain(
  utils.checksum(4, (data) => Uint8Array.from(sha256(sha256(data)))),
  base58,
)

function decoded(decode: (text: string) => Uint8Array, text: string): Uint8Array | null {
  try {
    return decode(text)
  } catch {
    return null
  }
}

/** Placeholders that venues write for the coin of a chain. */
const PLACEHOLDER = /^0x(0{40}|e{40})$/

/** Case of an EVM address only encodes a checksum. */
function evm(text: string): string | null {
  const lower = text.toLowerCase()
  return /^0x[0-9a-f]{40}$/.test(lower) && !PLACEHOLDER.test(lower) ? lower : null
}

function solana(text: string): string | null {
  return text.length <= 44 && decoded(base58.decode, text)?.length === 32 ? text : null
}

function tron(text: string): string | null {
  const bytes = text.length === 34 ? decoded(base58check.decode, text) : null
  return bytes?.length === 21 && bytes[0] === 0x41 ? text : null
}

/** The friendly forms of a TON address differ by flags and checksum: the raw form is the same for all. */
function ton(text: string): string | null {
  if (/^(0|-1):[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  if (!/^[A-Za-z0-9_+/-]{48}$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return `${bytes.readInt8(1)}:${bytes.subarray(2, 34).toString('hex')}`
}

/** Leading zeros and the case of the account are free; the module and the type are names. */
function move(text: string): string | null {
  const [, account = '', rest = ''] = /^0x([0-9a-f]{1,64})((?:::\w{1,128}){0,2})$/i.exec(text) ?? []
  return account === '' ? null : `0x${account.toLowerCase().replace(/^0+(?=.)/, '')}${rest}`
}

const exact = (text: string): string | null => (/^[\w.:/-]{2,200}$/.test(text) ? text : null)

const families: Readonly<Record<AddressFamily, (text: string) => string | null>> = {
  evm,
  solana,
  tron,
  ton,
  move,
  exact,
}

/**
 * Returns the one spelling of an address on a chain that a venue calls by `name`; null if the chain is unknown or the address
 * is not one of that chain. With the name null only an EVM address is read, because other addresses could be several things.
 */
export function contractAddress(name: string | null, text: string): ContractAddress | null {
  const trimmed = text.trim()
  if (name === null) {
    const address = evm(trimmed)
    return address === null ? null : { chain: null, address }
  }
  const chain = chainOf(name)
  if (chain === undefined) return null
  const address = families[chain.family](trimmed)
  return address === null ? null : { chain: chain.name, address }
}
