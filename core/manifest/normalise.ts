import type { Method } from '../vocabulary/words.ts'
import { known, type Context } from './context.ts'
import { examplesOf } from './examples.ts'
import { inputOf } from './input.ts'
import type { ManifestFile } from './manifest-file.ts'
import { parseSegments, placeholdersOf } from './route.ts'
import type { Manifest } from './schema.ts'
import type { Surface } from './surface.ts'

export const methodsOf = (manifest: Manifest): Method[] => [manifest.method ?? 'GET'].flat()

const titleOf = (id: string): string => {
  const words = id
    .replace(/\.(post|put|patch|delete)$/, '')
    .split('/')
    .join(' ')
    .replace(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Converts a checked manifest into the surface that the rest of the framework uses: frozen, with all defaults and
 * references filled in.
 */
export function toSurface(file: ManifestFile, context: Context): Surface {
  const { id, root, source, kind, manifest, formOf } = file
  const placeholders = placeholdersOf(manifest.path)
  const route = {
    path: manifest.path,
    segments: parseSegments(manifest.path),
    placeholders,
    methods: methodsOf(manifest),
    aliases: (manifest.aliases ?? []).map(path => ({ path, segments: parseSegments(path) }))
  }
  const formats = manifest.formats ?? ['json']
  const answer = kind.answer(file, context)
  const facts = { status: 200, containsSelf: false, promises: {}, ...kind.facts?.(answer) }
  const code = kind.code?.(file, context)
  const translations = context.corpora.get(facts.shows?.corpus ?? '')?.translations
  const languages = translations === undefined ? undefined : [...translations.keys()]
  const input = inputOf({
    placeholders,
    formats,
    languages,
    code,
    own: kind.input?.({ manifest, answer, placeholders }, context) ?? {}
  })
  return Object.freeze({
    id,
    ...(formOf === undefined ? {} : { formOf }),
    kind: kind.name,
    reaches: kind.reaches,
    route,
    title: manifest.title ?? titleOf(id),
    summary: manifest.summary,
    description: manifest.description ?? '',
    tags: manifest.tags,
    access: [manifest.access].flat(),
    carriesPii: manifest.carries_pii,
    requiresConsent: manifest.requires_consent,
    freshness: {
      key: manifest.freshness,
      seconds: known(context.service.freshness[manifest.freshness], `freshness key ${manifest.freshness}`).seconds
    },
    license: manifest.license,
    sources: manifest.sources,
    provenance: manifest.provenance,
    stability: manifest.stability ?? (manifest.deprecation === undefined ? 'stable' : 'deprecated'),
    ...(manifest.deprecation === undefined ? {} : { deprecation: manifest.deprecation }),
    ...(manifest.agent === undefined ? {} : { agent: manifest.agent }),
    since: manifest.since,
    ...(manifest.methodology === undefined ? {} : { methodology: manifest.methodology }),
    doesNotInclude: manifest.does_not_include ?? [],
    contract: manifest.contract,
    formats,
    ...(manifest.cache === undefined
      ? {}
      : {
          cache:
            manifest.cache === 'no-store'
              ? manifest.cache
              : { maxAge: manifest.cache.max_age, sMaxAge: manifest.cache.s_maxage }
        }),
    ...(languages === undefined ? {} : { languages }),
    input,
    ...(code?.refuses === undefined ? {} : { refuses: code.refuses }),
    output: known(kind.output?.({ answer, input, formats }, context) ?? code?.reply, `output of ${id}`),
    examples: examplesOf(manifest, { route, input, status: facts.status }),
    ...facts,
    answer,
    origin: { root, file: source.file }
  })
}
