import { event, operation, refusal, type SecretCookie } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant, okTrue, walletAddress } from '../common.ts'
import { proof, proofRefusals } from './wallets.ts'

const refreshTokenInvalid = refusal('refresh_token_invalid', {
  status: 401,
  title: 'Refresh token invalid',
  meaning: 'We did not issue this refresh token.',
  fix: 'Sign in again with POST /auth/wallet/session.',
})

const refreshTokenReused = refusal('refresh_token_reused', {
  status: 401,
  title: 'Refresh token used before',
  meaning:
    'This refresh token was replaced by a newer one, which was used or is older than 10 seconds. Two parties may have it, so the session was ended.',
  fix: 'Sign in again with POST /auth/wallet/session.',
})

const sessionOver = refusal('session_over', {
  status: 401,
  title: 'Session over',
  meaning: 'The session was ended or has run out.',
  fix: 'Sign in again with POST /auth/wallet/session.',
})

const clientSecretWrong = refusal('client_secret_wrong', {
  status: 401,
  title: 'Client secret wrong',
  meaning: 'The client secret is not the one of this deployment, or none is configured.',
  fix: 'Send the value of SVC_KEEPER_CLIENT_SECRET as client_secret.',
})

/** Refusals of sessions and of the keeper's token. */
export const sessionRefusals = { refreshTokenInvalid, refreshTokenReused, sessionOver, clientSecretWrong } as const

const token = z.string().max(2048).meta({ description: 'JWT for Authorization: Bearer' })
const refreshToken = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Refresh token, for one use', example: '<REFRESH_TOKEN>' })
const session = z.object({
  ok: okTrue,
  token,
  expires_at: instant,
  refresh_token: refreshToken,
  user_id: accountId,
  wallet_address: walletAddress,
})

/** The cookie in which pages keep the refresh token; a session that rests for its life is over anyway. */
const refreshCookie = {
  name: 'svc_refresh',
  path: '/auth/session',
  member: 'refresh_token',
  maxAgeSec: 30 * 86_400,
  sign: { name: 'signed_in', path: '/ui' },
} as const satisfies SecretCookie

/** Sessions of owners, the keeper's token, and the keys that verify both. */
export const sessionOperations = {
  openSession: operation({
    summary: 'Sign in as an owner with your wallet',
    description:
      'The first sign-in of a wallet creates its owner account. The token is valid for 15 minutes; refresh it with POST /auth/session/refresh.',
    auth: 'open',
    limit: 'account',
    http: 'POST /auth/wallet/session',
    idempotent: true,
    secret: true,
    cookie: refreshCookie,
    input: z.strictObject(proof),
    success: { 200: session },
    refusals: [...proofRefusals],
  }),
  refreshSession: operation({
    summary: 'Exchange your refresh token for a new access token and refresh token',
    description:
      'Each refresh token works once. For 10 seconds it may be sent again, so that a lost answer ends nothing, unless a token of its answers was used. Sending it later ends the session, because two parties may have it.',
    auth: 'open',
    limit: 'account',
    http: 'POST /auth/session/refresh',
    secret: true,
    cookie: refreshCookie,
    input: z.strictObject({ refresh_token: refreshToken }),
    success: { 200: session },
    refusals: [refreshTokenInvalid, refreshTokenReused, sessionOver],
  }),
  endSession: operation({
    summary: 'Sign out: end the owner session of this call',
    auth: 'owner',
    limit: 'account',
    http: 'POST /auth/session/logout',
    knowsCredential: true,
    changesCaller: true,
    cookie: { ...refreshCookie, ends: true },
    input: z.strictObject({}),
    success: { 200: z.object({ ok: okTrue }) },
  }),
  listSigningKeys: operation({
    summary: 'List the public keys that verify our tokens (JWKS)',
    auth: 'open',
    http: 'GET /.well-known/jwks.json',
    cacheSec: 300,
    input: z.strictObject({}),
    success: {
      200: z.object({
        keys: z
          .array(
            z.object({
              kty: z.literal('OKP'),
              crv: z.literal('Ed25519'),
              x: z.string().max(43),
              kid: z.string().max(43),
              alg: z.literal('EdDSA'),
              use: z.literal('sig'),
            }),
          )
          .max(5),
      }),
    },
  }),
  mintServiceToken: operation({
    summary: 'Get an access token for the keeper of this deployment',
    auth: 'open',
    limit: 'account',
    http: 'POST /auth/service/token',
    secret: true,
    input: z.strictObject({
      client_secret: z
        .string()
        .min(1)
        .max(512)
        .meta({ description: 'SVC_KEEPER_CLIENT_SECRET', example: '<SVC_KEEPER_CLIENT_SECRET>' }),
    }),
    success: { 200: z.object({ ok: okTrue, token, expires_at: instant }) },
    refusals: [clientSecretWrong],
  }),
}

/** Facts about owners and their sessions. */
export const sessionEvents = {
  ownerRegistered: event({
    summary: 'A wallet signed in for the first time and has an owner account',
    payload: z.object({ account_id: accountId, wallet: walletAddress, registered_at: instant }),
  }),
  sessionEnded: event({
    summary: 'A session stopped working',
    payload: z.object({
      account_id: accountId,
      session_id: z.string(),
      reason: z.enum(['logout', 'reuse', 'replaced']),
      ended_at: instant,
    }),
  }),
}
