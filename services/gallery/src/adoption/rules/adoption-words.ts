import type { Origin } from '#listings/rules/adopted-limits.ts'

/** Says where a field of a draft comes from. */
export function wordsOf({ field, source }: Origin): string {
  switch (source) {
    case 'template':
      return 'As the listing suggests it.'
    case 'param':
      return 'An editable param of the listing: as you chose it, or its default.'
    case 'policy':
      return `The policy of the agent is tighter than the listing${field === 'markets' ? ': the other markets are left out' : ''}.`
    case 'other_limit':
      return 'Lowered to fit another limit of the draft.'
    case 'suggestion':
      return 'Every adopted draft begins with 50 USDC.'
  }
}
