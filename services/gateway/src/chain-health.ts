import type { HealthProblem } from '@svc/edge'

/** What chain-indexer answers about the chain, as far as health needs it. */
export interface ChainHead {
  readonly head: number
  readonly streams: readonly { readonly stream: string; readonly next_block: number; readonly stopped: string | null }[]
}

/** Looks in a row that must find the chain behind. The nodes of one RPC may differ by some seconds. */
const BEHIND_LOOKS = 3

/** Follows whether the chain is behind the blocks that were read from it, or a reader of it is stopped. */
export interface ChainHealth {
  /** Asks once. Keeps the previous problems when nobody answers; never rejects. */
  look(): Promise<void>
  problems(): readonly HealthProblem[]
}

/** Returns a watch of the chain. The first look counts alone, because no other node has answered before it. */
export function chainHealth({ readHead }: { readonly readHead: () => Promise<ChainHead> }): ChainHealth {
  let behindLooks = BEHIND_LOOKS - 1
  let problems: readonly HealthProblem[] = []
  return {
    problems: () => problems,
    look: async () => {
      const answer = await readHead().catch(() => null)
      if (answer === null) return
      const behind = blocksBehind(answer)
      behindLooks = behind === 0 ? 0 : behindLooks + 1
      problems = [...(behindLooks >= BEHIND_LOOKS ? [behindProblem(behind)] : []), ...stoppedProblems(answer)]
    },
  }
}

/** Returns by how many blocks the head is behind the newest block that a stream has read; 0 if it is not. */
const blocksBehind = ({ head, streams }: ChainHead): number =>
  Math.max(0, ...streams.map(({ next_block }) => next_block - 1 - head))

const behindProblem = (blocks: number): HealthProblem => ({
  code: 'chain_behind',
  message: `The chain is behind what was read from it by ${blocks} ${blocks === 1 ? 'block' : 'blocks'}: vaults and deposits stand still.`,
})

const stoppedProblems = ({ streams }: ChainHead): readonly HealthProblem[] =>
  streams
    .filter(({ stopped }) => stopped !== null)
    .map(({ stream }) => ({
      code: 'chain_stream_stopped',
      message: `The reader ${stream} of the chain is stopped until an operator rewinds it.`,
    }))
