export { fingerprintOf, SignatureUnsupported, type PublishedKey } from './jws.ts'
export {
  RecordProblem,
  type FaultPlace,
  type HeadLine,
  type RecordEntry,
  type RecordFault,
  type RecordPlace,
} from './line.ts'
export { EmptyRecord, verifyRecord, type SignedTerms, type VerifiedRecord } from './verify.ts'
