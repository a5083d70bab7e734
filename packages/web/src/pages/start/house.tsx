import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { useRead } from '../../lib/reads.ts'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Stranger } from '../../parts/stranger/stranger.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { changeDraft } from './draft.ts'
import { formOf } from './form.ts'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

/** The house runner: what its door says now, and the strategies that it can run. */
export function House() {
  const words = useWords()
  const [open, setOpen] = useState(false)
  const doors = useRead('GET /hub/doors', {})
  const door = doors.data?.items.find(({ key }) => key === 'house_strategy')
  if (doors.data === undefined && doors.error !== null)
    return <Failed error={doors.error} again={() => void doors.refetch()} />
  if (door === undefined) return null
  return (
    <details className={styles['house']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {words.agent.house}{' '}
        <Tag kind={door.status === 'locked' ? 'locked' : 'plain'}>{words.agent.houseStatus[door.status]}</Tag>
      </summary>
      <div className={styles['houseBody']}>
        <p>{words.agent.houseHint}</p>
        <p className={styles['hint']}>
          <bdi>{door.why}</bdi>
        </p>
        <ul className={styles['needs']}>
          {door.requirements.map((need) => (
            <li key={need}>
              <bdi>{need}</bdi>
            </li>
          ))}
        </ul>
        {open && <Templates />}
      </div>
    </details>
  )
}

function Templates() {
  const words = useWords()
  const listings = useRead('GET /hub/gallery', { type: 'strategy_template' })
  const [error, setError] = useState<unknown>(null)
  const adopt = (id: string) => {
    setError(null)
    api('POST /hub/gallery/{listing_id}/adopt', { listing_id: id, agent: 'house' }).then(({ draft }) => {
      const agent = draft.agent_id === null ? null : { id: draft.agent_id, name: words.agent.runner, wallet: null }
      changeDraft({ form: formOf(draft), origins: [], touched: [], agent, note: '', fromStrategy: true })
    }, setError)
  }
  return (
    <Read of={listings}>
      {({ items }) =>
        items.length === 0 ? (
          <p className={styles['hint']}>{words.agent.noTemplates}</p>
        ) : (
          <>
            <h3>{words.agent.templates}</h3>
            <ul className={styles['agents']}>
              {items.map(({ listing_id: id, title, summary }) => (
                <li key={id} className={styles['template']}>
                  <span className={styles['agentText']}>
                    <strong>
                      <Stranger text={title} />
                    </strong>
                    <Stranger text={summary} lines={2} />
                  </span>
                  <Button size="s" onClick={() => adopt(id)}>
                    {words.agent.useTemplate}
                  </Button>
                </li>
              ))}
            </ul>
            {error !== null && <Failed error={error} />}
          </>
        )
      }
    </Read>
  )
}
