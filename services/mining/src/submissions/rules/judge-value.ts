import { judgeAddress } from './contract-address.ts'
import type { Field } from './field-catalogue.ts'
import { textProblem } from './text.ts'
import { judgeUrl, sameSite } from './web-address.ts'

export interface ValueProblem {
  readonly code: string
  readonly detail: string
}

const problem = (code: string, detail: string): ValueProblem => ({ code, detail })

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/**
 * Judges a value by the rule of its field; returns null if it is valid. `chain` is the blockchain of the token, null
 * while unknown; `today` is the UTC day.
 */
export function judgeValue(
  field: Field,
  value: string,
  known: { readonly chain: string | null; readonly today: string },
): ValueProblem | null {
  const unfit = textProblem(value)
  if (unfit !== null) return unfit
  const { rule } = field
  switch (rule.type) {
    case 'address': {
      if (value.length > 200) return problem('too_long', 'is longer than 200 characters')
      const verdict = judgeAddress(value, known.chain)
      return verdict.ok ? null : problem('bad_address', verdict.detail)
    }
    case 'url': {
      const verdict = judgeUrl(value)
      if (!verdict.ok) return problem('bad_url', verdict.detail)
      const hosts = rule.hosts
      if (hosts === undefined) return null
      if (!hosts.some((host) => sameSite(verdict.url.hostname, host)))
        return problem('bad_url', `must be on ${hosts.join(' or ')}`)
      return verdict.url.pathname.length > 1 ? null : problem('bad_url', 'must name an account or project in its path')
    }
    case 'integer': {
      if (value === rule.word) return null
      const word = rule.word === undefined ? '' : `, or "${rule.word}"`
      const range = `must be a whole number from ${rule.min} to ${rule.max}${word}, without separators`
      if (!/^(0|[1-9]\d{0,38})$/.test(value)) return problem('bad_integer', range)
      const number = BigInt(value)
      return number >= rule.min && number <= rule.max ? null : problem('bad_integer', range)
    }
    case 'date': {
      if (!isDay(value)) return problem('bad_date', 'must be a day of the calendar, YYYY-MM-DD')
      return value >= rule.from && value <= known.today
        ? null
        : problem('bad_date', `must lie between ${rule.from} and today`)
    }
    case 'enum':
      if (rule.values.includes(value)) return null
      return problem('bad_word', rule.hint ?? `must be one of: ${rule.values.join(', ')}`)
    case 'text': {
      const length = [...value].length
      if (length < rule.min || length > rule.max || value.length > 2000)
        return problem('bad_length', `must have ${rule.min} to ${rule.max} characters`)
      return rule.pattern === undefined || rule.pattern.test(value)
        ? null
        : problem('bad_format', rule.hint ?? 'has a wrong format')
    }
  }
}

/** Judges the text of an evidence URL. Whether the URL leads to a public address is checked when it is fetched. */
export function judgeEvidence(url: string): ValueProblem | null {
  const unfit = textProblem(url)
  if (unfit !== null) return unfit
  const verdict = judgeUrl(url)
  return verdict.ok ? null : problem('bad_url', verdict.detail)
}
