import { createServer, type AddressInfo, type Server } from 'node:net'

/** Thrown if an address cannot be listened on. The process exits with 3. */
export class ListenError extends Error {
  readonly fix: string

  constructor(message: string, fix: string, cause: unknown) {
    super(message, { cause })
    this.fix = fix
  }
}

/** `variable` is the environment variable that sets the port. */
export type ListenAddress = Readonly<{ host: string; port: number; variable: 'PORT' | 'PANTRY_ADMIN_PORT' }>

/**
 * Listens, and returns the address. Rejects with `ListenError` if the address cannot be listened on, such as a port
 * that is in use.
 */
export function listen(server: Server, { host, port, variable }: ListenAddress): Promise<AddressInfo> {
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

/** Checks before long work that an address can be listened on, and returns the port. Rejects with `ListenError`. */
export async function tryPort(place: ListenAddress): Promise<number> {
  const probe = createServer()
  const { port } = await listen(probe, place)
  await new Promise(resolve => {
    probe.close(resolve)
  })
  return port
}
