import { createServer, type AddressInfo, type Server } from 'node:net'

/** An address cannot be listened on; `fix` says what to do. The process exits with 3. */
export class ListenError extends Error {
  readonly fix: string

  constructor(message: string, fix: string, cause: unknown) {
    super(message, { cause })
    this.fix = fix
  }
}

/** Where to listen, and the variable that says so. */
export type Place = Readonly<{ host: string; port: number; variable: 'PORT' | 'PANTRY_ADMIN_PORT' }>

/** Listens. Rejects with `ListenError` when the port is taken or the address is not one of this machine. */
export function listen(server: Server, { host, port, variable }: Place): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      const code = error.code ?? error.message
      reject(
        code === 'EADDRINUSE'
          ? new ListenError(
              `Port ${port} on ${host} is in use.`,
              `Stop what uses it, or set ${variable} to another port; 0 takes any free one.`,
              error
            )
          : new ListenError(`Port ${port} on ${host} cannot be used (${code}).`, `Check HOST and ${variable}.`, error)
      )
    }
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      resolve(server.address() as AddressInfo)
    })
  })
}

/**
 * The port that can be listened on now, asked before long work begins, without serving. Rejects with `ListenError` when
 * it cannot.
 */
export async function tryPort(place: Place): Promise<number> {
  const probe = createServer()
  const { port } = await listen(probe, place)
  await new Promise(resolve => {
    probe.close(resolve)
  })
  return port
}
