import { contract, event, job, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, okTrue, walletAddress } from '../common.ts'
import { agentEvents, agentOperations } from './agents.ts'
import { keyId, keyItem, keyName, scope } from './keys.ts'
import * as refusals from './refusals.ts'
import { signingOperations } from './record-heads.ts'
import { identitySettings } from './settings.ts'
import { label } from '../label.ts'

/** What a signature is asked for; it serves nothing else. */
const purpose = z.enum(['register', 'key', 'session']).meta({ description: 'What the signature will be used for' })

const signature = z
  .string()
  .min(4)
  .max(16_386)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x and whole bytes in hex')
  .meta({
    description: 'Signature of the nonce message: personal_sign, or what a contract wallet takes (ERC-1271, ERC-6492)',
  })

const message = z.string().min(1).max(2000).meta({
  description:
    'The signed message, as POST /auth/wallet/nonce gave it. Without it, the newest open messages of the wallet are tried.',
})

const proof = { wallet_address: walletAddress, signature, message: message.optional() }
const proofRefusals = [
  refusals.nonceUnknown,
  refusals.messageExpired,
  refusals.messageMismatch,
  refusals.signatureInvalid,
  refusals.signatureMalleable,
  common.rateLimited,
] as const

const apiKey = z.string().max(53).meta({ description: 'API key, shown only here', example: '<API_KEY>' })
const token = z.string().max(2048).meta({ description: 'JWT for Authorization: Bearer' })
const refreshToken = z.string().min(1).max(200).meta({ description: 'Refresh token; good for one use' })
const session = z.object({ ok: okTrue, token, expires_at: instant, refresh_token: refreshToken, user_id: accountId })

const resolved = z.object({
  account_id: z.int().min(0),
  kind: z.enum(['agent', 'owner', 'service']),
  wallet: walletAddress.nullable(),
  roles: z.array(z.enum(['admin', 'reviewer', 'keeper'])),
  scopes: z.array(scope),
  key_id: z.string().nullable(),
  session_id: z.string().nullable(),
  /** When the credential stops by itself; null = never. */
  expires_at: instant.nullable(),
})

const account = z.object({
  account_id: accountId,
  kind: z.enum(['agent', 'owner']),
  wallet: walletAddress,
  name: z.string().nullable(),
  created_at: instant,
})
const accountIds = z.array(accountId).min(1).max(500)

