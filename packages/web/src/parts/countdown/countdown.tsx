import { useShared } from '../../i18n/index.tsx'
import { utcText } from '../../lib/time.ts'
import { useNow } from '../time/time.tsx'

interface CountdownProps {
  /** RFC 3339. */
  readonly until: string
  /** What stands here once the time has come. */
  readonly over: string
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** How long something still lasts, in its two largest units, counted down every second; its title is the moment in UTC. */
export function Countdown({ until, over }: CountdownProps) {
  const { time } = useShared()
  const left = Math.max(0, Math.ceil((Date.parse(until) - useNow()) / 1000))
  const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)]
  const [minutes, seconds] = [Math.floor((left % HOUR) / MINUTE), left % MINUTE]
  const text =
    days > 0
      ? `${time.days(days)} ${time.hours(hours)}`
      : hours > 0
        ? `${time.hours(hours)} ${time.minutes(minutes)}`
        : minutes > 0
          ? `${time.minutes(minutes)} ${time.seconds(seconds)}`
          : time.seconds(seconds)
  return (
    // A clock that ticks would interrupt readers of the screen every second.
    <time dateTime={until} title={utcText(until)} role="timer" aria-live="off">
      {left === 0 ? over : text}
    </time>
  )
}
