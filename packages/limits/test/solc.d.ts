declare module 'solc' {
  /** Standard JSON in, standard JSON out. */
  function compile(input: string): string
}
