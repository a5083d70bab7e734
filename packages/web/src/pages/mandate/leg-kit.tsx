import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { saveText } from '../../lib/save-file.ts'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import type { LegWords } from './leg-words.ts'
import styles from './mandate.module.css'

/** What an owner needs to leave while every service of this deployment is down. */
export function LegKit({ id, words }: { readonly id: string; readonly words: LegWords }) {
  const [error, setError] = useState<unknown>(null)
  const save = () => {
    setError(null)
    api('GET /hub/mandates/{public_id}/hl-leg/exit-kit', { public_id: id }).then(
      (kit) => saveText(`exit-kit-${id}.json`, `${JSON.stringify(kit, null, 2)}\n`),
      setError,
    )
  }
  return (
    <details className={styles['fine']}>
      <summary>{words.kit.title}</summary>
      <div className={styles['dialog']}>
        <p>{words.kit.lead}</p>
        {error !== null && <Failed error={error} />}
        <p className={styles['row']}>
          <Button size="s" onClick={save}>
            {words.kit.save}
          </Button>
          <a href="/ui/exit-kit">{words.kit.page}</a>
        </p>
      </div>
    </details>
  )
}
