import { refusal } from '@svc/contract'
import { z } from 'zod'

/** Refusals of signing in, keys and sessions. */
export const nonceUnknown = refusal('nonce_unknown', {
  status: 401,
  title: 'Nonce unknown',
  meaning:
    'There is no open nonce of this wallet and purpose: none was asked for, it was used, or its 5 minutes are over.',
  fix: 'Ask for a new one with POST /auth/wallet/nonce, naming the purpose, and sign its message.',
})

export const messageExpired = refusal('message_expired', {
  status: 401,
  title: 'Message expired',
  meaning: 'The signed message is older than 5 minutes.',
  fix: 'Ask for a new nonce and sign its message at once.',
})

export const messageMismatch = refusal('message_mismatch', {
  status: 401,
  title: 'Not our message',
  meaning: 'The signed message is for another domain, URI, chain, wallet or purpose than this call.',
  fix: 'Sign the message of POST /auth/wallet/nonce unchanged, asked for with the purpose of this call.',
  details: z.object({ part: z.enum(['domain', 'uri', 'version', 'chain_id', 'wallet', 'purpose', 'extra', 'text']) }),
})

export const signatureInvalid = refusal('signature_invalid', {
  status: 401,
  title: 'Signature invalid',
  meaning: 'The signature is not of this wallet over the message of an open nonce.',
  fix: 'Sign the message exactly as given with personal_sign (EIP-191), with the key of wallet_address.',
})

export const signatureMalleable = refusal('signature_malleable', {
  status: 401,
  title: 'Signature not canonical',
  meaning: 'The signature is a second form of a signature of this wallet (high s, or v other than 27 and 28).',
  fix: 'Send the signature as the wallet gives it: low s, v 27 or 28.',
})

export const alreadyRegistered = refusal('already_registered', {
  status: 409,
  title: 'Already registered',
  meaning: 'This wallet has an agent account.',
  fix: 'Make a new key with POST /auth/agent/keys, with a key or a fresh signature of purpose "key".',
})

export const notRegistered = refusal('not_registered', {
  status: 404,
  title: 'Not registered',
  meaning: 'This wallet has no agent account.',
  fix: 'Register with POST /auth/agent/register.',
})

export const keyLimit = refusal('key_limit', {
  status: 409,
  title: 'Too many keys',
  meaning: 'The account holds as many live keys as it may.',
  fix: 'Revoke a key with DELETE /auth/agent/keys/{key_id}.',
  details: z.object({ limit: z.int().min(1).max(1000) }),
})

export const scopeNotGrantable = refusal('scope_not_grantable', {
  status: 403,
  title: 'Scope not grantable',
  meaning: 'The new key asks for a scope that the key used here lacks.',
  fix: 'Ask for fewer scopes, or prove the wallet with a signature of purpose "key".',
})

export const keyOutlivesGrantor = refusal('key_outlives_grantor', {
  status: 403,
  title: 'Key would outlive its maker',
  meaning: 'A key with an expiry cannot make one that lives longer.',
  fix: 'Ask for an expires_at no later than that of the key used, or prove the wallet with a signature of purpose "key".',
})

export const unknownKey = refusal('unknown_key', {
  status: 404,
  title: 'Unknown key',
  meaning: 'The account has no key with this id.',
  fix: 'Look the ids up with GET /auth/agent/keys.',
})

export const refreshTokenInvalid = refusal('refresh_token_invalid', {
  status: 401,
  title: 'Refresh token invalid',
  meaning: 'The refresh token is not one of ours.',
  fix: 'Sign in again with POST /auth/wallet/session.',
})

export const refreshTokenReused = refusal('refresh_token_reused', {
  status: 401,
  title: 'Refresh token used before',
  meaning: 'This refresh token was replaced by a newer one. Two parties may hold it, so the session was ended.',
  fix: 'Sign in again with POST /auth/wallet/session.',
})

export const sessionOver = refusal('session_over', {
  status: 401,
  title: 'Session over',
  meaning: 'The session was ended or has run out.',
  fix: 'Sign in again with POST /auth/wallet/session.',
})

export const clientSecretWrong = refusal('client_secret_wrong', {
  status: 401,
  title: 'Client secret wrong',
  meaning: 'The client secret is not the one of this deployment, or none is configured.',
  fix: 'Send the value of SVC_KEEPER_CLIENT_SECRET.',
})
