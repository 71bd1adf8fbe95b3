import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { lockNewFile } from './file-lock.ts'

type Lock = Readonly<{ release: () => Promise<void> }>

/**
 * Who holds the lock of a folder: the id of a process, a process of this machine that does not report its id, or a
 * process that cannot be asked.
 */
type Holder = number | 'unknown' | 'elsewhere'

/** Returns a short name for a folder, for paths of limited length. */
export const folderKey = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 16)

/**
 * Locks a folder for this process, or returns who holds it. The file lock works in every namespace and under every path
 * of the folder. The socket name, taken first, tells who holds the folder, and works where a file system does not
 * really lock.
 */
export async function takeLock(folder: string, account: Account | undefined): Promise<Lock | { heldBy: Holder }> {
  const name = await takeName(folder)
  if ('heldBy' in name) return name
  try {
    const file = lockNewFile(join(folder, 'lock'), account)
    if (file !== undefined)
      return {
        release: async () => {
          file.release()
          await name.release()
        }
      }
  } catch (error) {
    await name.release()
    throw error
  }
  await name.release()
  return { heldBy: 'elsewhere' }
}

/**
 * Returns the socket address for a folder: on Linux an abstract name, which vanishes when its process ends in any way;
 * elsewhere a socket file.
 */
const address = (folder: string): string =>
  process.platform === 'linux' ? `\0pantry-${folderKey(folder)}` : join(tmpdir(), `pantry-${folderKey(folder)}.lock`)

/** Listens on the socket name of a folder; the holder sends its process id to every client that connects. */
async function takeName(folder: string): Promise<Lock | { heldBy: number | 'unknown' }> {
  const place = address(folder)
  for (let attempt = 0; ; attempt += 1) {
    const server = createServer(socket => {
      socket.on('error', () => undefined)
      socket.end(String(process.pid))
    })
    if (await listen(server, place)) {
      server.unref()
      return {
        release: () =>
          new Promise(resolve => {
            server.close(() => {
              resolve()
            })
          })
      }
    }
    const holder = await lockHolder(folder)
    if (holder !== undefined) return { heldBy: holder }
    // The holder does not answer: it left a socket file behind, or has just ended.
    if (attempt === 3) return { heldBy: 'unknown' }
    if (!place.startsWith('\0')) rmSync(place, { force: true })
  }
}

/** Returns the id of the process that holds a folder; `undefined` if it is free. */
export function lockHolder(folder: string): Promise<number | 'unknown' | undefined> {
  return new Promise(resolve => {
    const socket = connect(address(folder))
    let text = ''
    socket.setTimeout(3_000, () => {
      socket.destroy()
      resolve('unknown')
    })
    socket.on('data', chunk => {
      text += chunk.toString()
    })
    socket.on('end', () => {
      resolve(/^\d+$/.test(text) ? Number(text) : 'unknown')
    })
    socket.on('error', () => {
      resolve(undefined)
    })
  })
}

function listen(server: Server, place: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(place, () => {
      resolve(true)
    })
  })
}
