import { accessKinds } from '../access/index.ts'
import { canonicalize, isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { formats } from '../format/index.ts'
import { serviceOf } from '../manifest/service-defaults.ts'
import { AddedWordsSchema, ServiceSchema, type Service, type ServiceFile } from '../manifest/service.ts'
import { compileSchema } from '../schema/compile.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, reportFile, type SourceFile } from '../source/report.ts'
import { errorCodes } from '../vocabulary/error-codes.ts'

const vocabularies = ['tiers', 'freshness', 'sources', 'tags', 'errors', 'formats', 'access', 'scopes'] as const

const checkShape = (source: SourceFile, schema: object): readonly Diagnostic[] =>
  source.value === undefined
    ? source.diagnostics
    : reportIssues(source, compileSchema(schema)(source.value), { noun: 'a service' })

const wordsOf = ({ value }: SourceFile, name: (typeof vocabularies)[number]): JsonObject =>
  (value as ServiceFile)[name] ?? {}

const frameworkWords = [
  ['errors', 'an error code', Object.keys(errorCodes)],
  ['formats', 'a format', formats],
  ['access', 'an access kind', accessKinds]
] as const

/** M325: a service cannot redefine an error code, a format or an access kind of the framework. */
const checkOwnWords = (source: SourceFile): readonly Diagnostic[] =>
  frameworkWords.flatMap(([name, noun, words]) =>
    words
      .filter(word => Object.hasOwn(wordsOf(source, name), word))
      .map(word =>
        report(source, 'M325', [name, word], `\`${word}\` is ${noun} of the framework.`, {
          on: 'key',
          hint: 'Leave it out, or choose another word for another meaning.'
        })
      )
  )

type JoinedService = Readonly<{
  service: Service | undefined
  /** The `service.yaml` that says which service this is. */
  source: SourceFile | undefined
  diagnostics: readonly Diagnostic[]
  /** One note for each whole service that was joined to another one. It names the unused settings. */
  notes: readonly string[]
}>

/** Returns the fields of a word except its explanation (`meaning`), as text for comparison. */
const effectOf = (word: JsonValue): string => canonicalize({ ...(word as JsonObject), meaning: null })

/**
 * Joins the words of all files with those of the framework. A word that is already declared with other values is
 * reported (M422).
 */
function joinWords(
  service: Service,
  main: SourceFile,
  others: readonly SourceFile[]
): Readonly<{ joined: Partial<Service>; clashes: readonly Diagnostic[] }> {
  const clashes: Diagnostic[] = []
  const joined = Object.fromEntries(
    vocabularies.map(name => {
      const words: Record<string, JsonValue> = { ...service[name] }
      const places = new Map(Object.keys(wordsOf(main, name)).map(word => [word, main.file]))
      for (const source of others) {
        for (const [word, meaning] of Object.entries(wordsOf(source, name))) {
          const known = Object.hasOwn(words, word) ? words[word] : undefined
          if (known === undefined) {
            words[word] = meaning
            places.set(word, source.file)
          } else if (effectOf(known) !== effectOf(meaning)) {
            const message = `\`${word}\` means something else in ${places.get(word) ?? 'the framework'}.`
            const hint = 'Declare it with the same values, or choose another word.'
            clashes.push(report(source, 'M422', [name, word], message, { on: 'key', hint }))
          }
        }
      }
      return [name, words]
    })
  )
  return { joined, clashes }
}

const declaresService = ({ value }: SourceFile): boolean => isObject(value) && Object.hasOwn(value, 'id')

/** Returns the names of all fields but the vocabularies. Only those of the main file are used. */
const settingsOf = ({ value }: SourceFile): readonly string[] =>
  Object.keys(value as ServiceFile).filter(name => !vocabularies.some(words => words === name))

/**
 * Returns the service of the first `service.yaml` that has an `id`, with the words of all files. A word must have the
 * same values in all files (M422); its first explanation is kept. A file without an `id` may only add words (M429). If
 * a whole service is joined to another one, a note names its unused settings.
 */
export function joinServices(sources: readonly SourceFile[], folder: string): JoinedService {
  const main = sources.find(declaresService) ?? sources[0]
  if (main === undefined) {
    const hint = 'Write one: it says which service this is, and its words for rights and freshness.'
    const missing = reportFile(folder, 'M423', 'No root has `manifests/service.yaml`.', hint)
    return { service: undefined, source: undefined, diagnostics: [missing], notes: [] }
  }
  const wrong = sources.flatMap(source =>
    checkShape(source, source === main || declaresService(source) ? ServiceSchema : AddedWordsSchema)
  )
  if (wrong.length > 0) return { service: undefined, source: main, diagnostics: wrong, notes: [] }
  const others = sources.filter(source => source !== main)
  const service = serviceOf(main.value as ServiceFile)
  const { joined, clashes } = joinWords(service, main, others)
  const unused = others
    .filter(source => !declaresService(source))
    .flatMap(source =>
      settingsOf(source).map(name =>
        report(source, 'M429', [name], `\`${name}\` is not used: ${main.file} says which service this is.`, {
          on: 'key',
          hint: 'Declare it there, or leave it out.'
        })
      )
    )
  return {
    service: { ...service, ...joined },
    source: main,
    diagnostics: [...sources.flatMap(checkOwnWords), ...clashes, ...unused],
    notes: others
      .filter(declaresService)
      .map(
        source =>
          `${source.file} is joined to the service of ${main.file}. Only its words are used, not ${quotedList(settingsOf(source))}.`
      )
  }
}
