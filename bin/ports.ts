import { accessSync, chmodSync, constants, lstatSync, rmSync, type Stats } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { dirname } from 'node:path'
import { OperatorFault } from '../core/database/fault.ts'

/** A port, with the environment variable that sets it, or the path of a Unix socket. */
export type ListenAddress = Readonly<
  { host: string; port: number; variable: 'PORT' | 'PANTRY_ADMIN_PORT' } | { path: string }
>

/** Where a server listens: on a port, or at the path of a Unix socket. */
export type Listening = AddressInfo | string

/** The owner and the group of a socket may connect. */
const socketMode = 0o660

const socketFix = 'Set HOST to `unix:` and another path, or remove what is there.'

const cannotUse = (path: string, error: unknown): OperatorFault => {
  const { code, message } = error as NodeJS.ErrnoException
  return new OperatorFault(
    'O502',
    `The socket ${path} cannot be used (${code ?? message}).`,
    'Check HOST and its folder.',
    error
  )
}

/**
 * Listens, and returns the address. Rejects with an `OperatorFault` if the address cannot be listened on, such as a
 * port that is in use.
 */
export function listen(server: Server, place: ListenAddress): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      reject(errorOf(place, error))
    }
    server.once('error', failed)
    const listening = (): void => {
      server.off('error', failed)
      try {
        if ('path' in place) chmodSync(place.path, socketMode)
        resolve(server.address() ?? '')
      } catch (error) {
        reject(errorOf(place, error as NodeJS.ErrnoException))
      }
    }
    if ('path' in place) server.listen(place.path, listening)
    else server.listen(place.port, place.host, listening)
  })
}

function errorOf(place: ListenAddress, error: NodeJS.ErrnoException): OperatorFault {
  if ('path' in place) return cannotUse(place.path, error)
  const { host, port, variable } = place
  const code = error.code ?? error.message
  return code === 'EADDRINUSE'
    ? new OperatorFault(
        'O501',
        `Port ${port} on ${host} is in use.`,
        `Stop what uses it, or set ${variable} to another port; 0 takes any free one.`,
        error
      )
    : new OperatorFault(
        'O502',
        `Port ${port} on ${host} cannot be used (${code}).`,
        `Check HOST and ${variable}.`,
        error
      )
}

/**
 * Checks before long work that an address can be listened on, and returns it, with the port that was free. Rejects with
 * `OperatorFault`.
 */
export async function tryPort(place: ListenAddress): Promise<ListenAddress> {
  if ('path' in place) {
    await isStale(place.path)
    return place
  }
  const probe = createServer()
  const address = await listen(probe, place)
  await new Promise(resolve => {
    probe.close(resolve)
  })
  return typeof address === 'string' ? place : { ...place, port: address.port }
}

/** Removes the socket that a process left which was killed. Rejects with an `OperatorFault` if it is no such socket. */
export async function removeStale(place: ListenAddress): Promise<void> {
  if ('path' in place && (await isStale(place.path))) rmSync(place.path, { force: true })
}

const statsOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw cannotUse(path, error)
  }
}

/**
 * Tells whether a socket is at a path that nobody listens on; false if nothing is there. Rejects with an
 * `OperatorFault` if somebody listens there, if it is no socket, or if the folder cannot be written.
 */
async function isStale(path: string): Promise<boolean> {
  const found = statsOf(path)
  if (found?.isSocket() === false) throw new OperatorFault('O502', `${path} is there, and is no socket.`, socketFix)
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK)
  } catch (error) {
    throw cannotUse(path, error)
  }
  if (found === undefined) return false
  const code = await new Promise<string | undefined>(resolve => {
    const client = connect(path, () => {
      resolve(undefined)
      client.destroy()
    }).once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message)
    })
  })
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return true
  throw code === undefined
    ? new OperatorFault(
        'O501',
        `Another process answers at the socket ${path}.`,
        'Stop it, or set HOST to another path.'
      )
    : new OperatorFault('O502', `The socket ${path} cannot be used (${code}).`, socketFix)
}
