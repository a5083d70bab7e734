import { isAddress } from 'viem/utils'
import { base32, base58, base58check, base58checkXrp, crc16 } from './base-encodings.ts'
import { addressFormats, type AddressFormat } from './chains.ts'

/** Value for a token that is the chain's own coin and has no contract. */
export const NATIVE = 'native'

export type AddressVerdict =
  | { readonly ok: true; readonly checksummed: boolean }
  | { readonly ok: false; readonly detail: string }

const good = (checksummed = false): AddressVerdict => ({ ok: true, checksummed })
const bad = (detail: string): AddressVerdict => ({ ok: false, detail })
const shape = (pattern: RegExp, detail: string) => (text: string) => (pattern.test(text) ? good() : bad(detail))

function evm(text: string): AddressVerdict {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return bad('must be 0x and 40 hex digits')
  if (/^0x0{40}$/.test(text)) return bad('is the zero address')
  const digits = text.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return good()
  return isAddress(text) ? good(true) : bad('has mixed case that is not its EIP-55 checksum')
}

function solana(text: string): AddressVerdict {
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && base58(text)?.length === 32
    ? good()
    : bad('must be base58 of 32 bytes')
}

function tron(text: string): AddressVerdict {
  const bytes = text.length === 34 ? base58check(text) : null
  return bytes?.length === 21 && bytes[0] === 0x41
    ? good(true)
    : bad('must be a base58check address that starts with T')
}

function tezos(text: string): AddressVerdict {
  const bytes = /^KT1.{33}(%\w{1,31})?$/.test(text) ? base58check(text.slice(0, 36)) : null
  return bytes?.length === 23 ? good(true) : bad('must be a base58check address that starts with KT1')
}

function ton(text: string): AddressVerdict {
  if (/^(0|-1):[0-9a-fA-F]{64}$/.test(text)) return good()
  if (!/^[EUk0][Qf][A-Za-z0-9_+/-]{46}$/.test(text))
    return bad('must be a TON address, 48 characters of base64, or raw 0:hex')
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === 36 && crc16(bytes.subarray(0, 34)) === bytes.readUInt16BE(34)
    ? good(true)
    : bad('has a wrong TON checksum')
}

function stellar(text: string): AddressVerdict {
  const address = /^(?:[A-Za-z0-9]{1,12}[-:])?([GC][A-Z2-7]{55})$/.exec(text)?.[1]
  const bytes = address === undefined ? null : base32(address)
  if (bytes?.length !== 35) return bad('must be an issuer G… or contract C… address, optionally after CODE-')
  return crc16(bytes.subarray(0, 33)) === Buffer.from(bytes).readUInt16LE(33)
    ? good(true)
    : bad('has a wrong Stellar checksum')
}

function xrpl(text: string): AddressVerdict {
  const address = /^(?:[A-Za-z0-9]{3,40}\.)?(r[1-9A-HJ-NP-Za-km-z]{24,34})$/.exec(text)?.[1]
  const bytes = address === undefined ? null : base58checkXrp(address)
  return bytes?.length === 21 && bytes[0] === 0
    ? good(true)
    : bad('must be an issuer r… address, optionally after CODE.')
}

