import { useState } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { saveText } from '../../lib/save-file.ts'
import { Button } from '../button/button.tsx'
import { Failed } from '../failed/failed.tsx'
import { bookingsFile } from './bookings.ts'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

interface BookingsButtonProps {
  readonly publicId: string
  readonly size?: 's' | 'm'
}

/** Saves the lots, fees and results of a mandate as a table for a spreadsheet. */
export function BookingsButton({ publicId, size = 'm' }: BookingsButtonProps) {
  const words = useWords()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const save = () => {
    setBusy(true)
    bookingsFile(publicId)
      .then((file) => {
        setError(null)
        saveText(`bookings-${publicId}.csv`, file)
      }, setError)
      .finally(() => setBusy(false))
  }
  return (
    <>
      <Button size={size} kind="text" busy={busy} title={words.hint} onClick={save}>
        {words.save}
      </Button>
      {error !== null && <Failed error={error} again={save} />}
    </>
  )
}
