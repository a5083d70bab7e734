import { defineWords } from '../../i18n/index.tsx'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Tag } from '../../parts/tag/tag.tsx'
import { en } from './board-words.ts'

const useWords = defineWords(en, () => import('./board-words.ko.ts'))

type Lifecycle = Answer<'GET /board'>['tokens'][number]['lifecycle']

const KINDS: Partial<Record<Lifecycle, 'held' | 'out'>> = {
  watch: 'held',
  at_risk: 'out',
  halted: 'out',
  delisted: 'out',
}

/** The state of a pair, in the same colour wherever it stands. */
export function LifecycleTag({ lifecycle }: { readonly lifecycle: Lifecycle }) {
  const words = useWords()
  return <Tag kind={KINDS[lifecycle] ?? 'plain'}>{words.lifecycles[lifecycle]}</Tag>
}
