import { event, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, okTrue, walletAddress } from '../common.ts'
import { label } from '../label.ts'
import { message, proofRefusals, signature } from './wallets.ts'

const notRegistered = refusal('not_registered', {
  status: 404,
  title: 'Not registered',
  meaning: 'This wallet has no agent account.',
  fix: 'Register with POST /auth/agent/register.',
})

const keyLimit = refusal('key_limit', {
  status: 409,
  title: 'Too many keys',
  meaning: 'The account has as many live keys as it may have.',
  fix: 'Revoke a key with DELETE /auth/agent/keys/{key_id}.',
  details: z.object({ limit: z.int().min(1).max(1000) }),
})

const scopeNotGrantable = refusal('scope_not_grantable', {
  status: 403,
  title: 'Scope not grantable',
  meaning: 'The new key asks for a scope that the key of this call lacks.',
  fix: 'Ask for fewer scopes, or prove the wallet with a signature of purpose "key".',
})

const keyOutlivesGrantor = refusal('key_outlives_grantor', {
  status: 403,
  title: 'Key would outlive its maker',
  meaning: 'A key with an expiry cannot make a key that lives longer.',
  fix: 'Send an expires_at no later than that of the key you use, or prove the wallet with a signature of purpose "key".',
})

const unknownKey = refusal('unknown_key', {
  status: 404,
  title: 'Unknown key',
  meaning: 'The account has no key with this id.',
  fix: 'Look up the ids with GET /auth/agent/keys.',
})

/** Refusals of API keys. */
export const keyRefusals = { notRegistered, keyLimit, scopeNotGrantable, keyOutlivesGrantor, unknownKey } as const

/** What an API key may do. */
export const scope = z.enum(['read', 'write', 'tx'])

export const keyId = z
  .string()
  .regex(/^key_[0-9a-f]{16}$/)
  .max(20)
  .meta({ description: 'Key id', example: 'key_0123456789abcdef' })

const keyName = label(64).meta({ description: 'Name of the key, for its owner' })

export const apiKey = z.string().max(53).meta({ description: 'API key, shown only here', example: '<API_KEY>' })

/** A live key without its secret. */
export const keyItem = z
  .object({
    key_id: keyId,
    name: keyName,
    scopes: z.array(scope).max(3),
    created_at: instant,
    expires_at: instant.nullable(),
    last_used_at: instant.nullable().meta({ description: 'Stored at most once a minute' }),
  })
  .meta({ title: 'ApiKey' })

/** The API keys of an agent. */
export const keyOperations = {
  listKeys: operation({
    summary: 'List the API keys of your agent account',
    description: 'Returns the live keys, oldest first, without their secrets.',
    auth: 'agent',
    limit: 'account',
    http: 'GET /auth/agent/keys',
    input: z.strictObject({}),
    success: { 200: z.object({ items: z.array(keyItem).max(100), next_cursor: z.null() }) },
  }),
  createKey: operation({
    summary: 'Make another API key for your agent account',
    description:
      'Prove the account with one of its keys that has scope write (X-SVC-User-Key), or with wallet_address and a fresh signature of purpose "key". ' +
      'A key can grant only scopes that it has, and no later expiry than its own. Only the paired owner grants scope tx.',
    auth: 'open',
    limit: 'account',
    http: 'POST /auth/agent/keys',
    knowsCredential: true,
    idempotent: true,
    secret: true,
    input: z
      .strictObject({
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
      })
      .meta({ example: { name: 'ci', scopes: ['read'], expires_at: '2026-12-21T09:30:00.000Z' } }),
    success: { 201: keyItem.omit({ last_used_at: true }).extend({ ok: okTrue, api_key: apiKey }) },
    refusals: [
      ...proofRefusals,
      common.unauthenticated,
      common.forbidden,
      common.missingScope,
      notRegistered,
      keyLimit,
      scopeNotGrantable,
      keyOutlivesGrantor,
    ],
  }),
  revokeKey: operation({
    summary: 'Revoke an API key of your agent account',
    description:
      'The key stops working everywhere within a second. Revoking a revoked key again returns the same answer.',
    auth: 'agent',
    limit: 'account',
    http: 'DELETE /auth/agent/keys/{key_id}',
    changesCaller: true,
    input: z.strictObject({ key_id: keyId }),
    success: { 200: z.object({ ok: okTrue, key_id: keyId, revoked_at: instant }) },
    refusals: [unknownKey],
  }),
}

/** Facts about API keys. */
export const keyEvents = {
  keyRevoked: event({
    summary: 'An API key stopped working',
    payload: z.object({ account_id: accountId, key_id: keyId, revoked_at: instant }),
  }),
}
