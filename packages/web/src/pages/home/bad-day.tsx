import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useConfig } from '../../lib/config.ts'
import { shownAmount, shownPercent } from '../../lib/money.ts'
import { storyTime, tellStory, type Beat, type Story } from '../../lib/story.ts'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import { Slider } from '../../parts/slider/slider.tsx'
import crash from '../../stories/crash.json'
import { Ftx } from './ftx.tsx'
import { StoryChart } from './story-chart.tsx'
import type { Words } from './words.ts'
import styles from './home.module.css'

/** A minute of the story in so many milliseconds: 300 times as fast. */
const MINUTE_MS = 200
/** The calm before it: a line to see, and what the agent tried by then. */
const SHOWN_FIRST = 40

/** Where a local product with market recordings tells a day that happened; any other answers 404. */
const RECORDED = '/dev/story.json'

/** Returns the recorded day of a local product; null in a product without one. */
function useRecorded(): Story | null {
  const { data: config } = useConfig()
  const { data = null } = useQuery<Story | null>({
    queryKey: [RECORDED],
    enabled: config?.demo_wallet === true,
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }) => {
      const answer = await fetch(RECORDED, { signal })
      return answer.ok ? ((await answer.json()) as Story) : null
    },
  })
  return data
}

/** A day on which everything falls: the alert, the stop line, and the vault that shuts the agent out. */
export default function BadDay({ words }: { readonly words: Words }) {
  const recorded = useRecorded()
  const [kind, setKind] = useState<'made' | 'recorded'>('made')
  const { day } = words
  const shown =
    kind === 'recorded' && recorded !== null
      ? { story: recorded, said: day.recorded }
      : { story: crash, said: day.made }
  return (
    <>
      <Card title={day.title} aside={day.about(shown.story.symbol, shown.story.pairs)}>
        {recorded !== null && (
          <Seg
            label={day.which}
            value={kind}
            options={[
              { value: 'made', label: day.kind.made },
              { value: 'recorded', label: day.kind.recorded },
            ]}
            onChange={setKind}
          />
        )}
        <p className={styles['made']}>{shown.said}</p>
        <Player key={shown.story.starts_at} story={shown.story} words={words} />
      </Card>
      <Ftx words={words} />
    </>
  )
}

/** Plays a story, minute by minute. */
function Player({ story, words }: { readonly story: Story; readonly words: Words }) {
  const { day } = words
  const beats = useMemo(() => tellStory(story), [story])
  const last = story.worths.length - 1
  const [minute, setMinute] = useState(SHOWN_FIRST)
  const [playing, setPlaying] = useState(false)
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(() => setMinute((now) => Math.min(now + 1, last)), MINUTE_MS)
    return () => clearInterval(timer)
  }, [playing, last])
  const ended = minute >= last
  const running = playing && !ended
  const press = () => {
    if (ended) setMinute(0)
    setPlaying(ended || !playing)
  }
  return (
    <>
      <StoryChart story={story} minute={minute} words={words} />
      <div className={styles['player']}>
        <Button kind={running ? 'plain' : 'act'} size="s" onClick={press}>
          {running ? day.pause : ended ? day.again : day.play}
        </Button>
        <span className={styles['clock']}>{storyTime(story, minute)}</span>
        <div className={styles['scrub']}>
          <Slider
            label={day.minute}
            min={0}
            max={last}
            value={minute}
            onChange={(value) => {
              setPlaying(false)
              setMinute(value)
            }}
            told={storyTime(story, minute)}
            open
          />
        </div>
      </div>
      <Beats story={story} beats={beats.filter((beat) => beat.minute <= minute)} words={words} />
    </>
  )
}

interface BeatsProps {
  readonly story: Story
  readonly beats: readonly Beat[]
  readonly words: Words
}

const DOTS: Readonly<Record<Beat['kind'], string>> = {
  alert: 'held',
  asked: 'held',
  passed: 'inside',
  refused: 'out',
  stopped: 'out',
}

function Beats({ story, beats, words: { day } }: BeatsProps) {
  const text = (beat: Beat): string => {
    switch (beat.kind) {
      case 'alert':
        return day.alert(
          shownPercent(beat.return60m, { change: true }),
          shownPercent(beat.marketReturn60m, { change: true }),
        )
      case 'stopped':
        return day.stopped(shownAmount(beat.worth))
      case 'passed':
      case 'asked':
      case 'refused':
        return day[beat.kind](shownAmount(beat.amount))
    }
  }
  return (
    <ol className={styles['beats']} aria-live="polite">
      {beats.length === 0 && <li className={styles['none']}>{day.nothing}</li>}
      {beats.map((beat) => (
        <li key={`${beat.minute} ${beat.kind}`} className={styles[DOTS[beat.kind]]}>
          <span className={styles['at']}>{storyTime(story, beat.minute)}</span>
          <span>{text(beat)}</span>
        </li>
      ))}
    </ol>
  )
}
