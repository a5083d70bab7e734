import { useParams } from 'wouter'
import { defineWords } from '../../i18n/index.tsx'
import { served } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'
import { useSession } from '../../lib/reads.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { shortened } from '../../parts/hash/hash.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Stale } from '../../parts/read/read.tsx'
import { askSignIn } from '../../parts/sign-in/ask-sign-in.ts'
import { WalletBanner } from '../../parts/wallet-banner/wallet-banner.tsx'
import { addressOf } from '../../routes.ts'
import { Shown } from './shown.tsx'
import { useMandate, type MandateReads } from './use-mandate.ts'
import { en, type Words } from './words.ts'
import styles from './mandate.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** One mandate: what waits, what it is worth, where its limits stand, what happened, and the proof. */
export default function MandatePage() {
  const words = useWords()
  const { id = '' } = useParams()
  const session = useSession()
  const reads = useMandate(id)
  if (session === null)
    return (
      <Page title={words.title}>
        <Empty
          action={
            <Button kind="act" onClick={() => void askSignIn()}>
              {words.visitor.signIn}
            </Button>
          }
        >
          {words.visitor.lead}
        </Empty>
      </Page>
    )
  const { detail } = reads
  if (detail.data === undefined) return <NotYet reads={reads} words={words} wallet={session.wallet} />
  return (
    <>
      <WalletBanner />
      {detail.error !== null && <Stale time={new Date(served(detail.dataUpdatedAt)).toISOString()} />}
      <Shown id={id} detail={detail.data} reads={reads} words={words} />
    </>
  )
}

interface NotYetProps {
  readonly reads: MandateReads
  readonly words: Words
  readonly wallet: string
}

/** The first answer is on its way, or there is none. */
function NotYet({ reads: { detail }, words, wallet }: NotYetProps) {
  const { error } = detail
  const isMissing = error instanceof Problem && (error.status === 404 || error.code === 'invalid_request')
  if (isMissing)
    return (
      <Page title={words.missing.title}>
        <Empty
          action={
            <ButtonLink kind="act" to={addressOf('mandates')}>
              {words.missing.back}
            </ButtonLink>
          }
        >
          {words.missing.said(shortened(wallet))}
        </Empty>
      </Page>
    )
  return (
    <Page title={words.title}>
      {error === null ? (
        <div className={styles['grid']}>
          <Card>
            <Bones lines={[0.3, 0.5, 1, 1, 1]} rem={1.6} />
          </Card>
          <Card>
            <Bones lines={[0.4, 1, 0.7, 1, 0.6]} />
          </Card>
        </div>
      ) : (
        <Failed error={error} again={() => void detail.refetch()} />
      )}
    </Page>
  )
}
