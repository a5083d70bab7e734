/** Returns the number of ticks that a job has ended, as the metrics of its process say; 0 before the first. */
export async function ticksOf(internalPort: number | undefined, worker: string): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text()
  const lines = metrics.matchAll(/^hub_worker_ticks_total\{.*worker="(\w+)".*\} (\d+)$/gm)
  return [...lines].reduce((sum, [, name, count]) => (name === worker ? sum + Number(count) : sum), 0)
}
