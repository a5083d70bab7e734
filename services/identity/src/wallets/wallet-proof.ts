import { judgeSignature } from '@svc/chain/signatures'
import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import {
  messageExpired,
  messageMismatch,
  nonceUnknown,
  signatureInvalid,
  signatureMalleable,
} from '@svc/contracts/identity/wallets'
import type { Call } from '@svc/service'
import type { Context } from '#context.ts'
import { isSignature, personalHash, type Hex } from './rules/signature.ts'
import type { MessageProblem, Purpose } from './rules/sign-in-message.ts'
import { readMessage } from './rules/sign-in-message.ts'
import type { Wallet } from './rules/wallet-address.ts'
import { parseWallet } from './rules/wallet-address.ts'
import type { OpenNonce } from './store/nonces.ts'

/** The part of a call that a proof depends on. */
export type Asked = Pick<Call, 'now' | 'client' | 'caller'>

/** Names the requester: its client address, or its account. */
export const requesterOf = ({ client, caller }: Asked): string => client ?? `account ${caller?.account_id ?? 'unknown'}`

export interface Proof {
  readonly wallet_address: string
  readonly signature: string
  readonly message?: string | undefined
}

const WALLET_PROBLEMS = {
  shape: 'must be 0x and 40 hex digits',
  checksum: 'the mixed-case checksum (EIP-55) does not fit: a digit may be mistyped',
  zero: 'the zero address belongs to nobody',
} as const

/** Returns the wallet that an input names; refuses a mistyped address. */
export function walletOf(text: string): Wallet {
  const parsed = parseWallet(text)
  if ('wallet' in parsed) return parsed.wallet
  return refuse(common.invalidRequest, undefined, {}, [
    { pointer: '/wallet_address', code: parsed.problem, detail: WALLET_PROBLEMS[parsed.problem] },
  ])
}

/**
 * Proves that the wallet signed an open message of this purpose, and consumes the message's nonce. A wrong signature
 * consumes nothing, so that a stranger cannot disturb a sign-in. The nonce is consumed last, before any effect: of all
 * calls with one signature exactly one succeeds.
 */
export async function proveWallet(context: Context, proof: Proof, purpose: Purpose, call: Asked): Promise<Wallet> {
  const { now } = call
  const wallet = walletOf(proof.wallet_address)
  const { signature } = proof
  if (!isSignature(signature)) {
    return refuse(common.invalidRequest, undefined, {}, [
      { pointer: '/signature', code: 'shape', detail: 'must be 0x and whole bytes in hex' },
    ])
  }
  const open =
    proof.message === undefined
      ? await openMessages(context, wallet, purpose, now)
      : [await namedMessage(context, proof.message, wallet, purpose, now)]
  const signed =
    (await signedByKey(open, signature, wallet)) ?? (await signedByContract(context, open, signature, wallet, call))
  if (!(await context.nonces.consume(wallet, purpose, signed))) refuse(nonceUnknown)
  return wallet
}

async function openMessages(
  context: Context,
  wallet: Wallet,
  purpose: Purpose,
  now: Date,
): Promise<readonly OpenNonce[]> {
  const all = await context.nonces.list(wallet, purpose)
  if (all.length === 0) refuse(nonceUnknown)
  const open = all.filter(
    ({ message }) => 'nonce' in readMessage(message, { site: context.site, wallet, purpose, now }),
  )
  if (open.length === 0) refuse(messageExpired)
  return open
}

async function namedMessage(
  context: Context,
  message: string,
  wallet: Wallet,
  purpose: Purpose,
  now: Date,
): Promise<OpenNonce> {
  const read = readMessage(message, { site: context.site, wallet, purpose, now })
  if ('problem' in read) return refuseMessage(read.problem)
  const open = (await context.nonces.list(wallet, purpose)).find(({ nonce }) => nonce === read.nonce)
  if (open === undefined) return refuse(nonceUnknown)
  if (open.message !== message) return refuse(messageMismatch, undefined, { part: 'text' }, pointTo('text'))
  return open
}

const pointTo = (code: string) => [
  { pointer: '/message', code, detail: `the message's ${code.replace('_', ' ')} is not the one we wrote` },
]

function refuseMessage(problem: MessageProblem): never {
  if (problem === 'malformed') {
    return refuse(common.invalidRequest, undefined, {}, [
      { pointer: '/message', code: 'malformed', detail: 'is not an EIP-4361 message' },
    ])
  }
  if (problem === 'expired') return refuse(messageExpired)
  return refuse(messageMismatch, undefined, { part: problem }, pointTo(problem))
}

/** Returns the message that the wallet's own key signed; null if it signed none of them. */
async function signedByKey(open: readonly OpenNonce[], signature: Hex, wallet: Wallet): Promise<OpenNonce | null> {
  for (const candidate of open) {
    const verdict = await judgeSignature(personalHash(candidate.message), signature, wallet)
    if (verdict === 'signed') return candidate
    if (verdict === 'malleable')
      refuse(signatureMalleable, undefined, {}, [
        { pointer: '/signature', code: 'malleable', detail: 'is not in canonical form' },
      ])
  }
  return null
}

/**
 * Returns the message that a contract wallet signed. Tries one message only, since the contract may use ten million gas
 * of the RPC: the newest that this caller requested, so that messages requested by strangers do not interfere.
 */
async function signedByContract(
  { contractWallets, nonces }: Context,
  open: readonly OpenNonce[],
  signature: Hex,
  wallet: Wallet,
  call: Asked,
): Promise<OpenNonce> {
  const requester = requesterOf(call)
  const candidate = open.find((one) => one.requester === requester) ?? open[0]
  if (contractWallets !== null && candidate !== undefined) {
    if ((await nonces.countContractTry(requester, call.now)) > CONTRACT_TRIES_MAX) refuseTry(call.now)
    if (await contractWallets.accepts(wallet, personalHash(candidate.message), signature)) return candidate
  }
  const detail = 'is not of this wallet over an open message'
  return refuse(signatureInvalid, undefined, {}, [
    {
      pointer: '/signature',
      code: 'invalid',
      detail: open.length > 1 ? `${detail}; a contract wallet sends the signed text in message` : detail,
    },
  ])
}

/** Sign-ins of a requester per minute that may call the chain. */
const CONTRACT_TRIES_MAX = 10

function refuseTry(now: Date): never {
  const next = new Date((Math.floor(now.getTime() / 60_000) + 1) * 60_000)
  return refuse(
    common.rateLimited,
    `The allowance of ${CONTRACT_TRIES_MAX} signatures a minute that only a contract wallet could have made is used up.`,
    { 'violated-policies': ['contract_wallet'], retry_at: next.toISOString() },
  )
}
