import { ParsedMessage } from '@spruceid/siwe-parser'
import type { Wallet } from './wallet-address.ts'
import { checksummed } from './wallet-address.ts'

/** What a signature of a wallet is for that proves who calls; it is valid for nothing else. */
export type Purpose = 'register' | 'key' | 'session'

/** What a message asks the wallet for: a purpose, or a link to the account that asks. */
export type Intent = Purpose | { readonly link: number }

/** The site and chain that sign-in messages name. From settings, never from a request. */
export interface Site {
  /** Public origin, for example `https://svc.example`. */
  readonly publicUrl: string
  readonly chainId: number
}

export interface Challenge {
  readonly wallet: Wallet
  readonly purpose: Intent
  readonly nonce: string
  readonly issuedAt: Date
}

export const NONCE_LIFE_SEC = 300

const STATEMENTS: Readonly<Record<Purpose, string>> = {
  register: 'Register this wallet as an agent account and create its first API key.',
  key: 'Create another API key for the agent account of this wallet.',
  session: 'Sign in as the owner with this wallet.',
}

/** Returns the sentence that tells the wallet's holder what the signature does. */
const statementOf = (intent: Intent): string =>
  typeof intent === 'string'
    ? STATEMENTS[intent]
    : `Link the account of this wallet at the venue to account ${intent.link} here, which can then prepare orders for it. This signature moves no money and approves no key.`

/** Returns when a challenge expires. */
export function expiryOf(challenge: Challenge): Date {
  return new Date(challenge.issuedAt.getTime() + NONCE_LIFE_SEC * 1000)
}

/** Returns the EIP-4361 text that the wallet signs. */
export function writeMessage(site: Site, challenge: Challenge): string {
  const url = new URL(site.publicUrl)
  return [
    `${url.host} wants you to sign in with your Ethereum account:`,
    checksummed(challenge.wallet),
    '',
    statementOf(challenge.purpose),
    '',
    `URI: ${url.origin}`,
    'Version: 1',
    `Chain ID: ${site.chainId}`,
    `Nonce: ${challenge.nonce}`,
    `Issued At: ${challenge.issuedAt.toISOString()}`,
    `Expiration Time: ${expiryOf(challenge).toISOString()}`,
  ].join('\n')
}

/** Why a message is refused: `malformed`, `expired`, or the part that differs from what we wrote. */
export type MessageProblem =
  | 'malformed'
  | 'domain'
  | 'uri'
  | 'version'
  | 'chain_id'
  | 'wallet'
  | 'purpose'
  | 'expired'
  | 'extra'

/**
 * Parses a message strictly by the grammar of EIP-4361 and compares every part with what this site writes for the wallet
 * and purpose. Refuses parts that we never write (scheme, not-before, request id, resources), so that a signature never
 * means more than our text.
 */
export function readMessage(
  text: string,
  expected: { site: Site; wallet: Wallet; purpose: Intent; now: Date },
): { nonce: string } | { problem: MessageProblem } {
  const parsed = parse(text)
  if (parsed === null) return { problem: 'malformed' }
  const url = new URL(expected.site.publicUrl)
  if (parsed.domain !== url.host) return { problem: 'domain' }
  if (parsed.uri !== url.origin) return { problem: 'uri' }
  if (parsed.version !== '1') return { problem: 'version' }
  if (parsed.chainId !== expected.site.chainId) return { problem: 'chain_id' }
  if (parsed.address !== checksummed(expected.wallet)) return { problem: 'wallet' }
  if (parsed.statement !== statementOf(expected.purpose)) return { problem: 'purpose' }
  if (parsed.scheme || parsed.notBefore || parsed.requestId || parsed.resources) return { problem: 'extra' }
  if (!parsed.expirationTime || Date.parse(parsed.expirationTime) <= expected.now.getTime())
    return { problem: 'expired' }
  return { nonce: parsed.nonce }
}

function parse(text: string): ParsedMessage | null {
  try {
    return new ParsedMessage(text)
  } catch {
    return null
  }
}
