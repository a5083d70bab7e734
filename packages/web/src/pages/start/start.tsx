import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation, useSearch } from 'wouter'
import { api } from '../../lib/api.ts'
import { Problem } from '../../lib/problem.ts'
import { queries, useSession } from '../../lib/reads.ts'
import { sessionPending } from '../../lib/session.ts'
import type { Address } from '../../lib/wallet.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Page, PageHeading } from '../../parts/page/page.tsx'
import { askSignIn } from '../../parts/sign-in/ask-sign-in.ts'
import { Steps } from '../../parts/steps/steps.tsx'
import { WalletBanner } from '../../parts/wallet-banner/wallet-banner.tsx'
import { pages } from '../../routes.ts'
import { changeDraft, draft as draftStore, emptyDraft, type Draft } from './draft.ts'
import { formOf, limitsOf } from './form.ts'
import { LimitsStep } from './limits-step.tsx'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

/** The later steps: their code comes while the person reads the first one, so that a deploy in between loses no draft. */
const later = {
  agent: () => import('./agent-step.tsx'),
  sign: () => import('./sign-step.tsx'),
  money: () => import('./money-step.tsx'),
}
const AgentStep = lazy(() => later.agent().then((file) => ({ default: file.AgentStep })))
const SignStep = lazy(() => later.sign().then((file) => ({ default: file.SignStep })))
const MoneyStep = lazy(() => later.money().then((file) => ({ default: file.MoneyStep })))

const useDraft = (): Draft => useSyncExternalStore(draftStore.subscribe, draftStore.get)

/** From limits to a working mandate, in four steps. */
export default function Start() {
  const words = useWords()
  const draft = useDraft()
  const signedIn = useSession() !== null
  const [works, setWorks] = useState(false)
  const back = useReadBack()
  const [step, setStep] = useStep(draft, back.state === 'reading')
  const storing = useStoring(() => setStep(2))
  const next = async () => {
    if (!(await askSignIn())) return
    // The figures stand on this step: who goes on has read them.
    changeDraft({ readBack: false })
    setStep(1)
  }
  useEffect(() => {
    // A stored draft is opened by its address alone: without one, a new mandate begins.
    const isNamed = new URLSearchParams(window.location.search).has('mandate')
    if (draftStore.get().publicId !== null && !isNamed) draftStore.set(emptyDraft)
  }, [])
  useEffect(() => {
    // A step whose code did not come asks for it again when it is opened.
    for (const load of Object.values(later)) load().catch(() => {})
  }, [])
  const isRead = back.state === 'read'
  const reached = draft.publicId === null ? (signedIn ? 2 : 1) : 3
  const title = words.step[step]?.title ?? words.title
  return (
    <Page title={words.title} heading={false}>
      <div className={styles['start']}>
        <div className={styles['steps']}>
          <Steps
            label={words.steps}
            steps={words.step}
            at={works && step === 3 ? words.step.length : step}
            open={Math.max(reached, step)}
            onChoose={setStep}
          />
        </div>
        <div className={styles['body']}>
          <p className={styles['stepOf']}>{words.stepOf(step + 1)}</p>
          <PageHeading key={step} always className={styles['heading'] ?? ''}>
            {title}
          </PageHeading>
          {step > 0 && <WalletBanner />}
          {back.error !== null && (
            <div className={styles['gap']}>
              <Failed error={back.error} again={back.again} />
              <Button onClick={back.restart}>{words.restart}</Button>
            </div>
          )}
          {back.state === 'signed-out' && (
            <Button kind="act" onClick={() => void askSignIn()}>
              {words.signIn}
            </Button>
          )}
          {back.state === 'reading' && back.error === null && <Bones lines={[0.5, 1, 1, 1]} rem={2.5} />}
          {isRead && <Step {...{ step, setStep, draft, storing, setWorks }} onNext={() => void next()} />}
        </div>
      </div>
    </Page>
  )
}

interface StepProps {
  readonly step: number
  readonly setStep: (step: number) => void
  readonly draft: Draft
  readonly storing: ReturnType<typeof useStoring>
  readonly setWorks: (works: boolean) => void
  /** Leaves the first step. */
  readonly onNext: () => void
}

/** The step that is shown. Its state is of one mandate. */
function Step({ step, setStep, draft, storing, setWorks, onNext }: StepProps) {
  return (
    <>
      {step === 0 && <LimitsStep draft={draft} busy={false} onNext={onNext} />}
      <Suspense fallback={<Bones lines={[0.5, 1, 1]} rem={2.5} />}>
        {step === 1 && (
          <AgentStep
            draft={draft}
            busy={storing.busy}
            error={storing.error}
            onNext={() => void storing.store()}
            onBack={() => setStep(0)}
          />
        )}
        {step === 2 && draft.form !== null && draft.publicId !== null && (
          <SignStep
            key={draft.publicId}
            draft={draft}
            form={draft.form}
            publicId={draft.publicId}
            onBack={() => setStep(0)}
            onNext={() => setStep(3)}
          />
        )}
        {step === 3 && draft.publicId !== null && (
          <MoneyStep
            key={draft.publicId}
            draft={draft}
            publicId={draft.publicId}
            onSignAgain={() => setStep(2)}
            onWorks={setWorks}
          />
        )}
      </Suspense>
    </>
  )
}

