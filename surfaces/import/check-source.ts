import type { CorpusCheck, EntryProblem } from 'pantry/data'
import { checkAttributes, type Attribute } from './check-attributes.ts'
import { checkReader } from './check-reader.ts'
import type { Source } from './source.ts'

function checkAccess ({ access, reader, where, upstream }: Source): EntryProblem[] {
  if (access !== 'wired') {
    return reader === undefined ? [] : [{ pointer: ['reader'], message: `A source that is \`${access}\` has no \`reader\`.`, hint: 'It is not read, so say nothing of how.' }]
  }
  if (reader === undefined) return [{ pointer: ['access'], message: 'A source that is `wired` needs a `reader`.', hint: 'Add it, or make the access `planned`.' }]
  if (where === undefined) return [{ pointer: ['access'], message: 'A source that is `wired` says `where` its files are.', hint: 'Add `where: package` or `where: folder`.' }]
  return (where === 'package') === (upstream.package !== undefined) ? [] : [
    { pointer: ['where'], message: '`where: package` needs an `upstream.package`, and `where: folder` must have none.', hint: 'Name the package, or write `where: folder`.' }
  ]
}

/** What keeps a source from being read: all that is wrong with its declaration in itself. */
export const checkDeclaration = (source: Source, isSafePattern: (pattern: string) => boolean): readonly EntryProblem[] =>
  [...checkAccess(source), ...(source.reader === undefined ? [] : checkReader(source.reader, ['reader'], isSafePattern))]

/** What the schema of the corpus `sources` cannot see in one of its entries. */
export const checkSource: CorpusCheck<Source> = (source, isSafePattern, entriesOf) => {
  const attributes = entriesOf('attributes') as readonly Attribute[] | undefined
  return [...checkDeclaration(source, isSafePattern), ...(attributes === undefined ? [] : checkAttributes(source, attributes))]
}
