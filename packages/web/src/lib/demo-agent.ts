/** What the demo agent of a local product does under a mandate. */
export interface DemoWork {
  readonly status: 'idle' | 'working' | 'done' | 'failed'
  readonly steps: readonly { readonly key: string; readonly detail: string }[]
  readonly problem: string | null
}

const PATH = '/dev/agent/work'

async function answered(response: Response): Promise<DemoWork> {
  if (!response.ok) throw new Error(`the local product answered ${response.status}`)
  return (await response.json()) as DemoWork
}

/** Lets the demo agent work under a mandate. Only the dev command serves this. */
export const letDemoAgentWork = async (publicId: string): Promise<DemoWork> =>
  answered(
    await fetch(PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ public_id: publicId }),
    }),
  )

/** Reads how far the demo agent is. */
export const readDemoWork = async (publicId: string, signal: AbortSignal): Promise<DemoWork> =>
  answered(await fetch(`${PATH}?public_id=${encodeURIComponent(publicId)}`, { signal }))
