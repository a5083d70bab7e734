import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useConfig } from '../../lib/config.ts'
import { unitsOf, unitsOrNull } from '../../lib/money.ts'
import { flowsOf } from '../../lib/flows.ts'
import { provedUpTo } from '../../lib/record.ts'
import { sentCall } from '../../lib/sent-calls.ts'
import { isRefusal, timelineOf, type TimelineItem } from '../../lib/timeline.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import { shownState, StatePill } from '../../parts/state-pill/state-pill.tsx'
import { ActBar } from './act-bar.tsx'
import { Facts } from './facts.tsx'
import { LimitsCard } from './limits-card.tsx'
import { MoneyCard } from './money-card.tsx'
import { useJudge, type MandateReads } from './use-mandate.ts'
import { isOver, stateOf, type ActName, type Detail, type Scene } from './scene.ts'
import { TradedBones } from './traded-bones.tsx'
import type { Words } from './words.ts'
import styles from './mandate.module.css'

// The parts below the first look are files of their own, so that the page itself stands early.
const Proof = lazy(() => import('../../parts/proof/proof.tsx').then((part) => ({ default: part.Proof })))
const Timeline = lazy(() => import('../../parts/timeline/timeline.tsx').then((part) => ({ default: part.Timeline })))
const ResultCard = lazy(() => import('./result-card.tsx'))
const StepsCard = lazy(() => import('./steps-card.tsx'))
const SignedCard = lazy(() => import('./signed-card.tsx').then((part) => ({ default: part.SignedCard })))
const Worth = lazy(() => import('../../parts/worth/worth.tsx').then((part) => ({ default: part.Worth })))
const Traded = lazy(() => import('./traded.tsx'))
// Most of the time nothing waits.
const Waiting = lazy(() => import('./waiting.tsx').then((part) => ({ default: part.Waiting })))
// What an owner opens now and then is read when it is opened.
const ActDialog = lazy(() => import('./act-dialog.tsx'))
const LegCard = lazy(() => import('./leg-card.tsx'))
const DemoAgent = lazy(() => import('./demo-agent.tsx'))
const BookingsButton = lazy(() =>
  import('../../parts/bookings/bookings-button.tsx').then((part) => ({ default: part.BookingsButton })),
)

const PROOF_BONES = [0.3, 0.9, 0.5]
const WORTH_BONES = [0.3, 0.5, 1, 1, 1]
/** Name under which the agent of a local product is registered. */
const DEMO_AGENT = 'Demo agent'

interface ShownProps {
  readonly id: string
  readonly detail: Detail
  readonly reads: MandateReads
  readonly words: Words
}

/** The whole page of a mandate that was read. */
export function Shown({ id, detail, reads, words }: ShownProps) {
  const [act, setAct] = useState<ActName | null>(() => actUnderWay(id))
  const { live, refresh } = reads
  const hasWaited = useOnce((live.data?.approvals_waiting.length ?? 0) > 0)
  const scene: Scene = { id, detail, live: live.data, words }
  const state = stateOf(scene)
  const { data: config } = useConfig()
  const stillOpen = detail.chain_state?.open_until_stopped === true
  return (
    <Page
      title={detail.name}
      mark={<StatePill state={shownState(state, detail.agent)} />}
      lead={<Facts scene={scene} />}
      actions={<ActBar scene={scene} onAct={setAct} />}
    >
      <div className={styles['page']}>
        {hasWaited && !isOver(scene) && (
          <Suspense fallback={null}>
            <Waiting scene={scene} reads={reads} onChanged={refresh} />
          </Suspense>
        )}
        {stillOpen && (
          <Note
            kind="out"
            title={words.open.title}
            action={
              <button type="button" className={styles['link']} onClick={() => setAct('stop')}>
                {words.open.stop}
              </button>
            }
          >
            {words.open.said}
          </Note>
        )}
        {detail.reports_contradicting_chain > 0 && (
          <Note kind="held">{words.contradicting(detail.reports_contradicting_chain)}</Note>
        )}
        {config?.demo_wallet === true && detail.agent?.name === DEMO_AGENT && state !== 'draft' && !isOver(scene) && (
          <Suspense fallback={null}>
            <DemoAgent id={id} words={words} onChanged={refresh} />
          </Suspense>
        )}
        <Body scene={scene} reads={reads} onAct={setAct} />
      </div>
      {act !== null && (
        <Suspense fallback={null}>
          <ActDialog act={act} scene={scene} onClose={() => setAct(null)} onDone={refresh} />
        </Suspense>
      )}
    </Page>
  )
}

/** Returns true from the first time on that something holds: what became of an item is told after it waited. */
function useOnce(holds: boolean): boolean {
  const [held, setHeld] = useState(false)
  if (holds && !held) setHeld(true)
  return held || holds
}

/** Returns the act whose transaction was sent before a reload: its dialog opens again and follows it. */
const actUnderWay = (id: string): ActName | null =>
  STEERING.find((act) => sentCall(sessionStorage, `${id}/${act}`) !== null) ?? null
const STEERING = ['pause', 'resume', 'stop', 'withdraw'] as const satisfies readonly ActName[]

interface BodyProps {
  readonly scene: Scene
  readonly reads: MandateReads
  readonly onAct: (act: ActName) => void
}

