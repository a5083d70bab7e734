import { defineWords } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { useWatched } from '../../lib/watched.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { CsvButton } from '../../parts/csv-button/csv-button.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Pending, Read, Stale } from '../../parts/read/read.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { BoardFilters } from './board-filters.tsx'
import { BOARD_ROWS, boardSent, CLEARED, isFiltered, type BoardProps, type BoardView } from './board-query.ts'
import { BoardRows } from './board-rows.tsx'
import { en } from './board-words.ts'
import styles from './board.module.css'
import { SourceNote } from './source-note.tsx'

const useWords = defineWords(en, () => import('./board-words.ko.ts'))

type BoardAnswer = Answer<'GET /board'>

/** The board of all pairs as a screener. */
export default function Board({ view, onChoose }: BoardProps) {
  const words = useWords()
  const watched = useWatched()
  const nothingWatched = view.watched && watched.length === 0
  const read = useRead('GET /board', boardSent(view, watched), {
    every: every.board,
    keepFormer: true,
    when: !nothingWatched,
  })
  const choose = (change: Partial<BoardView>) => onChoose({ offset: 0, snapshot: null, ...change })
  return (
    <Card
      title={words.board}
      aside={
        read.data !== undefined &&
        !nothingWatched && (
          <>
            {words.computed.before} <Ago time={read.data.computed_at} /> {words.computed.after}{' '}
            <CsvButton route="GET /board" sent={boardSent(view, watched)} name="board" />
          </>
        )
      }
      bare
    >
      <div className={styles['inner']}>
        <p className={styles['lead']}>
          {words.lead} {read.data !== undefined && <SourceNote source={read.data.source} />}
        </p>
        <BoardFilters view={view} onChoose={choose} />
        {read.error?.code === 'snapshot_replaced' ? (
          <Note
            kind="held"
            title={words.replaced}
            action={<Button onClick={() => choose({})}>{words.newest}</Button>}
          />
        ) : null}
      </div>
      {nothingWatched && <Empty>{words.nothingWatched}</Empty>}
      {!nothingWatched && read.error?.code !== 'snapshot_replaced' && (
        <Read of={read} bones={<Bones lines={[1, 1, 1, 1, 1, 1]} rem={2.6} />}>
          {(answer) => <Shown answer={answer} view={view} onChoose={onChoose} />}
        </Read>
      )}
    </Card>
  )
}

function Shown({ answer, view, onChoose }: BoardProps & { readonly answer: BoardAnswer }) {
  const words = useWords()
  const { pending, stale, computed_at, tokens, limit_reason } = answer
  if (pending) return <Pending at={computed_at} />
  const clear = () => onChoose({ ...CLEARED, offset: 0 })
  if (tokens.length === 0)
    return isFiltered(view) || view.offset > 0 ? (
      <Empty action={<Button onClick={clear}>{words.clear}</Button>}>{words.empty}</Empty>
    ) : (
      <Empty>{words.emptyAtAll}</Empty>
    )
  const unjudged = tokens.every(({ alerts }) => alerts === null)
  return (
    <>
      {stale && computed_at !== null && <Stale time={computed_at} />}
      {unjudged && <p className={`${styles['inner']} ${styles['lead']}`}>{words.alertsUnknown}</p>}
      <BoardRows tokens={tokens} markUnjudged={!unjudged} />
      <div className={styles['foot']}>
        {limit_reason === 'without_key' && <p>{words.withoutKey}</p>}
        <Paging answer={answer} onChoose={onChoose} />
      </div>
    </>
  )
}

function Paging({ answer, onChoose }: Pick<BoardProps, 'onChoose'> & { readonly answer: BoardAnswer }) {
  const words = useWords()
  const { offset, tokens, total, limit } = answer
  const to = offset + tokens.length
  const shown = words.shown(String(offset + 1), String(to), String(total))
  return (
    <nav className={styles['pages']} aria-label={shown}>
      <span>{shown}</span>
      {offset > 0 && (
        <Button
          size="s"
          onClick={() =>
            onChoose({
              offset: Math.max(0, offset - Math.min(limit, BOARD_ROWS)),
              snapshot: answer.snapshot,
            })
          }
        >
          {words.earlier}
        </Button>
      )}
      {to < total && (
        <Button size="s" onClick={() => onChoose({ offset: to, snapshot: answer.snapshot })}>
          {words.later}
        </Button>
      )}
    </nav>
  )
}
