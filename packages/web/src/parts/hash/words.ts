/** Words of the names that a reader gives addresses. */
export const en = {
  give: (address: string) => `Name ${address}`,
  change: (address: string) => `Change the name of ${address}`,
  yours: 'your name:',
  title: 'Name this address',
  label: 'Name',
  hint: 'Stored only in this browser. Always check the full address before you sign.',
  keep: 'Save',
  remove: 'Remove',
}

export type Words = typeof en
