import type { LoadedCorpus, Reference } from '../../corpus/loaded.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggest } from '../../diagnostics/suggest.ts'
import { BoundedReports } from '../../source/bounded-reports.ts'
import { report } from '../../source/report.ts'
import { reportUnknown, type ReferenceRule } from './rule.ts'

function reportReference({ corpus, key, pointer, place }: Reference, known: ReadonlyMap<string, unknown>): Diagnostic {
  const { source, pointer: base } = place()
  const nearest = suggest(key, known.keys())
  return report(source, 'C301', [...base, ...pointer], `The corpus \`${corpus}\` has no entry \`${key}\`.`, {
    hint: nearest === undefined ? undefined : `Did you mean \`${nearest}\`?`
  })
}

function danglingReferences({ references }: LoadedCorpus, corpora: ReadonlyMap<string, LoadedCorpus>): Diagnostic[] {
  const reports = new BoundedReports()
  for (const reference of references) {
    const known = corpora.get(reference.corpus)?.corpus.byKey
    if (known?.has(reference.key) === false) reports.add(reference.file, 1, () => [reportReference(reference, known)])
  }
  return reports.all()
}

/**
 * C303, C301: `x-corpus` must name an existing corpus, and each value of such a field must be the key of one of its
 * entries.
 */
export const corpusReferences: ReferenceRule = ({ corpora, names }) =>
  [...corpora.values()].flatMap((one): Diagnostic[] => [
    ...one.refersTo.flatMap(({ corpus, place }) =>
      names.corpora.has(corpus)
        ? []
        : [reportUnknown(place.source, 'C303', place.pointer, 'corpus', corpus, names.corpora)]
    ),
    ...danglingReferences(one, corpora)
  ])
