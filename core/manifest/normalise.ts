import type { Method } from '../vocabulary/words.ts'
import { answerOf } from './answer.ts'
import { known, type Context } from './context.ts'
import { examplesOf } from './examples.ts'
import { inputOf } from './input.ts'
import type { ManifestFile } from './manifest-file.ts'
import { outputSchema } from './output-schema.ts'
import { parseSegments, placeholdersOf } from './route.ts'
import type { Manifest } from './schema.ts'
import type { Surface } from './surface.ts'

export const methodsOf = (manifest: Manifest): Method[] => [manifest.method ?? 'GET'].flat()

const titleOf = (id: string): string => {
  const words = id.replace(/\.(post|put|patch|delete)$/, '').split('/').join(' ').replace(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A checked manifest as the rest of the framework sees it: total, frozen, with every default and reference filled in. */
export function toSurface ({ id, root, source, manifest }: ManifestFile, context: Context): Surface {
  const placeholders = placeholdersOf(manifest.path)
  const route = { path: manifest.path, segments: parseSegments(manifest.path), placeholders, methods: methodsOf(manifest) }
  const formats = manifest.formats ?? ['json']
  const answer = answerOf(id, manifest, context)
  const input = inputOf(id, manifest, { answer, placeholders, formats }, context)
  return Object.freeze({
    id,
    kind: manifest.kind,
    route,
    title: manifest.title ?? titleOf(id),
    summary: manifest.summary,
    description: manifest.description ?? '',
    tags: manifest.tags,
    access: manifest.access,
    freshness: { key: manifest.freshness, seconds: known(context.freshness[manifest.freshness], `freshness key ${manifest.freshness}`).seconds },
    license: manifest.license,
    sources: manifest.sources,
    provenance: manifest.provenance,
    stability: manifest.stability ?? 'stable',
    since: manifest.since,
    ...(manifest.methodology === undefined ? {} : { methodology: manifest.methodology }),
    doesNotInclude: manifest.does_not_include ?? [],
    contract: manifest.contract,
    formats,
    ...(manifest.cache === undefined ? {} : { cache: manifest.cache === 'no-store' ? manifest.cache : { maxAge: manifest.cache.max_age, sMaxAge: manifest.cache.s_maxage } }),
    input,
    output: outputSchema(id, answer, { input, formats }, context),
    examples: examplesOf(manifest, route, input),
    answer,
    origin: { root, file: source.file, line: source.locate(['path']).line }
  })
}
