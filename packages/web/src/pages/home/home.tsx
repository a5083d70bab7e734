import { lazy, Suspense, useRef } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { ButtonLink } from '../../parts/button/button.tsx'
import { Page, PageHeading } from '../../parts/page/page.tsx'
import { pages } from '../../routes.ts'
import { Doors } from './doors.tsx'
import { ProofStrip } from './proof-strip.tsx'
import { Station } from './station.tsx'
import { TryIt } from './try-it.tsx'
import { useSeen } from './use-seen.ts'
import { en, type Words } from './words.ts'
import styles from './home.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** The rules of a whole vault, and a day for them: loaded when somebody scrolls there. */
const BadDay = lazy(() => import('./bad-day.tsx'))

/** The first page: try the guard before you connect, then choose a way in. */
export default function Home() {
  const words = useWords()
  return (
    <Page title={words.title} heading={false}>
      <div className={styles['hero']}>
        <div>
          <PageHeading className={styles['headline'] ?? ''}>
            {words.headline.map((line) => (
              <span key={line}>{line} </span>
            ))}
          </PageHeading>
          <p className={styles['lead']}>{words.lead}</p>
          <div className={styles['acts']}>
            <ButtonLink kind="act" size="l" to={pages.start}>
              {words.start}
            </ButtonLink>
            <ButtonLink size="l" to={pages.hall}>
              {words.hall}
            </ButtonLink>
          </div>
        </div>
        <TryIt words={words} />
      </div>
      <ProofStrip words={words} />
      <Doors words={words} />
      <DataSide words={words} />
      <Day words={words} />
      <Station words={words} />
    </Page>
  )
}

/** What agents read here, and how they get to it. */
function DataSide({ words: { data } }: { readonly words: Words }) {
  return (
    <section className={styles['section']} aria-labelledby="data">
      <h2 id="data">{data.title}</h2>
      <p className={styles['said']}>{data.said}</p>
      <div className={styles['acts']}>
        <ButtonLink to={pages.markets}>{data.board}</ButtonLink>
        <ButtonLink kind="text" to={pages.agent}>
          {data.agents}
        </ButtonLink>
      </div>
    </section>
  )
}

function Day({ words }: { readonly words: Words }) {
  const place = useRef<HTMLElement>(null)
  const seen = useSeen(place, '0px')
  return (
    <section ref={place} className={styles['day']}>
      <Suspense fallback={null}>{seen && <BadDay words={words} />}</Suspense>
    </section>
  )
}
