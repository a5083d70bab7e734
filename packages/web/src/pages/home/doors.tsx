import { Link } from 'wouter'
import { useRead } from '../../lib/reads.ts'
import { every } from '../../lib/polling.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Read } from '../../parts/read/read.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { pages } from '../../routes.ts'
import type { Words } from './words.ts'
import { Said } from './said.tsx'
import styles from './home.module.css'

type Door = Answer<'GET /hub/doors'>['items'][number]

/** Where each door leads on these pages. */
const LEADS: Readonly<Record<Door['key'], string | null>> = {
  own_bot: pages.start,
  house_strategy: `${pages.start}?agent=house`,
  copy_signals: `${pages.hall}?operator=signal`,
  operator_vault: null,
}

/** The four doors, as open as the service says. */
export function Doors({ words }: { readonly words: Words }) {
  const doors = useRead('GET /hub/doors', {}, { every: every.seldom })
  return (
    <section className={styles['section']} aria-labelledby="doors">
      <h2 id="doors">{words.doors.title}</h2>
      <Read of={doors} bones={<DoorBones />}>
        {({ items }) => (
          <ul className={styles['doors']}>
            {items.map((door) => (
              <li key={door.key}>
                <DoorCard door={door} words={words} />
              </li>
            ))}
          </ul>
        )}
      </Read>
    </section>
  )
}

/** The four doors before they are known, in their shape. */
function DoorBones() {
  return (
    <ul className={styles['doors']} aria-hidden="true">
      {Object.keys(LEADS).map((key) => (
        <li key={key}>
          <div className={styles['door']} />
        </li>
      ))}
    </ul>
  )
}

function DoorCard({ door, words: { doors, said } }: { readonly door: Door; readonly words: Words }) {
  const { title, line } = doors.of[door.key]
  const to = door.status === 'locked' || door.offered === false ? null : LEADS[door.key]
  return (
    <article className={door.status === 'locked' ? `${styles['door']} ${styles['locked']}` : styles['door']}>
      <header className={styles['doorHead']}>
        <h3>{title}</h3>
        <Tag kind={door.status === 'live' ? 'inside' : door.status === 'locked' ? 'locked' : 'plain'}>
          {doors.status[door.status]}
        </Tag>
      </header>
      <p>{line}</p>
      <Said text={door.why} said={said} className={styles['why']} />
      {door.requirements.length > 0 && (
        <details className={styles['needs']}>
          <summary>{doors.needs}</summary>
          <ul>
            {door.requirements.map((requirement) => (
              <li key={requirement}>
                <Said text={requirement} said={said} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {door.offered === false && door.status !== 'locked' && <p className={styles['why']}>{doors.empty[door.key]}</p>}
      {to !== null && (
        <Link className={styles['enter']} href={to} aria-label={`${doors.open}: ${title}`}>
          {doors.open}
        </Link>
      )}
    </article>
  )
}
