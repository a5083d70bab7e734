import { operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { common, dryRun, givenInstant, instant, okTrue, strangersText } from '../common.ts'
import { decimal } from '../hl-relay/fields.ts'
import { legMarketId } from '../hl-leg/venue.ts'
import { label } from '../label.ts'
import { notOnAllowlist, operatorVaultId } from './operators.ts'
import { gallerySettings } from './settings.ts'

/** How long a signal may be valid, from its publication. */
export const SIGNAL_VALID_MAX_MS = 7 * 86_400_000

export const flagOff = refusal('flag_off', {
  status: 503,
  title: 'Switched off',
  meaning: 'This deployment has the publishing of signals switched off; nothing was stored.',
  fix: 'Repeat once GET /hub/doors shows door 3 as open.',
})
export const unknownMarket = refusal('unknown_market', {
  sameAs: 'unknown_coin',
  status: 404,
  title: 'Unknown market',
  meaning: 'The venue lists no market of this id.',
  fix: 'Use a market_id of GET /hub/markets that starts with hl:.',
})

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .max(64)
const seq = z.int().min(1).max(2_147_483_647)
const weight = z
  .int()
  .min(0)
  .max(10_000)
  .meta({ description: "Target position in basis points of a follower's leg equity; 0 for flat", example: 2_500 })
const price = decimal.refine((text) => Number(text) > 0, 'must be above 0')
const market = legMarketId.meta({ description: 'Market of the venue', example: 'hl:BTC' })
const side = z.enum(['long', 'short', 'flat'])

/** A signal as those see it who may read it. */
export const signalView = z
  .object({
    signal_id: z
      .string()
      .regex(/^sig_[a-z0-9]{20}$/)
      .max(24)
      .meta({ example: 'sig_1b4m6z03kq8w2n5x7c9v' }),
    seq: seq.meta({ description: 'Rises by one from signal to signal of the vault' }),
    market,
    side,
    weight_bps: weight,
    limit_price: decimal.nullable(),
    valid_until: instant.nullable(),
    note: strangersText(280).nullable(),
    recorded_price: decimal.meta({ description: "The venue's mark price, as this service read it" }),
    recorded_at: instant,
    salt: hash.meta({ description: 'Random; part of what is hashed' }),
    previous_hash: hash.nullable().meta({ description: 'Hash of the signal before; null for the first' }),
    hash: hash.meta({
      description:
        'SHA-256 of the RFC 8785 JSON of the other members and vault_id, previous_hash as an empty string if null',
    }),
  })
  .meta({ title: 'Signal' })
export type SignalView = z.output<typeof signalView>

/** Publication of signals. */
export const signalOperations = {
  publishSignal: operation({
    summary: 'Publish a signal of your operator vault',
    description:
      'A signal is numbered, hashed together with the one before, and never changed. Its price is the mark price of the venue, read by the service. ' +
      'The same client_id again answers the first signal, as Idempotent-Replayed, if the other members are the same. With dry_run nothing is stored and signal_id, seq and hash are null.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /opvault/vaults/{vault_id}/signals',
    effect: 'money',
    reaches: 'outside',
    tool: 'opvault_signal_publish',
    toolTitle: 'Publish a signal',
    mayLose: 'None of your money; followers trade with theirs, and a signal is never changed or withdrawn.',
    idempotent: true,
    flag: { setting: gallerySettings.signalPublishEnabled, whenOff: flagOff },
    input: z
      .strictObject({
        vault_id: operatorVaultId,
        client_id: z
          .string()
          .regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'write 1 to 64 letters, digits or one of _ . : -')
          .max(64)
          .meta({ description: 'Your own name for the signal, unique in the vault', example: 'btc-2026-11-21-a' }),
        market,
        side: side.meta({ description: 'flat: no position' }),
        weight_bps: weight,
        limit_price: price
          .optional()
          .meta({ description: 'Worst price at which followers may open', example: '61000' }),
        valid_until: givenInstant
          .optional()
          .meta({ description: 'Followers skip the signal afterwards; at most 7 days ahead; default: 120 s' }),
        note: label(280).optional().meta({ description: 'A line for readers' }),
        dry_run: dryRun,
      })
      .meta({
        example: {
          client_id: 'btc-2026-11-21-a',
          market: 'hl:BTC',
          side: 'long',
          weight_bps: 2_500,
        },
      }),
    success: {
      201: z.object({
        ok: okTrue,
        signal_id: signalView.shape.signal_id.nullable(),
        seq: seq.nullable(),
        recorded_price: decimal,
        recorded_at: instant,
        hash: hash.nullable(),
      }),
    },
    refusals: [
      flagOff,
      notOnAllowlist,
      unknownMarket,
      common.invalidRequest,
      common.idempotencyMismatch,
      common.rateLimited,
    ],
  }),
} as const
