export { callsOf, clausesOf, type Clause, type MandateTerms, type TermsMarket } from './clauses.ts'
export {
  TERMS_VERSION,
  termsOf,
  TermsProblem,
  termsWithClauses,
  type FactoryTerms,
  type SignableTerms,
  type TermsDomain,
} from './typed-data.ts'
