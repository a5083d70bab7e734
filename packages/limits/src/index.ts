export { apply } from './apply.ts'
export { revertBeforeCall, type Attempt } from './attempt.ts'
export { assess, refusalOf, type Assessment, type Refusal, type RefusalCode, type RefusalKind } from './assess.ts'
export type { ClauseVerdict, EnforcedBy } from './clause-verdict.ts'
export type { Observed } from './clauses.ts'
export {
  accrueFee,
  depositRoom,
  feeDue,
  feeOn,
  feeToAccrue,
  grossOf,
  isFreshMark,
  legRoom,
  mayMark,
  nextUtcMidnight,
  recognise,
  tripsStopLine,
  unrecognised,
  usageAt,
  utcDay,
} from './ledger.ts'
export { foldEvent, type Contradiction, type FoldedEvent, type VaultEvent } from './fold-event.ts'
export { creationRefusal, type BadTermsField, type Creation, type CreationError } from './creation.ts'
export {
  allowsMore,
  figureNames,
  figuresOf,
  fixedPresets,
  limitFields,
  limitNames,
  tighterOf,
  type Figures,
  type LimitKind,
  type LimitName,
  type Limits,
} from './limit-fields.ts'
export { isLegMarket } from './leg-market.ts'
export { codeOf, orderBlock, type OrderBlock } from './order-block.ts'
export {
  assessOrder,
  type GuardFinding,
  type OrderAssessment,
  type OrderAttempt,
  type OrderObserved,
  type OrderTerms,
} from './order.ts'
export { countedWorth, movingMoney, type LegFunding, type LegReading, type LegTotals } from './leg-money.ts'
export { notionalAt, referencePrice, sizeWithin, type MarketReading } from './reference-price.ts'
export { refusalBlock, verdictLine, type RefusalBlock, type RefusalSource, type VerdictLine } from './refusal-block.ts'
export {
  closesAt,
  isOpen,
  legFallback,
  markMaxAge,
  newVault,
  phaseAt,
  settleGrace,
  withdrawLock,
  type Phase,
  type VaultState,
} from './state.ts'
export {
  isAllowed,
  isListedTarget,
  nobody,
  NOTHING_HELD,
  sameAddress,
  selectorOf,
  type Address,
  type AllowedCall,
  type Hex,
  type Terms,
} from './terms.ts'
export { usdcText } from './usdc.ts'
export { vaultError, type LockReason, type StopReason, type VaultError, type VaultErrors } from './vault-error.ts'
export type { Called, Holdings, Outcome, TargetEffect, Vault, VaultCall } from './vault-call.ts'
