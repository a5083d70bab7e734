export {
  callsOf,
  CLAUSE_EDITION,
  CLAUSE_EDITIONS,
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
