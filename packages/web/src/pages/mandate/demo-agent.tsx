import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { letDemoAgentWork, readDemoWork } from '../../lib/demo-agent.ts'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Note } from '../../parts/note/note.tsx'
import type { Words } from './words.ts'

interface DemoAgentProps {
  readonly id: string
  readonly words: Words
  /** Something happened: the mandate is read again. */
  readonly onChanged: () => void
}

/** Pause between looks at the work. */
const LOOK_MS = 1_500

/** On a local product: lets its demo agent work under the mandate, so that a person without a program sees it happen. */
export default function DemoAgent({ id, words, onChanged }: DemoAgentProps) {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const work = useQuery({
    queryKey: ['demo-agent', id],
    queryFn: ({ signal }) => readDemoWork(id, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'working' ? LOOK_MS : false),
  })
  const steps = work.data?.steps.length ?? 0
  useEffect(() => {
    if (steps > 0) onChanged()
  }, [steps, onChanged])
  const run = () => {
    setError(null)
    letDemoAgentWork(id).then((now) => client.setQueryData(['demo-agent', id], now), setError)
  }
  if (work.data === undefined) return null
  const { status, problem } = work.data
  const isDone = status === 'done'
  const last = work.data.steps.at(-1)
  return (
    <Note
      kind={isDone ? 'inside' : 'note'}
      title={words.demo.title}
      action={
        <Button busy={status === 'working'} onClick={run}>
          {status === 'working' ? words.demo.running : isDone ? words.demo.again : words.demo.run}
        </Button>
      }
    >
      <p>
        {isDone
          ? words.demo.done
          : status === 'working' && last !== undefined
            ? (words.demo.steps[last.key] ?? last.detail)
            : words.demo.said}
      </p>
      {problem !== null && <p>{problem}</p>}
      {error !== null && <Failed error={error} />}
    </Note>
  )
}
