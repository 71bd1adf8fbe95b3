import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Lock = Readonly<{ release: () => Promise<void> }>

/** Short name of a folder, for paths with a length limit. */
export const folderKey = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 16)

/** On Linux a name without a file, which vanishes with its process however that ends. Elsewhere a socket file. */
const address = (folder: string): string =>
  process.platform === 'linux' ? `\0pantry-${folderKey(folder)}` : join(tmpdir(), `pantry-${folderKey(folder)}.lock`)

/** Takes the folder for this process, or answers the process id of the holder (`unknown` when it does not say). The holder tells everyone who connects. */
export async function takeLock (folder: string): Promise<Lock | { heldBy: number | 'unknown' }> {
  const place = address(folder)
  for (let attempt = 0; ; attempt += 1) {
    const server = createServer(socket => {
      socket.on('error', () => undefined)
      socket.end(String(process.pid))
    })
    if (await listen(server, place)) {
      server.unref()
      return { release: () => new Promise(resolve => { server.close(() => { resolve() }) }) }
    }
    const holder = await lockHolder(folder)
    if (holder !== undefined) return { heldBy: holder }
    // Nobody answers. A socket file was left behind, or the holder ended just now.
    if (attempt === 3) return { heldBy: 'unknown' }
    if (!place.startsWith('\0')) rmSync(place, { force: true })
  }
}

/** The process that holds the folder; `undefined` when it is free. */
export function lockHolder (folder: string): Promise<number | 'unknown' | undefined> {
  return new Promise(resolve => {
    const socket = connect(address(folder))
    let text = ''
    socket.setTimeout(3_000, () => { socket.destroy(); resolve('unknown') })
    socket.on('data', chunk => { text += chunk.toString() })
    socket.on('end', () => { resolve(/^\d+$/.test(text) ? Number(text) : 'unknown') })
    socket.on('error', () => { resolve(undefined) })
  })
}

function listen (server: Server, place: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => { if (error.code === 'EADDRINUSE') resolve(false); else reject(error) })
    server.listen(place, () => { resolve(true) })
  })
}
