export const en = {
  version: 'Terms of a mandate, version 2',
  owner: 'Owner (you)',
  agent: 'Agent',
  network: 'Network',
  chain: (name: string, id: number) => `${name}, chain ${id}`,
  seal: 'your seal',
  told: (head: string, tail: string) => `Signed. The digest begins with ${head} and ends with ${tail}.`,
}
export type Words = typeof en
