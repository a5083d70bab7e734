import { common } from '@svc/contracts'
import { refusalBody, type RawReply } from '@svc/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EdgeRefusal } from './problem.ts'
import type { Route } from './routes.ts'

/** Header of x402 (version 2) that brings a payment. */
const PAYMENT_HEADER = 'payment-signature'
/** Longest header of a payment; one with all members of an offer has about 1,000 characters. */
const HEADER_MAX = 8_000
const NETWORK = 'svc:ledger'

/** The way of a payment through the edge for one request of a read that may cost Cherry. */
export interface PaymentCarrier {
  /** Members that the payment brings to the input. */
  readonly input: Readonly<Record<string, unknown>>
  /** Tells an x402 client in headers what the reply demands, or what became of its payment. */
  announce(raw: RawReply, reply: FastifyReply): void
}

/** Returns how a payment travels; null for an operation that costs nothing. Throws the refusal of a header that is no payment. */
export function paymentCarrierOf(route: Route, request: FastifyRequest, webOrigin: string): PaymentCarrier | null {
  const { payment } = route.operation
  if (payment === undefined) return null
  const brought = offerIdOf(request.headers[PAYMENT_HEADER])
  return {
    input: brought === null ? {} : { [payment.offer]: brought },
    announce: (raw, reply) => {
      const isPaid = raw.head.s < 400
      if (isPaid && brought === null) return
      const body = JSON.parse(raw.body.toString('utf8')) as Record<string, unknown>
      if (raw.head.s === 402 && body['offer'] !== undefined)
        void reply.header('payment-required', encoded(demandOf(body, `${webOrigin}${request.url}`, route)))
      if (brought === null) return
      const settled = { transaction: isPaid ? brought : '', network: NETWORK, payer: payerOf(request) }
      const outcome = isPaid
        ? { success: true, ...settled, amount: String(body[payment.charged]) }
        : { success: false, ...settled, errorReason: String(body['code']) }
      void reply.header('payment-response', encoded(outcome))
    },
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
const payerOf = ({ state }: FastifyRequest): string => String(state?.caller?.account_id ?? '')

/** Returns what an x402 client may pay, as the header `PAYMENT-REQUIRED` says it. */
function demandOf(body: Readonly<Record<string, unknown>>, url: string, { operation }: Route) {
  const { code, detail } = refusalBody.parse(body)
  const resource = { url, description: operation.summary, mimeType: 'application/json' }
  return { x402Version: 2, error: detail ?? code, resource, accepts: [body['offer']] }
}

/** Returns the offer that the header of a payment names; null without the header. */
function offerIdOf(header: string | readonly string[] | undefined): string | null {
  if (header === undefined) return null
  const { x402Version, accepted, payload } = membersOf(
    typeof header === 'string' && header.length <= HEADER_MAX ? jsonOf(header) : null,
  )
  const offerId = membersOf(payload)['offer_id']
  if (x402Version === 2 && membersOf(accepted)['scheme'] === 'cherry-credit' && typeof offerId === 'string')
    return offerId
  throw new EdgeRefusal(common.invalidRequest, {
    errors: [
      {
        pointer: `/header/${PAYMENT_HEADER}`,
        code: 'invalid_format',
        detail:
          'Send base64 of {"x402Version": 2, "accepted": <the offer>, "payload": {"offer_id": <its extra.offer_id>}} with the scheme cherry-credit, or send offer_id in the query.',
      },
    ],
  })
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

function jsonOf(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    return null
  }
}
