export { callsOf, clausesOf, type Clause, type MandateTerms, type TermsMarket } from './clauses.ts'
export { TERMS_VERSION, termsOf, TermsProblem, type SignableTerms, type TermsDomain } from './typed-data.ts'