/** Names of the steps in the address; the first has none. */
const STEPS = ['', 'agent', 'sign', 'money'] as const

/** The step that the address names, as far as the draft has come, so that Back, Forward and a reload keep it. */
function useStep({ form, publicId }: Draft, isReading: boolean): readonly [number, (step: number) => void] {
  const [, navigate] = useLocation()
  const search = useSearch()
  const asked = STEPS.findIndex((name) => name === (new URLSearchParams(search).get('step') ?? ''))
  const furthest = publicId !== null || isReading ? 3 : form === null ? 0 : 1
  const go = (step: number) => navigate(startAddress({ step: STEPS[step] ?? '' }))
  const isLost = !isReading && asked > furthest
  useEffect(() => {
    // What was not stored is gone after a reload: the address says so, and does not lead on by itself later.
    if (isLost && !window.location.search.includes('mandate='))
      navigate(startAddress({ step: STEPS[furthest] ?? '' }), { replace: true })
  }, [isLost, furthest, navigate])
  useEffect(() => {
    // The heading of a step comes into view: the browser must not scroll to where another step was left.
    history.scrollRestoration = 'manual'
    return () => {
      history.scrollRestoration = 'auto'
    }
  }, [])
  return [Math.min(Math.max(asked, 0), furthest), go]
}

/** Returns the address of this page with some members of its query changed; an empty one is left out. */
function startAddress(changed: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(window.location.search)
  for (const [name, value] of Object.entries(changed))
    if (value === '') query.delete(name)
    else query.set(name, value)
  return query.size === 0 ? pages.start : `${pages.start}?${query.toString()}`
}

/** Stores the draft, or corrects it if it is stored already. One key for each content, kept over retries. */
function useStoring(onStored: () => void) {
  const [, navigate] = useLocation()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const keys = useRef(new Map<string, string>())
  const store = async () => {
    const { form, agent, publicId } = draftStore.get()
    if (form === null || agent === null) return
    setBusy(true)
    setError(null)
    const body = { ...limitsOf(form), agent_id: agent.id }
    const content = JSON.stringify([publicId, body])
    const key = keys.current.get(content) ?? crypto.randomUUID()
    keys.current.set(content, key)
    try {
      const { mandate } =
        publicId === null
          ? await api('POST /hub/mandates', body, { idempotencyKey: key })
          : await api('PUT /hub/mandates/{public_id}', { ...body, public_id: publicId })
      changeDraft({
        publicId: mandate.public_id,
        stored: mandate.limits,
        storedAgent: (mandate.agent?.wallet ?? null) as Address | null,
      })
      // Terms that were read before are those of the former draft.
      queries.removeQueries({ queryKey: ['GET /hub/mandates/{public_id}/terms'] })
      navigate(startAddress({ mandate: mandate.public_id }), { replace: true })
      onStored()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, store }
}

/** Reads a stored mandate, and the wallet of its agent from the pairing: the terms are not checked against their own service. */
async function readStored(publicId: string) {
  const [mandate, paired] = await Promise.all([
    api('GET /hub/mandates/{public_id}', { public_id: publicId }),
    api('GET /hub/agents', {}).catch((error: unknown) => {
      if (error instanceof Problem) return null
      throw error
    }),
  ])
  const agent = paired?.items.find(({ agent_id }) => agent_id === mandate.agent?.agent_id)
  return { ...mandate, paired: (agent?.wallet ?? null) as Address | null }
}

/** Opens a stored mandate whose id stands in the address, after the page was loaded again or from another page. */
function useReadBack() {
  const [, navigate] = useLocation()
  const search = useSearch()
  const id = new URLSearchParams(search).get('mandate')
  const { publicId } = useDraft()
  const wallet = useSession()?.wallet
  const isPending = useSyncExternalStore(sessionPending.subscribe, sessionPending.get)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  const isOther = id !== null && id !== publicId
  useEffect(() => {
    if (id === null || !isOther || wallet === undefined) return
    let isOver = false
    readStored(id).then(
      ({ name, limits, agent, paired, state, public_id }) => {
        if (isOver) return
        setError(null)
        draftStore.set({
          ...emptyDraft,
          form: formOf({ name, ...limits }),
          agent: agent === null ? null : { id: agent.agent_id, name: agent.name ?? '', wallet: paired },
          publicId: public_id,
          stored: limits,
          storedAgent: (agent?.wallet ?? null) as Address | null,
          readBack: state === 'draft',
        })
        if (state !== 'draft' && !search.includes('step=')) navigate(startAddress({ step: 'money' }), { replace: true })
      },
      (failure: unknown) => !isOver && setError(failure),
    )
    return () => {
      isOver = true
    }
  }, [id, isOther, wallet, search, navigate, round])
  const again = () => {
    setError(null)
    setRound(round + 1)
  }
  const restart = () => {
    setError(null)
    draftStore.set(emptyDraft)
    navigate(pages.start, { replace: true })
  }
  const state = !isOther
    ? ('read' as const)
    : wallet === undefined && !isPending
      ? ('signed-out' as const)
      : ('reading' as const)
  return { error, state, again, restart }
}
