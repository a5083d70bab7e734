export { inBatches } from './in-batches.ts'
export { claim, ClaimLost, fingerprint, finish, release, type Claim, type ClaimKey } from './idempotency.ts'
export {
  dropDeadLetters,
  lettersToReplay,
  listDeadLetters,
  noteFailure,
  replayDeadLetters,
  type DeadLetter,
} from './dead-letters.ts'
export { forgetOld, KEEP_DAYS } from './forget-old.ts'
export { lead, leads, type Lease } from './lease.ts'
export { migrate, schemaWatch } from './migrate.ts'
export {
  acceptEvent,
  emit,
  emitAll,
  emitIf,
  markSent,
  outboxLag,
  takeOutbox,
  type Emission,
  type OutboxRow,
} from './outbox.ts'
export { publishAgain } from './publish-again.ts'
export { share, type ShareDuty } from './shares.ts'
export { traceparentOf } from './trace.ts'
export { openPool, sql, type Db, type Pool, type Tx } from './pool.ts'
export { hitWorkerLimit, isSchemaBehind, isTableMissing, workerTransaction, type WorkerLimits } from './worker.ts'
