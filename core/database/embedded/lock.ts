import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { lockNewFile } from './file-lock.ts'

type Lock = Readonly<{ release: () => Promise<void> }>

/** Who has the folder: a process here, a process here that does not say its number, or one that cannot be asked. */
type Holder = number | 'unknown' | 'elsewhere'

/** Short name of a folder, for paths with a length limit. */
export const folderKey = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 16)

/**
 * Takes the folder for this process, or answers who has it. The lock of a file holds in every namespace and under every
 * path of the folder; the name in front of it tells whom to ask, and holds where a file system only pretends to lock.
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

/** On Linux a name without a file, which vanishes with its process however that ends. Elsewhere a socket file. */
const address = (folder: string): string =>
  process.platform === 'linux' ? `\0pantry-${folderKey(folder)}` : join(tmpdir(), `pantry-${folderKey(folder)}.lock`)

/** The holder of the name tells its process id to everyone who connects. */
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
    // The holder does not answer. A socket file was left behind, or the holder ended just now.
    if (attempt === 3) return { heldBy: 'unknown' }
    if (!place.startsWith('\0')) rmSync(place, { force: true })
  }
}

/** The process that holds the folder; `undefined` when it is free. */
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
