import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggest, suggestion } from '../../diagnostics/suggest.ts'
import { report } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

/** C303, C301: `x-corpus` names a corpus, and each value of such a field is the key of one of its entries. */
export const corpusReferences: ReferenceRule = ({ corpora, names }) => [...corpora.values()].flatMap(({ references, refersTo }): Diagnostic[] => [
  ...refersTo.flatMap(({ corpus, place }) => names.corpora.has(corpus) ? [] : [
    report(place.source, 'C303', place.pointer, `There is no corpus \`${corpus}\`.`, { hint: suggestion(corpus, [...names.corpora]) })
  ]),
  ...references.flatMap(({ corpus, key, place }) => {
    const known = corpora.get(corpus)?.corpus.byKey
    if (known === undefined || known.has(key)) return []
    const nearest = suggest(key, known.keys())
    return [report(place.source, 'C301', place.pointer, `The corpus \`${corpus}\` has no entry \`${key}\`.`, { hint: nearest === undefined ? undefined : `Did you mean \`${nearest}\`?` })]
  })
])
