import { createHash } from 'node:crypto'
import { digestOfBytes } from '../source/compiled.ts'
import { filePieces } from '../source/file-pieces.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { largestFile } from '../source/decode-text.ts'
import type { ReadRoot } from './read-root.ts'

function digestOfFile({ bytes, real }: FolderFile): string {
  if (bytes.length <= largestFile) return digestOfBytes(bytes)
  const digest = createHash('sha256')
  for (const piece of filePieces(real)) digest.update(piece)
  return digest.digest('hex')
}

/**
 * Returns the SHA-256 digest (lowercase hex) of the names and bytes of all files and the schemas of all handlers, in
 * load order.
 */
export function digestOf(roots: readonly ReadRoot[]): string {
  const all = createHash('sha256')
  for (const { root, files } of roots) {
    all.update(
      JSON.stringify([
        root.name,
        [...root.handlers].map(([id, { params, query, body, reply }]) => [id, params, query, body, reply])
      ])
    )
    for (const file of files) all.update(JSON.stringify([file.name, digestOfFile(file)]))
  }
  return all.digest('hex')
}
