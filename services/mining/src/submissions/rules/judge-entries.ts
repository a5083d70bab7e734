import type { FieldError } from '@svc/contract'
import { fieldOf, type Field } from './field-catalogue.ts'
import { judgeEvidence, judgeValue } from './judge-value.ts'

export interface Entry {
  readonly field_name: string
  readonly field_value: string
  readonly evidence_url: string
}

/** An entry whose field exists. */
export interface ResolvedEntry extends Entry {
  readonly field: Field
}

/** State of a token before a submit. */
export interface TokenState {
  /** Approved values by field. */
  readonly current: ReadonlyMap<string, string>
  /** Fields that await review. */
  readonly pending: ReadonlySet<string>
}

export interface EntriesVerdict {
  readonly entries: readonly ResolvedEntry[]
  /** Violations of rules, by JSON Pointer. */
  readonly invalid: readonly FieldError[]
  /** Entries for a field that awaits review. */
  readonly blocked: readonly FieldError[]
}

/** Returns the chain whose format a contract address must have: the submitted chain, else the approved one. */
export function chainOf(entries: readonly Entry[], current: ReadonlyMap<string, string>): string | null {
  return entries.find((entry) => entry.field_name === 'blockchain')?.field_value ?? current.get('blockchain') ?? null
}

/** Judges all entries of a submit; names every violation of every entry. */
export function judgeEntries(entries: readonly Entry[], token: TokenState, today: string): EntriesVerdict {
  const chain = chainOf(entries, token.current)
  const invalid: FieldError[] = []
  const blocked: FieldError[] = []
  const resolved: ResolvedEntry[] = []
  const seen = new Set<string>()
  entries.forEach((entry, index) => {
    const at = `/entries/${index}`
    const field = fieldOf(entry.field_name)
    if (field === undefined) {
      invalid.push({
        pointer: `${at}/field_name`,
        code: 'unknown_field',
        detail: 'is not a metadata field; use one of GET /agent/mining/fields/{exchange}/{symbol}',
      })
    } else if (seen.has(field.name)) {
      invalid.push({
        pointer: `${at}/field_name`,
        code: 'duplicate_field',
        detail: `${field.name} occurs twice in this submit; send each field once`,
      })
    } else {
      seen.add(field.name)
      resolved.push({ ...entry, field })
      const wrong = judgeValue(field, entry.field_value, { chain, today })
      if (wrong !== null)
        invalid.push({ pointer: `${at}/field_value`, code: wrong.code, detail: `${field.name} ${wrong.detail}` })
      else if (token.current.get(field.name) === entry.field_value) {
        invalid.push({
          pointer: `${at}/field_value`,
          code: 'same_value',
          detail: `${field.name} has this value already`,
        })
      }
      if (token.pending.has(field.name)) {
        blocked.push({
          pointer: `${at}/field_name`,
          code: 'field_pending',
          detail: `${field.name} of this token awaits review`,
        })
      }
    }
    const evidence = judgeEvidence(entry.evidence_url)
    if (evidence !== null)
      invalid.push({ pointer: `${at}/evidence_url`, code: evidence.code, detail: `evidence_url ${evidence.detail}` })
  })
  return { entries: resolved, invalid, blocked }
}
