export const en = {
  title: 'Agent',
}

export type Words = typeof en
