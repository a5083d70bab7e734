import { operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, walletAddress } from '../common.ts'

export const nonceUnknown = refusal('nonce_unknown', {
  status: 401,
  title: 'Nonce unknown',
  meaning:
    'The wallet has no open nonce for this purpose: none was requested, it was used, or its 5 minutes have passed.',
  fix: 'Request a nonce with POST /auth/wallet/nonce for the purpose of this call, and sign its message.',
})

export const messageExpired = refusal('message_expired', {
  status: 401,
  title: 'Message expired',
  meaning: 'The signed message is older than 5 minutes.',
  fix: 'Request a new nonce with POST /auth/wallet/nonce and sign its message at once.',
})

export const messageMismatch = refusal('message_mismatch', {
  status: 401,
  title: 'Not our message',
  meaning: 'The signed message is for another domain, URI, chain, wallet or purpose than this call.',
  fix: 'Request a nonce for the purpose of this call with POST /auth/wallet/nonce and sign its message unchanged.',
  details: z.object({ part: z.enum(['domain', 'uri', 'version', 'chain_id', 'wallet', 'purpose', 'extra', 'text']) }),
})

export const signatureInvalid = refusal('signature_invalid', {
  status: 401,
  title: 'Signature invalid',
  meaning: 'The wallet did not sign the message of an open nonce with this signature.',
  fix: 'Sign the message exactly as returned with personal_sign (EIP-191), with the key of wallet_address.',
})

export const signatureMalleable = refusal('signature_malleable', {
  status: 401,
  title: 'Signature not canonical',
  meaning: 'The signature is a second form of a signature of this wallet (high s, or v other than 27 and 28).',
  fix: 'Send the signature as the wallet returns it: low s, v 27 or 28.',
})

export const linkNonceUnknown = refusal('link_nonce_unknown', {
  status: 409,
  title: 'No open message',
  meaning: 'The account has no open message to sign: none was requested, it was used, or its 5 minutes have passed.',
  fix: 'Request a message with POST /hub/own/link/challenge and sign it at once.',
})

export const linkSignatureInvalid = refusal('link_signature_invalid', {
  status: 422,
  title: 'Signature invalid',
  meaning: 'No open message of this account was signed by the key of the wallet that it names.',
  fix: 'Sign the message exactly as returned with personal_sign (EIP-191) and the key of the wallet, not with a contract wallet.',
})

const purpose = z
  .enum(['register', 'key', 'session'])
  .meta({ description: 'What the signature will be used for; it is valid for nothing else' })

export const signature = z
  .string()
  .min(4)
  .max(16_386)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x and whole bytes in hex')
  .meta({
    title: 'WalletSignature',
    description:
      'Signature of the message of a nonce: personal_sign, or the form that a contract wallet accepts (ERC-1271, ERC-6492)',
    example:
      '0x5f0c7b6ae1d2933b8e6f0a4c9d1e7b2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c8d9eafb1b',
  })

export const message = z.string().min(1).max(2000).meta({
  description:
    'The signed message as POST /auth/wallet/nonce returned it; when absent, the newest open messages of the wallet are tried',
})

/** The members by which a caller proves a wallet. */
export const proof = { wallet_address: walletAddress, signature, message: message.optional() }

/** Refusals of every operation that accepts a proof. */
export const proofRefusals = [
  nonceUnknown,
  messageExpired,
  messageMismatch,
  signatureInvalid,
  signatureMalleable,
  common.rateLimited,
] as const

/** The nonces that wallets sign to prove who calls. */
export const walletOperations = {
  requestNonce: operation({
    summary: 'Get a message for your wallet to sign before you register, sign in or make a key',
    description:
      'Returns an EIP-4361 (Sign-In with Ethereum) message. It is valid for 5 minutes, for one use, and only for the purpose that it names.',
    auth: 'open',
    limit: 'account',
    http: 'POST /auth/wallet/nonce',
    input: z.strictObject({ wallet_address: walletAddress, purpose: purpose.default('register') }),
    success: { 200: z.object({ nonce: z.string().max(64), message: z.string().max(2000), expires_at: instant }) },
  }),
  requestLinkNonce: operation({
    summary: 'Write the message by which a wallet lets an account trade its account at the venue',
    description: 'An EIP-4361 message that names the account; valid for 5 minutes and one use, by this account alone.',
    auth: 'service',
    callers: ['hl-trade'],
    input: z.strictObject({ account_id: accountId, wallet_address: walletAddress }),
    success: { 200: z.object({ nonce: z.string().max(64), message: z.string().max(2000), expires_at: instant }) },
    refusals: [common.invalidRequest],
  }),
  redeemLinkNonce: operation({
    summary: 'Say whose key signed an open message of an account, and close the message',
    description: 'Only signatures by a plain key count: the venue knows no other.',
    auth: 'service',
    callers: ['hl-trade'],
    input: z.strictObject({
      account_id: accountId,
      signature,
      close: z.boolean().meta({ description: 'false: the message stays open; what follows may still fail' }),
    }),
    success: { 200: z.object({ wallet_address: walletAddress }) },
    refusals: [linkNonceUnknown, linkSignatureInvalid],
  }),
}
