import { useState } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { readFile, requestOf } from '../../lib/api.ts'
import type { ReadRoute, Sent } from '../../lib/routes-of-api.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { Button } from '../button/button.tsx'
import { Failed } from '../failed/failed.tsx'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

interface CsvButtonProps<R extends ReadRoute> {
  readonly route: R
  readonly sent: Sent<R>
  /** Name of the file without its ending. */
  readonly name: string
}

/** Saves a list of the API as CSV: the rows of the same request that the page shows. */
export function CsvButton<R extends ReadRoute>({ route, sent, name }: CsvButtonProps<R>) {
  const words = useWords()
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setFailure(null)
    setBusy(true)
    try {
      const { url } = requestOf(route, { ...(sent as Record<string, unknown>), format: 'csv' })
      saveBlob(`${name}.csv`, await readFile(url))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button size="s" busy={busy} aria-label={words.save} onClick={() => void save()}>
        CSV
      </Button>
      {failure !== null && <Failed error={failure} />}
    </>
  )
}
