import { useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { defineWords } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { OwnerOnly } from '../../parts/owner-only/owner-only.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Read } from '../../parts/read/read.tsx'
import { pages } from '../../routes.ts'
import { KeyHelp } from './key-help.tsx'
import { useKeys } from './keys.ts'
import { MandateList } from './mandate-list.tsx'
import styles from './mandates.module.css'
import { Week } from './week.tsx'
import { en, type Words } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))
/** How many mandates an answer has; older ones follow on request. */
const PAGE = 100

/** The mandates of the owner: what waits first, then what works, then the rest. */
export default function Mandates() {
  const words = useWords()
  const signedIn = useSession() !== null
  const [helps, setHelps] = useState(false)
  const actions = (
    <>
      {signedIn && (
        <span className={styles['keysOpen']}>
          <Button size="s" onClick={() => setHelps(true)}>
            {words.keys.open} <kbd className={styles['kbd']}>?</kbd>
          </Button>
        </span>
      )}
      <ButtonLink kind="act" to={pages.start}>
        {words.start}
      </ButtonLink>
    </>
  )
  return (
    <Page title={words.title} actions={actions}>
      <OwnerOnly why={words.signedOut}>
        <Owned words={words} onHelp={() => setHelps(true)} />
      </OwnerOnly>
      {helps && <KeyHelp words={words} onClose={() => setHelps(false)} />}
    </Page>
  )
}

/** Moves the focus to the next row, or to the first one. */
function step(list: HTMLElement | null, by: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

function Owned({ words, onHelp }: { readonly words: Words; readonly onHelp: () => void }) {
  const [, go] = useLocation()
  const place = useRef<HTMLDivElement>(null)
  const list = useRead('GET /hub/mandates', { limit: PAGE }, { every: every.open })
  const keys = useMemo(
    () => ({
      next: () => step(place.current, 1),
      previous: () => step(place.current, -1),
      start: () => go(pages.start),
      find: () => place.current?.querySelector<HTMLElement>('input[type=search]')?.focus(),
      help: onHelp,
    }),
    [go, onHelp],
  )
  useKeys(keys)
  return (
    <div ref={place}>
      <Read of={list} bones={<Bones lines={[1, 1, 1]} rem={4.5} />}>
        {(answer) => <Listed answer={answer} words={words} />}
      </Read>
    </div>
  )
}

function Listed({ answer, words }: { readonly answer: Answer<'GET /hub/mandates'>; readonly words: Words }) {
  if (answer.items.length === 0)
    return (
      <Empty
        action={
          <ButtonLink kind="act" to={pages.start}>
            {words.emptyStart}
          </ButtonLink>
        }
      >
        {words.empty}
      </Empty>
    )
  return (
    <>
      {answer.items.some(({ state }) => state !== 'draft') && <Week words={words} />}
      <MandateList first={answer} words={words} />
    </>
  )
}
