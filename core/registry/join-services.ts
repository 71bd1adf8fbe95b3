import { accessKinds } from '../access/index.ts'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { canonicalize } from '../canonical/canonical-json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { formats } from '../format/index.ts'
import { serviceOf } from '../manifest/service-defaults.ts'
import { ServiceSchema, type Service, type ServiceFile } from '../manifest/service.ts'
import { compileSchema } from '../schema/compile.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, reportFile } from '../source/report.ts'
import type { SourceFile } from '../source/source-file.ts'
import { errorCodes } from '../vocabulary/error-codes.ts'

const vocabularies = ['tiers', 'freshness', 'sources', 'errors', 'formats', 'access'] as const

const checkService = (source: SourceFile): readonly Diagnostic[] => source.value === undefined
  ? source.diagnostics
  : reportIssues(source, compileSchema(ServiceSchema)(source.value), { noun: 'a service' })

const ownWords = {
  errors: { noun: 'an error code', words: Object.keys(errorCodes) },
  formats: { noun: 'a format', words: formats },
  access: { noun: 'an access kind', words: accessKinds }
} as const

/** A service cannot give a word of the framework another meaning. */
const checkOwnWords = (source: SourceFile): readonly Diagnostic[] => Object.entries(ownWords).flatMap(([list, { noun, words }]) =>
  Object.keys((source.value as ServiceFile)[list as keyof typeof ownWords] ?? {}).filter(word => words.includes(word))
    .map(word => report(source, 'M325', [list, word], `\`${word}\` is ${noun} of the framework.`, { on: 'key', hint: 'Leave it out, or choose another word for another meaning.' })))

export type JoinedService = Readonly<{ service: Service | undefined, source: SourceFile | undefined, diagnostics: readonly Diagnostic[] }>

/** What a word does, apart from the sentence that explains it. */
const effectOf = (word: JsonValue): string => canonicalize({ ...word as JsonObject, meaning: null })

/**
 * The identity of the first `service.yaml`, and the vocabulary of all. A word that two roots declare must have the same values in
 * both (M422); they may explain it in words of their own, and the first root's are kept.
 */
export function joinServices (sources: readonly SourceFile[], folder: string): JoinedService {
  const [first, ...others] = sources
  if (first === undefined) {
    return { service: undefined, source: undefined, diagnostics: [reportFile(folder, 'M423', 'No root has `manifests/service.yaml`.', 'Write one: it says which service this is, and its words for rights and freshness.')] }
  }
  const wrong = sources.flatMap(checkService)
  if (wrong.length > 0) return { service: undefined, source: first, diagnostics: wrong }
  const service = serviceOf(first.value as ServiceFile)
  const joined: Record<typeof vocabularies[number], JsonObject> = { tiers: service.tiers, freshness: service.freshness, sources: service.sources, errors: service.errors, formats: service.formats, access: service.access }
  const clashes = others.flatMap(source => vocabularies.flatMap(name => Object.entries((source.value as JsonObject)[name] as JsonObject | undefined ?? {}).flatMap(([word, meaning]) => {
    const known = joined[name][word]
    if (known !== undefined) {
      if (effectOf(known) === effectOf(meaning)) return []
      const where = Object.hasOwn((first.value as ServiceFile)[name] ?? {}, word) ? first.file : 'another root, or in the framework'
      return [report(source, 'M422', [name, word], `\`${word}\` means something else in ${where}.`, { on: 'key', hint: 'Declare it with the same values, or choose another word.' })]
    }
    joined[name] = { ...joined[name], [word]: meaning }
    return []
  })))
  return { service: { ...service, ...joined } as Service, source: first, diagnostics: [...sources.flatMap(checkOwnWords), ...clashes] }
}
