import { Note } from '../../parts/note/note.tsx'
import type { Provenance } from './ticket.ts'
import type { Words } from './words.ts'

/** Says that prices are made up, or that nobody said they are real; nothing for real ones and before they are known. */
export function PricesNote({ of, words: { watch } }: { readonly of: Provenance | null; readonly words: Words }) {
  if (of === null || of === 'real') return null
  return (
    <Note kind="held" title={of === 'made_up' ? watch.sample : watch.unknown}>
      {of === 'made_up' ? watch.sampleSaid : watch.unknownSaid}
    </Note>
  )
}
