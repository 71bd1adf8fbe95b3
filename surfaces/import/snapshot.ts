import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { hashCanonical, type JsonValue } from 'pantry/data'
import { documentForm } from '../catalogue/refresh-documents.ts'
import { readingProblem } from './data-error.ts'
import { filesOf, findFiles } from './reading/find-files.ts'
import { precedenceOf } from './writing/precedence.ts'
import type { SourceReader, Source } from './source.ts'

async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * Returns the lowercase hex SHA-256 over everything that determines what an import writes: the files, the declaration,
 * the declared attributes, the precedence and the form of stored documents. Throws a DataError for a missing file.
 */
export async function snapshotDigest(source: Source, reader: SourceReader, folder: string): Promise<string> {
  const digests: JsonValue[] = []
  // Files are hashed one after the other, because a source may have more files than a process may open.
  for (const { declared, pointer } of filesOf(reader)) {
    try {
      for (const { path, file } of await findFiles(folder, declared))
        digests.push([file['name'] ?? '', await fileDigest(path)])
    } catch (error) {
      throw readingProblem(error, pointer, declared.path)
    }
  }
  return hashCanonical({
    files: digests,
    reader: reader,
    rules: { games: source.games, languages: source.languages, attributes: source.attributes ?? [] },
    precedence: precedenceOf(source),
    document: documentForm
  })
}
