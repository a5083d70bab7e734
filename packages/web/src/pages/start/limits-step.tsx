import type { ReactNode } from 'react'
import { shownAmount } from '../../lib/money.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Day, DayTally } from '../../parts/day/day.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Columns } from '../../parts/page/page.tsx'
import { useNow } from '../../parts/time/time.tsx'
import { changeForm, type Draft } from './draft.ts'
import { amountNames, faultsOf, figuresOf, type AmountName, type Form, type FormFaults } from './form.ts'
import { LimitRow } from './limit-row.tsx'
import { MoreLimits } from './more-limits.tsx'
import { NoteBox } from './note-box.tsx'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

interface LimitsStepProps {
  readonly draft: Draft
  readonly busy: boolean
  readonly onNext: () => void
}

/** The first step: the note, the limits that follow from it, and a day with them. */
export function LimitsStep({ draft, busy, onNext }: LimitsStepProps) {
  const words = useWords()
  const now = useNow()
  const { form } = draft
  const faults = form === null ? {} : faultsOf(form, now)
  const figures = form === null ? null : figuresOf(form)
  return (
    <>
      <Columns aside={figures === null ? null : <Day figures={figures} id="day" />}>
        {draft.readBack && <Note kind="held">{words.sign.readAgain}</Note>}
        {draft.fromStrategy && <Note kind="note">{words.agent.took}</Note>}
        <NoteBox draft={draft} />
        {form === null ? (
          <Bones lines={[0.5, 1, 1, 1, 1]} rem={2.5} />
        ) : (
          <Limits form={form} draft={draft} faults={faults} />
        )}
      </Columns>
      {form !== null && (
        <Bar form={form} faults={faults}>
          {figures !== null && (
            <span className={styles['onPhone']}>
              <DayTally figures={figures} href="#day" />
            </span>
          )}
          <Button kind="act" size="l" busy={busy} disabled={Object.keys(faults).length > 0} onClick={onNext}>
            {words.bar.toAgent}
          </Button>
        </Bar>
      )}
    </>
  )
}

interface LimitsProps {
  readonly form: Form
  readonly draft: Draft
  readonly faults: FormFaults
}

function Limits({ form, draft, faults }: LimitsProps) {
  const words = useWords()
  const switches: Partial<
    Record<AmountName, { label: string; hint: string; is: boolean; set: (off: boolean) => void }>
  > = {
    approval_above_usdc: {
      label: words.limits.neverAsks,
      hint: words.limits.neverHint,
      is: form.neverAsks,
      set: (neverAsks) => changeForm('approval_above_usdc', { neverAsks }),
    },
    stop_line_usdc: {
      label: words.limits.noStopLine,
      hint: words.limits.noStopHint,
      is: form.noStopLine,
      set: (noStopLine) => changeForm('stop_line_usdc', { noStopLine }),
    },
  }
  return (
    <Card title={words.limits.title} aside={words.limits.aside}>
      {amountNames.map((name) => {
        const off = switches[name]
        const origin = draft.touched.includes(name) ? undefined : draft.origins.find(({ field }) => field === name)
        return (
          <LimitRow
            key={name}
            name={name}
            form={form}
            fault={faults[name]}
            origin={origin}
            {...(off === undefined ? {} : { off })}
          />
        )
      })}
      <MoreLimits form={form} faults={faults} />
    </Card>
  )
}

interface BarProps {
  readonly form: Form
  readonly faults: FormFaults
  readonly children: ReactNode
}

/** Stays at the lower edge: the limits in one sentence, and the way on. */
function Bar({ form, faults, children }: BarProps) {
  const words = useWords()
  const figures = figuresOf(form)
  const sentence = words.bar.atMost(shownAmount(figures?.budget ?? null), form.endsAt.slice(0, 10))
  return (
    <div className={styles['bar']}>
      <p className={styles['sum']}>
        {Object.keys(faults).length > 0 ? (
          words.bar.fix
        ) : (
          <>
            {sentence.before}
            <strong>{sentence.strong}</strong>
            {sentence.after}
          </>
        )}
      </p>
      {children}
    </div>
  )
}
