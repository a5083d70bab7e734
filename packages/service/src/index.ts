export { readAuthority, redisTls } from './authority.ts'
export { openBus, type Bus } from './bus.ts'
export { isLate, patiently, StartProblem } from './patiently.ts'
export { callRaw, clientOf, RemoteRefusal, type CallOptions, type RawReply } from './call.ts'
export { pacedClock, systemClock, type Clock } from './clock.ts'
export { durationsOf, secondsOf } from './durations.ts'
export { isOutage, Outage } from './errors.ts'
export {
  bindReactions,
  topology,
  type BoundReaction,
  type Delivered,
  type Local,
  type Reaction,
  type Reactions,
} from './events.ts'
export { fieldErrors } from './field-errors.ts'
export { decodeFrame, encodeFrame, refusalBody, type CallHead, type RefusalBody, type ReplyHead } from './frame.ts'
export { countsByState, readTogether, type Gauge, type Gauges } from './gauges.ts'
export { fileReader, openFiles, type Files } from './files.ts'
export {
  callerOf,
  type AnyHandler,
  type Answer,
  type BoundHandler,
  type Call,
  type Handler,
  type Handlers,
} from './handler.ts'
export { openInternalServer, type Checks, type InternalServer } from './health.ts'
export { collectGarbage } from './collect-garbage.ts'
export { counterOf, eachOf, gaugeOf } from './instruments.ts'
export { listen, listenForEvents } from './listen.ts'
export { batchedOutput, openLog, type Log } from './log.ts'
export { fitHeap, openInternal, orExit, runAsProcess, type Command } from './process.ts'
export { nkeyAuthenticator } from './nkey.ts'
export { permissionsOf, PROVISIONER, type Permissions } from './permissions.ts'
export { dropStreams, provision, refuseReaders, reservedBytes } from './provision.ts'
export type { ExitCode } from './run-job.ts'
export { openScheduler, tick, type Job, type JobReport, type ScheduledJob, type Scheduler } from './scheduler.ts'
export { whyNot } from './why-not.ts'
export { bind, startService, type Parts, type RunningService } from './service.ts'
export type { Kit, Overrides } from './kit.ts'
export { defineService, type Service } from './define-service.ts'
export { metricsText } from './meters.ts'
export { openTelegram, type Delivery, type Telegram } from './telegram.ts'
export { beginAlarms, contextOf, countAlarm, inSpan, outSpan, rootSpan, SpanKind, traceOf } from './telemetry.ts'
export { flushTracing, startTracing } from './tracing.ts'
export { SILENCE_MS, unwatched, watchAnswers, type Answers, type Dependency, type Watched } from './watch-answers.ts'