const rules: { readonly [F in Exclude<AddressFormat, 'native'>]: (text: string) => AddressVerdict } = {
  evm,
  solana,
  tron,
  tezos,
  ton,
  stellar,
  xrpl,
  move: shape(
    /^0x[0-9a-fA-F]{1,64}(::[A-Za-z_]\w{0,127}){0,2}$/,
    'must be 0x and hex digits, optionally ::module::Type',
  ),
  near: shape(/^(?=.{2,64}$)(([a-z\d]+[_-])*[a-z\d]+\.)*([a-z\d]+[_-])*[a-z\d]+$/, 'must be a NEAR account id'),
  cardano: shape(
    /^(?:[0-9a-f]{56}\.?[0-9a-f]{0,64}|asset1[02-9ac-hj-np-z]{38})$/,
    'must be a policy id with asset name in hex, or asset1…',
  ),
  asset_id: shape(/^[1-9]\d{0,19}$/, 'must be the number of the asset'),
  hedera: shape(/^0\.0\.[1-9]\d{0,11}$/, 'must be 0.0.<number>'),
  cosmos: shape(
    /^(?:ibc\/[0-9A-F]{64}|(?:factory|erc20)\/[\w./-]{3,150}|[a-z]{2,20}1[02-9ac-hj-np-z]{38,58}|[a-z][a-z0-9]{2,30})$/,
    'must be a bech32 contract, an ibc/… or factory/… denom',
  ),
  starknet: shape(/^0x0{0,3}[0-9a-fA-F]{1,64}$/, 'must be 0x and up to 64 hex digits'),
  eos: shape(/^[a-z1-5.]{1,12}[a-j1-5]?$/, 'must be an account name of up to 13 characters'),
  multiversx: shape(/^[A-Z0-9]{3,10}-[0-9a-f]{6}$/, 'must be TICKER-abc123'),
}

const FRIENDLY_TAGS = [0x11, 0x51] as const

/** Returns the two friendly forms of a raw TON address, to which a wallet may send with and without a bounce. */
function friendlyTon(raw: string): string[] {
  const [, workchain = '', account = ''] = /^(0|-1):([0-9a-f]{64})$/.exec(raw) ?? []
  if (account === '') return []
  return FRIENDLY_TAGS.map((tag) => {
    const bytes = Buffer.alloc(36)
    bytes[0] = tag
    bytes.writeInt8(Number(workchain), 1)
    bytes.write(account, 2, 'hex')
    bytes.writeUInt16BE(crc16(bytes.subarray(0, 34)), 34)
    return bytes.toString('base64url')
  })
}

/**
 * Returns the one spelling of a contract address, which market-data uses too: the case of an EVM address only encodes a
 * checksum, the friendly forms of a TON address are those of one raw address, and zeros before a Move account are free.
 */
export function addressSpelling(text: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(text) || /^(0|-1):[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase()
  const [, account, rest = ''] = /^0x([0-9a-fA-F]{1,64})((?:::\w{1,128}){0,2})$/.exec(text) ?? []
  if (account !== undefined) return `0x${account.toLowerCase().replace(/^0+(?=.)/, '')}${rest}`
  if (!ton(text).ok) return text
  const bytes = Buffer.from(text, 'base64url')
  return `${bytes.readInt8(1)}:${bytes.subarray(2, 34).toString('hex')}`
}

/** Returns the spellings in which an address may have been approved, to look for it. */
export function addressSpellings(text: string): string[] {
  const one = addressSpelling(text)
  return [...new Set([text, one, ...friendlyTon(one)])]
}

/**
 * Judges a contract address by the format of its chain. With an unknown chain, accepts every format with a fixed shape.
 * `checksummed` says whether the address has a correct checksum.
 */
export function judgeAddress(text: string, chain: string | null): AddressVerdict {
  if (text === NATIVE) return good()
  if (chain !== null) {
    const format = addressFormats.get(chain)
    if (format === undefined) return bad('the blockchain of the token is unknown')
    if (format === 'native') return bad(`${chain} has no contracts; write "${NATIVE}"`)
    const verdict = rules[format](text)
    return verdict.ok ? verdict : bad(`${verdict.detail} (${chain})`)
  }
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return evm(text)
  for (const rule of [
    tron,
    tezos,
    ton,
    stellar,
    xrpl,
    rules.hedera,
    rules.multiversx,
    solana,
    rules.cardano,
    rules.move,
    rules.cosmos,
  ]) {
    const verdict = rule(text)
    if (verdict.ok) return verdict
  }
  return bad('has no known address format; submit blockchain too')
}