/** Accounts, sign-in, API keys, sessions, roles, and the agents' pairing and policy. */
export const identity = contract('identity', {
  title: 'Accounts, sign-in, API keys, sessions and agents',
  settings: identitySettings,
  operations: {
    requestNonce: operation({
      summary: 'Get a message to sign with a wallet',
      description:
        'An EIP-4361 (Sign-In with Ethereum) message, good for one use within 5 minutes and only for the purpose it names.',
      auth: 'open',
      limit: 'account',
      http: 'POST /auth/wallet/nonce',
      input: z.strictObject({ wallet_address: walletAddress, purpose: purpose.default('register') }),
      success: { 200: z.object({ nonce: z.string().max(64), message: z.string().max(2000), expires_at: instant }) },
    }),
    registerAgent: operation({
      summary: 'Register an agent and get its first API key',
      description:
        'The API key is in this answer only. A welcome credit of 10 Cherry follows. Scopes of the key: read and write.',
      auth: 'open',
      limit: 'account',
      http: 'POST /auth/agent/register',
      idempotent: true,
      secret: true,
      input: z.strictObject({ ...proof, agent_name: label(64).meta({ description: 'Free label of the agent' }) }),
      success: {
        201: z.object({
          ok: okTrue,
          user_id: accountId,
          api_key: apiKey,
          welcome_cherry: z.literal(10),
          tier: z.literal('free'),
        }),
      },
      refusals: [...proofRefusals, refusals.alreadyRegistered],
    }),
    openSession: operation({
      summary: 'Sign in as an owner with a wallet',
      description:
        'The first sign-in of a wallet creates its owner account. The token is good for 15 minutes; refresh it with POST /auth/session/refresh.',
      auth: 'open',
      limit: 'account',
      http: 'POST /auth/wallet/session',
      idempotent: true,
      secret: true,
      input: z.strictObject(proof),
      success: { 200: session },
      refusals: [...proofRefusals],
    }),
    refreshSession: operation({
      summary: 'Exchange a refresh token for a new pair of tokens',
      description:
        'Each refresh token is good for one use. Showing one again ends the session, because two parties may hold it.',
      auth: 'open',
      limit: 'account',
      http: 'POST /auth/session/refresh',
      secret: true,
      input: z.strictObject({ refresh_token: refreshToken }),
      success: { 200: session },
      refusals: [refusals.refreshTokenInvalid, refusals.refreshTokenReused, refusals.sessionOver],
    }),
    endSession: operation({
      summary: 'Sign out',
      auth: 'owner',
      limit: 'account',
      http: 'POST /auth/session/logout',
      knowsCredential: true,
      changesCaller: true,
      input: z.strictObject({}),
      success: { 200: z.object({ ok: okTrue }) },
    }),
    listKeys: operation({
      summary: 'List your API keys',
      description: 'Live keys, oldest first. The keys themselves are never shown again.',
      auth: 'agent',
      limit: 'account',
      http: 'GET /auth/agent/keys',
      input: z.strictObject({}),
      success: { 200: z.object({ items: z.array(keyItem).max(100), next_cursor: z.null() }) },
    }),
    createKey: operation({
      summary: 'Make another API key',
      description:
        'Proven by a key of the account with scope write (X-SVC-User-Key), or by wallet_address and a fresh signature of purpose "key". ' +
        'A key can give only what it has itself: its own scopes and at most its own expiry. Scope tx is granted by the paired owner only.',
      auth: 'open',
      limit: 'account',
      http: 'POST /auth/agent/keys',
      knowsCredential: true,
      idempotent: true,
      secret: true,
      input: z.strictObject({
        wallet_address: walletAddress.optional(),
        signature: signature.optional(),
        message: message.optional(),
        name: keyName.default('key'),
        scopes: z
          .array(z.enum(['read', 'write']))
          .min(1)
          .max(2)
          .default(['read', 'write']),
        expires_at: instant.nullable().default(null),
      }),
      success: { 201: keyItem.omit({ last_used_at: true }).extend({ ok: okTrue, api_key: apiKey }) },
      refusals: [
        ...proofRefusals,
        common.unauthenticated,
        common.forbidden,
        common.missingScope,
        refusals.notRegistered,
        refusals.keyLimit,
        refusals.scopeNotGrantable,
        refusals.keyOutlivesGrantor,
      ],
    }),
    revokeKey: operation({
      summary: 'Revoke an API key',
      description: 'Takes effect everywhere within a second. Revoking a revoked key again answers the same.',
      auth: 'agent',
      limit: 'account',
      http: 'DELETE /auth/agent/keys/{key_id}',
      changesCaller: true,
      input: z.strictObject({ key_id: keyId }),
      success: { 200: z.object({ ok: okTrue, key_id: keyId, revoked_at: instant }) },
      refusals: [refusals.unknownKey],
    }),
    listSigningKeys: operation({
      summary: 'Public keys that verify our tokens (JWKS)',
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
      summary: 'Get a keeper token for the client secret',
      auth: 'open',
      limit: 'account',
      http: 'POST /auth/service/token',
      secret: true,
      input: z.strictObject({
        client_secret: z.string().min(1).max(512).meta({ description: 'SVC_KEEPER_CLIENT_SECRET' }),
      }),
      success: { 200: z.object({ ok: okTrue, token, expires_at: instant }) },
      refusals: [refusals.clientSecretWrong],
    }),
    resolveCredentials: operation({
      summary: 'Tell whose credentials these are, now',
      auth: 'service',
      callers: ['gateway'],
      input: z.strictObject({
        credentials: z
          .array(
            z.discriminatedUnion('kind', [
              z.strictObject({ kind: z.literal('key'), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
              z.strictObject({ kind: z.literal('token'), token: z.string().min(1).max(2048) }),
            ]),
          )
          .min(1)
          .max(500),
      }),
      success: { 200: z.object({ callers: z.array(resolved.nullable()) }) },
    }),
    relatedAccounts: operation({
      summary: 'List the accounts that belong to the same party as this one, itself included',
      auth: 'service',
      callers: ['mining', 'subscriptions'],
      input: z.strictObject({ account_id: accountId }),
      success: { 200: z.object({ account_ids: z.array(accountId).max(500) }) },
    }),
    getAccounts: operation({
      summary: 'Look accounts up; null where there is none',
      auth: 'service',
      callers: ['gateway', 'mining', 'subscriptions', 'mandates'],
      input: z.strictObject({ account_ids: accountIds }),
      success: { 200: z.object({ accounts: z.array(account.nullable()) }) },
    }),
    ...agentOperations,
    ...signingOperations,
  },
  events: {
    ...agentEvents,
    agentRegistered: event({
      summary: 'A wallet registered an agent account',
      payload: z.object({
        account_id: accountId,
        wallet: walletAddress,
        agent_name: z.string(),
        registered_at: instant,
      }),
    }),
    ownerRegistered: event({
      summary: 'A wallet signed in for the first time and has an owner account',
      payload: z.object({ account_id: accountId, wallet: walletAddress, registered_at: instant }),
    }),
    keyRevoked: event({
      summary: 'An API key stopped working',
      payload: z.object({ account_id: accountId, key_id: keyId, revoked_at: instant }),
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
  },
  jobs: {
    forgetEnded: job({
      summary: 'Delete sessions over for 30 days, keys revoked or expired for a year, and pair codes of 30 days ago',
      everyMs: 3_600_000,
      max: 5000,
      budgetSec: 60,
    }),
  },
})
