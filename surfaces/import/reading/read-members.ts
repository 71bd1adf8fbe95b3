import { NoMembers, type JsonValue } from 'pantry/data'
import { FileProblem } from '../data-error.ts'
import type { FoundFile } from './find-files.ts'
import { shapeOf, type Members } from './shapes.ts'

/** The number of members that are yielded together for a document that was read whole. */
const partSize = 100

function* inParts(document: JsonValue): Generator<Members> {
  const all = document === null || typeof document !== 'object' ? [] : Object.entries(document)
  for (let from = 0; from < all.length; from += partSize) {
    const part = all.slice(from, from + partSize)
    yield { members: part.map(([key, value]) => ({ key, value })), fraction: (from + part.length) / all.length }
  }
}

/**
 * Yields the members of the document, or the document itself as one member if it is declared `single`. Error messages
 * name the file.
 */
export async function* readMembers(found: FoundFile): AsyncGenerator<Members> {
  const { single = false } = found.declared
  const { language, whole, stream } = shapeOf(found)
  try {
    if (single) yield { members: [{ key: 0, value: await whole(found) }], fraction: 1 }
    else if (stream !== undefined) yield* stream(found)
    else yield* inParts(await whole(found))
  } catch (error) {
    // The parser's message quotes the text near the mistake, which may be a value that must not be shown. For YAML, too
    // many aliases and too deep nesting throw errors of other classes.
    if (
      error instanceof SyntaxError ||
      (error instanceof Error && error.name === 'YAMLParseError') ||
      error instanceof ReferenceError ||
      error instanceof RangeError
    )
      throw new SyntaxError(`${found.path} is not ${language}.`)
    if (error instanceof NoMembers) throw new FileProblem(`${found.path}: ${error.message}`)
    if (error instanceof Error && !error.message.includes(found.path)) error.message = `${found.path}: ${error.message}`
    throw error
  }
}
