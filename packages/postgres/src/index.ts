export { inBatches } from './in-batches.ts'
export { claim, ClaimLost, fingerprint, finish, release, type Claim, type ClaimKey } from './idempotency.ts'
export {
  dropDeadLetters,
  lettersToReplay,
  listDeadLetters,
  noteFailure,
  openLetters,
  replayDeadLetters,
  type DeadLetter,
  type Patience,
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
export {
  instant,
  json,
  jsonAsWritten,
  named,
  table,
  typed,
  units,
  type Columns,
  type Row,
  type RowOf,
  type Table,
} from './table.ts'
export { traceparentOf } from './trace.ts'
export { isAnswer, lookAt, openPool, sql, type Db, type Pool, type Tx, type Watch } from './pool.ts'
export { hitWorkerLimit, isSchemaBehind, isTableMissing, workerTransaction, type WorkerLimits } from './worker.ts'
