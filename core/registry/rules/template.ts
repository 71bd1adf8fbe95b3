import { isObject, type JsonValue } from '../../canonical/json.ts'
import { nameOfPlace, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { report, type Pointer, type SourceFile } from '../../source/report.ts'
import { templateTexts } from '../../vocabulary/template-texts.ts'
import type { ReferenceRule } from '../draft.ts'

const unwritten: ReadonlySet<unknown> = new Set(Object.values(templateTexts))

function* checkTexts(source: SourceFile, value: JsonValue | undefined, at: Pointer): Generator<Diagnostic> {
  if (unwritten.has(value))
    yield report(source, 'M446', at, `${nameOfPlace(at)} is still the text of the template.`, {
      hint: 'It is published: write your own.'
    })
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) yield* checkTexts(source, member, [...at, name])
}

/** M446: what only the author knows is not what `pantry init`, `new` and `table` wrote there. */
export const ownTexts: ReferenceRule = function* ({ services, manifests, corpora }) {
  for (const source of services) yield* checkTexts(source, source.value, [])
  for (const { source, manifest } of manifests) yield* checkTexts(source, manifest.summary, ['summary'])
  for (const { corpus, declaration } of corpora.values()) yield* checkTexts(declaration, corpus.source, ['source'])
}
