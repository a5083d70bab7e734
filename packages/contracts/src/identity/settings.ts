import { setting } from '@svc/contract'
import { z } from 'zod'
import { listOf, walletList } from '../common.ts'

const wallets = walletList(1000)

const bytes32 = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url')

/** Settings that name the operators; as files they are read again while the service runs. */
export const roleSettings = {
  adminWallets: setting({
    env: 'SVC_ADMIN_WALLETS',
    schema: wallets,
    default: '',
    doc: 'Wallets whose owner sessions carry the role admin, separated by commas. Given as SVC_ADMIN_WALLETS_FILE, a change takes effect within a second.',
  }),
  reviewerWallets: setting({
    env: 'SVC_REVIEWER_WALLETS',
    schema: wallets,
    default: '',
    doc: 'Wallets whose owner sessions carry the role reviewer, separated by commas. Given as SVC_REVIEWER_WALLETS_FILE, a change takes effect within a second.',
  }),
} as const

export const identitySettings = {
  ...roleSettings,
  publicUrl: setting({
    env: 'SVC_PUBLIC_URL',
    schema: z.url({ protocol: /^https?$/ }),
    default: 'http://127.0.0.1:8080',
    doc: 'Public address of the deployment: domain and URI of sign-in messages, issuer of tokens.',
  }),
  siweChainId: setting({
    env: 'SVC_SIWE_CHAIN_ID',
    schema: z.coerce
      .number()
      .int()
      .min(1)
      .max(2 ** 53 - 1),
    default: '1',
    doc: 'Chain id in sign-in messages; contract wallets are asked on this chain.',
  }),
  redisUrl: setting({
    env: 'SVC_REDIS_URL',
    schema: z.string().startsWith('redis'),
    default: 'redis://127.0.0.1:6379',
    secret: true,
    doc: 'Address of Redis.',
  }),
  chainRpcUrl: setting({
    env: 'HUB_RPC_URL',
    schema: z.url({ protocol: /^https?$/ }),
    default: null,
    secret: true,
    doc: 'RPC of the chain; without it, contract wallets cannot sign in.',
  }),
  sessionSigningKey: setting({
    env: 'SVC_SESSION_SIGNING_KEY',
    schema: bytes32,
    secret: true,
    doc: 'Ed25519 seed that signs session tokens, 32 random bytes in base64url. All instances share it.',
  }),
  previousSigningKeys: setting({
    env: 'SVC_SESSION_PREVIOUS_KEYS',
    schema: listOf(bytes32, 4),
    default: '',
    doc: 'Public halves (x of the JWKS entry) of the former and of the next signing key, separated by commas: tokens signed with them are valid until they expire.',
  }),
  retiredSigningKeys: setting({
    env: 'SVC_SESSION_RETIRED_KEYS',
    schema: listOf(bytes32, 64),
    default: '',
    doc: 'Public halves of earlier signing keys, separated by commas: the JWKS lists them, so that documents signed with them can be verified. No token of them is valid. Never one that has leaked.',
  }),
  keeperSecret: setting({
    env: 'SVC_KEEPER_CLIENT_SECRET',
    schema: z.string().min(32).max(512),
    default: null,
    secret: true,
    doc: 'Secret for which POST /auth/service/token mints a keeper token; at least 32 characters. Without it nobody is keeper.',
  }),
  previousKeeperSecret: setting({
    env: 'SVC_KEEPER_PREVIOUS_SECRET',
    schema: z.string().min(32).max(512),
    default: null,
    secret: true,
    doc: 'The SVC_KEEPER_CLIENT_SECRET being replaced: it still mints keeper tokens, and its tokens stay valid.',
  }),
} as const
