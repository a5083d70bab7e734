export {
  callsOf,
  CLAUSE_EDITION,
  clauseEditionOf,
  clausesOf,
  type Clause,
  type ClauseEdition,
  type MandateTerms,
  type TermsMarket,
} from './clauses.ts'
export {
  TERMS_VERSION,
  termsOf,
  TermsProblem,
  termsWithClauses,
  type FactoryTerms,
  type SignableTerms,
  type TermsDomain,
} from './typed-data.ts'