function Body({ scene, reads, onAct }: BodyProps) {
  const { id, detail } = scene
  const judged = useJudge(reads)
  const wallet = detail.agent?.wallet ?? null
  const items = useMemo(() => timelineOf(judged.entries, wallet), [judged.entries, wallet])
  const hasVault = detail.chain_state !== null
  const isClosed = hasVault && stateOf(scene) === 'closed'
  const head = detail.record_head
  return (
    <div className={styles['grid']}>
      <div className={styles['main']}>
        <div className={`${styles['worth']} ${hasVault && reads.worth.data === undefined ? styles['awaited'] : ''}`}>
          <Suspense fallback={<WorthBones />}>
            {isClosed && <ResultCard scene={scene} />}
            {hasVault ? <WorthOf scene={scene} reads={reads} judged={judged} /> : <StepsCard scene={scene} />}
          </Suspense>
        </div>
        {hasVault && (
          <div className={styles['picture']}>
            <Suspense fallback={<TradedBones head={head.seq} />}>
              <Traded scene={scene} reads={reads} items={items} />
            </Suspense>
          </div>
        )}
        <div className={styles['happened']}>
          <Happened scene={scene} reads={reads} judge={judged.judge} items={items} />
        </div>
      </div>
      <div className={styles['side']}>
        {!isOver(scene) && (
          <div className={styles['limits']}>
            <LimitsCard scene={scene} />
          </div>
        )}
        {hasVault && !isClosed && (
          <div className={styles['money']}>
            <MoneyCard scene={scene} onAct={onAct} />
          </div>
        )}
        {detail.limits.hl_leg && (
          <div className={styles['money']}>
            <Suspense fallback={null}>
              <LegCard scene={scene} onChanged={reads.refresh} onAct={onAct} />
            </Suspense>
          </div>
        )}
        <div className={styles['proof']}>
          <Suspense fallback={<Bones lines={PROOF_BONES} />}>
            <Proof
              publicId={id}
              seq={Math.max(scene.live?.record_seq ?? 0, head.seq)}
              seenHead={head.jws}
              clauses={detail.clauses}
              contradictions={judged.contradictions.map(({ figure, books, event }) => ({
                figure,
                books: String(books),
                event: String(event),
              }))}
            />
          </Suspense>
        </div>
        <div className={styles['signed']}>
          <Suspense fallback={<Bones lines={PROOF_BONES} />}>
            <SignedCard scene={scene} />
          </Suspense>
        </div>
      </div>
    </div>
  )
}

const WorthBones = () => (
  <div className={styles['awaited']}>
    <Bones lines={WORTH_BONES} rem={1.6} />
  </div>
)

interface WorthOfProps extends Pick<BodyProps, 'scene' | 'reads'> {
  readonly judged: ReturnType<typeof useJudge>
}

function WorthOf({ scene, reads, judged: { entries } }: WorthOfProps) {
  const { detail, live } = scene
  const flows = useMemo(() => flowsOf(entries), [entries])
  const { worth, window, setWindow } = reads
  return (
    <Read of={worth}>
      {({ items }) => (
        <Worth
          marks={items}
          newest={live?.worth ?? null}
          flows={flows}
          stopLine={unitsOf(detail.limits.stop_line_usdc)}
          paidIn={unitsOrNull(detail.chain_state?.principal_usdc)}
          withdrawn={unitsOrNull(detail.chain_state?.withdrawn_usdc)}
          over={stateOf(scene) === 'closed'}
          window={window}
          onWindow={setWindow}
        />
      )}
    </Read>
  )
}

interface HappenedProps extends Pick<BodyProps, 'scene' | 'reads'> {
  readonly judge: ReturnType<typeof useJudge>['judge']
  readonly items: readonly TimelineItem[]
}

/** The list that a filter shows is a new one: it does not lead to an entry that the address named before. */
const forgetEntry = () => history.replaceState(history.state, '', `${location.pathname}${location.search}`)

function Happened({ scene: { detail, words }, reads: { record, markets }, judge, items }: HappenedProps) {
  const [show, setShow] = useState<'all' | 'refused'>('all')
  // A mark of the picture may lead to an entry that is no refusal.
  useEffect(() => {
    const showAll = () => setShow('all')
    addEventListener('hashchange', showAll)
    return () => removeEventListener('hashchange', showAll)
  }, [])
  const { data: config } = useConfig()
  const shown = useMemo(() => (show === 'all' ? items : items.filter(isRefusal)), [items, show])
  const explorer = config?.chain?.explorer ?? null
  return (
    <Card
      title={words.happened.title}
      aside={
        <>
          USDC{' '}
          <Seg
            label={words.happened.filter}
            value={show}
            options={[
              { value: 'all', label: words.happened.all },
              { value: 'refused', label: words.happened.refused },
            ]}
            onChange={(value) => {
              forgetEntry()
              setShow(value)
            }}
          />
        </>
      }
    >
      <Read of={record}>
        {(known) => (
          <Suspense fallback={<Bones />}>
            <Timeline
              key={show}
              items={shown}
              proved={provedUpTo(known)}
              judge={judge}
              markets={markets.data?.items}
              refusedOnly={show === 'refused'}
              linkOf={(hash) => (explorer === null ? null : `${explorer}/tx/${hash}`)}
            />
          </Suspense>
        )}
      </Read>
      {detail.chain_state !== null && (
        <Suspense fallback={null}>
          <BookingsButton publicId={detail.public_id} />
        </Suspense>
      )}
    </Card>
  )
}
