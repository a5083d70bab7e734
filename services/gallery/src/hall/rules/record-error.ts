import { recordOf, type HallRecord } from './record.ts'

/** Returns the row of an agent of which no record can be built: its figures are unknown, and it is not ranked. */
export function recordErrorOf(
  { agentId, name, accepting }: { readonly agentId: number; readonly name: string; readonly accepting: boolean },
  today: number,
): HallRecord {
  return recordOf(
    { agentId, name, accepting, siblings: 0, ownOwners: new Set(), policyChanges: [], mandates: [] },
    today,
  )
}
