import { createHash } from 'node:crypto'
import { filePieces } from '../source/file-pieces.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { largestFile } from '../source/decode-text.ts'
import type { ReadRoot } from './read-root.ts'

const contentOf = ({ bytes, real }: FolderFile): Iterable<Uint8Array> =>
  bytes.length > largestFile ? filePieces(real) : [bytes]

/** SHA-256 over names and bytes of all files and over the schemas of all handlers, in load order; lowercase hex. */
export function digestOf(roots: readonly ReadRoot[]): string {
  const all = createHash('sha256')
  for (const { root, files } of roots) {
    all.update(
      JSON.stringify([
        root.name,
        [...root.handlers].map(([id, { params, query, body, reply }]) => [id, params, query, body, reply])
      ])
    )
    for (const file of files) {
      const one = createHash('sha256')
      for (const piece of contentOf(file)) one.update(piece)
      all.update(JSON.stringify([file.name, one.digest('hex')]))
    }
  }
  return all.digest('hex')
}
