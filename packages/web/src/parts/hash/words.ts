/** Words of the names that a reader gives addresses. */
export const en = {
  give: (address: string) => `Name ${address}`,
  change: (address: string) => `Change the name of ${address}`,
  title: 'Name this address',
  label: 'Name',
  hint: 'Kept in this browser alone. Compare the address itself before you sign.',
  keep: 'Keep the name',
  remove: 'Remove the name',
}

export type Words = typeof en
