export { abis, type AbiOf, type ContractName } from './abis.ts'
export {
  findHeader,
  headNumber,
  lastCanonical,
  mustServeChain,
  readHeader,
  safeHead,
  type Anchor,
  type BlockHeader,
} from './blocks.ts'
export { callAt, type CallAt, type CallResult } from './call-at.ts'
export { chainOf, type Chain, type ChainAddresses, type ChainOptions } from './chain.ts'
export { checkContracts } from './check-contracts.ts'
export { ContractReverted, type PreparedCall, type ReadOptions } from './contract-at.ts'
export { prepare, read } from './contracts.ts'
export { deployContracts, DeploymentFailed, type Deployer, type DeployOptions } from './deployment/deploy.ts'
export { parseDeployment, readDeployment, writeDeployment, type Deployment } from './deployment/file.ts'
export { planDeployment, type DeploymentRoles, type PlannedContract } from './deployment/plan.ts'
export { causeOf, RpcInconsistent, RpcRefused, RpcUnavailable } from './errors.ts'
export { decodeEvent, eventTopics, type EventOf } from './events.ts'
export {
  positionsAt,
  quoteTrade,
  testVenueAdapters,
  type AskView,
  type ExitAdapter,
  type Position,
} from './exit-quotes.ts'
export type { RawLog } from './get-logs.ts'
export { inParallel } from './in-parallel.ts'
export { localNodeProblem } from './local-node.ts'
export { sweepLogs, type LogChunk, type LogSweep } from './log-chunks.ts'
export { openChain } from './open-chain.ts'
export { blockReceipts, findReceipt, type ReceiptsOptions } from './receipts.ts'
export { receiptsRootOf, type CommittedReceipt } from './receipts-root.ts'
export { decodeRevert, errorNames, revertOf, type RefusalKind, type Revert } from './reverts.ts'
export { judgeSignature, signatureCheck, takesSignature } from './signatures.ts'
export { timeLimit } from './time-limit.ts'
export { lookUpTransaction, type TransactionState } from './transactions.ts'
export { TOO_LARGE, type RpcOptions } from './transport.ts'
export { waitForReceipt } from './wait-for-receipt.ts'
export {
  CLAUSE_EDITION,
  clausesOf,
  TERMS_VERSION,
  termsOf,
  TermsProblem,
  termsWithClauses,
  type Clause,
  type FactoryTerms,
  type MandateTerms,
  type SignableTerms,
  type TermsDomain,
  type TermsMarket,
} from './terms/index.ts'
