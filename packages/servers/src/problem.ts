/** A failure that the operator can fix. The message is one sentence with the problem and the fix, and never contains secrets. */
export class ServerProblem extends Error {
  override readonly name: string = 'ServerProblem'
}

/** Another process uses the port of a server. */
export class PortInUse extends ServerProblem {
  override readonly name = 'PortInUse'
  readonly port: number
  constructor(server: string, port: number) {
    super(`Port ${port} for ${server} is in use: stop the process that uses it or choose another port.`)
    this.port = port
  }
}

const fileFixes: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the disk quota is used up: free some space',
  EACCES: 'access is denied: make it writable for this user or choose another folder with --data',
  EPERM: 'access is denied: make it writable for this user or choose another folder with --data',
  EROFS: 'the file system is read-only: choose another folder with --data',
  ENOTDIR: 'part of the path is a file: choose another folder with --data',
  EEXIST: 'there is a file of that name: choose another folder with --data',
  ENOENT: 'the folder above it does not exist and cannot be created: choose another folder with --data',
  EIO: 'the disk reports an input/output error: check the disk',
}

/** Turns a file system error into a `ServerProblem`; returns any other error unchanged. */
export function fileProblem(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const fix = fileFixes[code]
  return fix === undefined ? error : new ServerProblem(`${path} cannot be used, ${fix}.`)
}
