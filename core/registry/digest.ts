import { createHash } from 'node:crypto'
import type { HandlerShape } from '../manifest/handler-shape.ts'
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

const schemasOf = ({ params, query, body, reply }: HandlerShape): readonly unknown[] => [params, query, body, reply]

/** SHA-256 over names and bytes of all files and the schemas of handlers and forms, in load order; lowercase hex. */
export function digestOf(roots: readonly ReadRoot[]): string {
  const all = createHash('sha256')
  for (const { root, files } of roots) {
    all.update(
      JSON.stringify([
        root.name,
        [...root.handlers].map(([id, { forms, ...shape }]) => [
          id,
          schemasOf(shape),
          Object.values(forms ?? {}).map(schemasOf)
        ])
      ])
    )
    for (const file of files) all.update(JSON.stringify([file.name, digestOfFile(file)]))
  }
  return all.digest('hex')
}
