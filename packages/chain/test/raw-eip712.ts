import { keccak256, stringToBytes, type Hex } from 'viem'

/**
 * EIP-712 written out by hand, word by word, with keccak256 as its only building block: it shares no encoder with
 * viem's typed data nor with the contract.
 */
interface RawTerms {
  readonly mandateId: string
  readonly owner: Hex
  readonly agent: Hex
  readonly feeRecipient: Hex
  readonly usdc: Hex
  readonly legGateway: Hex
  readonly figures: readonly bigint[]
  readonly calls: readonly { readonly target: Hex; readonly selector: Hex }[]
  readonly clauses: readonly { readonly number: number; readonly text: string }[]
}

const TERMS_TYPE =
  'MandateTerms(string mandateId,address owner,address agent,address feeRecipient,address usdc,address legGateway,uint256 budget,uint256 perTxCap,uint256 dailyCap,uint256 approvalAbove,uint256 stopLine,uint256 legBudget,uint256 endsAt,uint256 feeBps,Call[] calls,Clause[] clauses)Call(address target,bytes4 selector)Clause(uint8 number,string text)'
const CALL_TYPE = 'Call(address target,bytes4 selector)'
const CLAUSE_TYPE = 'Clause(uint8 number,string text)'
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'

/** A word: 64 hex digits without 0x. */
const number = (value: bigint) => value.toString(16).padStart(64, '0')
const address = (value: Hex) => value.slice(2).toLowerCase().padStart(64, '0')
const bytes4 = (value: Hex) => value.slice(2).toLowerCase().padEnd(64, '0')
const hashed = (hex: string) => keccak256(`0x${hex}`).slice(2)
const text = (value: string) => keccak256(stringToBytes(value)).slice(2)

export function rawDigest(terms: RawTerms, chainId: bigint, factory: Hex): Hex {
  const domain = hashed(text(DOMAIN_TYPE) + text('Mandate Terms') + text('2') + number(chainId) + address(factory))
  const calls = terms.calls.map((call) => hashed(text(CALL_TYPE) + address(call.target) + bytes4(call.selector)))
  const clauses = terms.clauses.map((clause) =>
    hashed(text(CLAUSE_TYPE) + number(BigInt(clause.number)) + text(clause.text)),
  )
  const parties = [terms.owner, terms.agent, terms.feeRecipient, terms.usdc, terms.legGateway].map(address)
  const message = hashed(
    text(TERMS_TYPE) +
      text(terms.mandateId) +
      parties.join('') +
      terms.figures.map(number).join('') +
      hashed(calls.join('')) +
      hashed(clauses.join('')),
  )
  return `0x${hashed(`1901${domain}${message}`)}`
}
