import { callRaw, fileReader, traceOf, type RawReply } from '@svc/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from './admission.ts'
import { clientKey } from './client-address.ts'
import type { EdgeOptions } from './edge-options.ts'
import type { Http } from './http.ts'
import { idempotencyKeyOf, inputOf, lastEventIdOf } from './input.ts'
import { wantsCsv } from './csv.ts'
import { announceDeprecation } from './deprecation.ts'
import { answerOff, whenOff } from './flags.ts'
import { paymentCarrierOf } from './payment.ts'
import { fileOf, printFile, printReply, sendKept } from './print.ts'
import type { Route } from './routes.ts'
import { inOneOrder, sharedAnswers, type SharedAnswers } from './shared-answers.ts'
import { cookieCarrierOf } from './secret-cookie.ts'
import { createStreams } from './stream.ts'

type Handle = (route: Route, request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

/**
 * Returns the key of a shared answer. URLs begin with a slash, so keys with and without the prefix cannot collide;
 * callers with a credential use the URL itself.
 */
const shareKeyOf = ({ state, url }: FastifyRequest) =>
  state?.caller == null ? `open ${inOneOrder(url)}` : inOneOrder(url)

/** Sends the kept answer of a request at once; returns false if no answer is kept. */
type AnswerKept = (route: Route, request: FastifyRequest, reply: FastifyReply) => boolean

/** Sends kept answers before the steps of Fastify that a read without a body does not need. */
const answeringKept =
  (shared: SharedAnswers): AnswerKept =>
  (route, request, reply) => {
    const { sharedAnswer, listAs } = route.operation
    if (sharedAnswer !== true || listAs !== undefined || wantsCsv(route, request)) return false
    // A stored answer has the same URL, so its input has been validated before.
    const kept = shared.kept(shareKeyOf(request))
    if (kept === null) return false
    sendKept(route, request, reply, kept)
    return true
  }

/** Adds to an answer what its caller has used of the requests of the day, if its route says so. */
async function withDailyUse(
  { operation: { dailyUse } }: Route,
  request: FastifyRequest,
  admission: Admission,
  raw: RawReply,
): Promise<RawReply> {
  if (dailyUse === undefined || raw.head.s >= 400) return raw
  const use = await admission.dailyUseOf(request)
  if (use === null) return raw
  const answer = JSON.parse(raw.body.toString('utf8')) as Record<string, unknown>
  return { ...raw, body: Buffer.from(JSON.stringify({ ...answer, [dailyUse]: use })) }
}

/**
 * Returns the handler that answers a route with the reply of the owning service, or with the file that the reply names.
 */
function asking(admission: Admission, options: EdgeOptions, shared: SharedAnswers): Handle {
  const { bus, refusals } = options
  const readFile = fileReader(bus)
  const answer = async (
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    shareKey: string | null,
  ): Promise<FastifyReply> => {
    const caller = request.state?.caller ?? null
    const { cacheSec = 0 } = route.operation
    const cookie = cookieCarrierOf(route, request, options.webOrigin)
    const payment = paymentCarrierOf(route, request, options.webOrigin)
    const inputJson = JSON.stringify(inputOf(route, request, cookie?.input ?? payment?.input))
    const key = idempotencyKeyOf(route, request, caller, inputJson)
    const ask = () =>
      callRaw(bus, 'gateway', route.operation, inputJson, {
        id: request.id,
        by: Date.now() + (route.operation.timeoutMs ?? 10_000),
        ...(caller === null ? { client: clientKey(request.ip) } : { caller }),
        ...(key === undefined ? {} : { key }),
        ...traceOf(request.state?.span),
      })
    const answered =
      shareKey === null ? await ask() : (shared.kept(shareKey) ?? (await shared.ask(shareKey, cacheSec * 1_000, ask)))
    const raw = await withDailyUse(route, request, admission, answered)
    if (raw.head.s < 400 && route.operation.changesCaller === true && caller !== null)
      options.directory.forgetAccount(caller.account_id)
    payment?.announce(raw, reply)
    const file = fileOf(route, raw)
    return file === null
      ? printReply(route, request, reply, cookie?.keep(raw, reply) ?? raw, refusals)
      : printFile(route, request, reply, file, readFile)
  }
  return (route, request, reply) =>
    answer(route, request, reply, route.operation.sharedAnswer === true ? shareKeyOf(request) : null)
}

/** Returns the handler that answers a route with an endless stream. */
function following({ app, answers }: Http, admission: Admission, options: EdgeOptions): Handle {
  const { bus } = options
  const streams = createStreams(bus, options.routes, options.log)
  app.addHook('preClose', (done) => {
    streams.close()
    done()
  })
  return async (route, request, reply) => {
    const caller = request.state?.caller ?? null
    const input = inputOf(route, request)
    const seen = lastEventIdOf(request)
    if (seen !== undefined) input['since'] = seen
    const ask = (since: unknown) =>
      callRaw(bus, 'gateway', route.operation, JSON.stringify({ ...input, since }), {
        id: request.id,
        by: Date.now() + (route.operation.timeoutMs ?? 10_000),
        ...(caller === null ? {} : { caller }),
      })
    const first = await ask(input['since'])
    if (first.head.s >= 400) return printReply(route, request, reply, first, options.refusals)
    const recheck = () => admission.recheck(route, request)
    streams.open({ route, caller, input, reply, first, ask, recheck })
    answers.began(request, reply)
    return reply
  }
}

/** Serves every declared route, without code for single routes. */
export function serveRoutes(http: Http, admission: Admission, options: EdgeOptions): void {
  const shared = sharedAnswers(() => performance.now())
  const ask = asking(admission, options, shared)
  const answerKept = answeringKept(shared)
  const follow = following(http, admission, options)
  for (const route of options.routes) {
    const handle = route.operation.stream === undefined ? ask : follow
    http.app.route({
      method: route.method,
      url: route.pattern,
      onRequest: (request, reply, done) => {
        if (request.state !== null) request.state.route = route.path
        announceDeprecation(route, request, reply)
        const enter = () => {
          if (!answerKept(route, request, reply)) done()
        }
        const off = whenOff(route, options.isOn)
        // The request must not reach the handler: its caller has not been checked.
        if (off !== null) return void answerOff(off, () => admission.countOpen(request), reply).then(() => {}, done)
        const admitted = admission.admit(route, request)
        if (admitted instanceof Promise) admitted.then(enter, done)
        else enter()
      },
      ...(route.operation.exitWhen === undefined
        ? {}
        : {
            preHandler: (request: FastifyRequest) => admission.countByBody(route, request),
          }),
      handler: (request, reply) => handle(route, request, reply),
      exposeHeadRoute: route.operation.stream === undefined,
    })
  }
}
