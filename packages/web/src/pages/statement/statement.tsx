import { useLocation, useParams, useSearch } from 'wouter'
import { defineWords } from '../../i18n/index.tsx'
import { served } from '../../lib/clock.ts'
import { weekStart } from '../../lib/iso-week.ts'
import { every } from '../../lib/polling.ts'
import { Problem } from '../../lib/problem.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { shortened } from '../../parts/hash/shortened.ts'
import { Page } from '../../parts/page/page.tsx'
import { Stale } from '../../parts/read/read.tsx'
import { askSignIn } from '../../parts/sign-in/ask-sign-in.ts'
import { addressOf } from '../../routes.ts'
import { Sheet } from './sheet.tsx'
import { en, type Words } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** The weekly statement of a mandate: it reads on a screen and on paper. */
export default function StatementPage() {
  const words = useWords()
  const { id = '' } = useParams()
  const asked = new URLSearchParams(useSearch()).get('week')
  const week = asked !== null && weekStart(asked) !== null ? asked : undefined
  const [, navigate] = useLocation()
  const session = useSession()
  const statement = useRead(
    'GET /hub/mandates/{public_id}/statement',
    { public_id: id, ...(week === undefined ? {} : { week }) },
    { every: every.slow, when: session !== null, keepFormer: true },
  )
  const { data } = statement
  if (session === null)
    return (
      <Page title={words.title}>
        <Empty
          action={
            <Button kind="act" onClick={() => void askSignIn()}>
              {words.signIn.act}
            </Button>
          }
        >
          {words.signIn.lead}
        </Empty>
      </Page>
    )
  if (data === undefined || !('week' in data))
    return (
      <NotYet
        error={statement.error}
        again={() => void statement.refetch()}
        words={words}
        wallet={session.wallet}
        id={id}
      />
    )
  return (
    <>
      {statement.error !== null && <Stale time={new Date(served(statement.dataUpdatedAt)).toISOString()} />}
      <Sheet
        statement={data}
        words={words}
        onWeek={(name) => navigate(`${addressOf('statement', { id })}?week=${name}`)}
      />
    </>
  )
}

interface NotYetProps {
  readonly error: unknown
  readonly again: () => void
  readonly words: Words
  readonly wallet: string
  readonly id: string
}

function NotYet({ error, again, words, wallet, id }: NotYetProps) {
  const problem = error instanceof Problem ? error : null
  if (problem?.status === 404)
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
  if (problem?.code === 'hub_wrong_state')
    return (
      <Page title={words.title}>
        <Empty action={<ButtonLink to={addressOf('mandate', { id })}>{words.back}</ButtonLink>}>{words.draft}</Empty>
      </Page>
    )
  return (
    <Page title={words.title}>
      {error === null ? (
        <Card>
          <Bones lines={[0.5, 1, 1, 1, 1, 0.6]} rem={1.5} />
        </Card>
      ) : (
        <Failed error={error} again={again} />
      )}
    </Page>
  )
}
