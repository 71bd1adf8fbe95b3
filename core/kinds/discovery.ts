import type { JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { runInSlices, singleFlight } from '../canonical/work.ts'
import { discoveryDocuments, discoveryModules, schemaFor } from '../discovery/index.ts'
import { surfaceOf } from '../discovery/pointers.ts'
import { contents } from '../format/format.ts'
import { OnlyGet, type ManifestWith } from '../manifest/manifest.ts'
import type { Surface } from '../manifest/surface.ts'
import type { ContentSource, KindDependencies, Moment, PlanInput, Result } from '../plan/kind.ts'
import { inLanguage } from '../registry/languages.ts'
import { extendValue } from '../registry/registry.ts'
import { contracts } from '../vocabulary/words.ts'
import { defineKind } from './kind.ts'
import { defaultPath, ScaffoldError, type Scaffold } from './scaffold.ts'

type DiscoveryAnswer = Readonly<{ serves: string }>

export function compileDiscovery(
  surface: Surface<DiscoveryAnswer>,
  { registry, observations }: KindDependencies<'registry' | 'observations'>
): ContentSource {
  const { serves } = surface.answer
  const module = discoveryModules.get(serves)
  if (module === undefined) throw new Error(`No module builds the discovery document ${serves}.`)
  const resultOf = ({ params, query }: PlanInput, built: JsonValue): Result => {
    const request = { params, query }
    const renderings = Object.fromEntries(
      Object.entries(module.renderings ?? {}).map(([format, build]) => [
        format,
        () => build?.(registry, request) ?? null
      ])
    )
    const data = extendValue(registry, serves, built)
    if (module.file === undefined) return { status: 200, data, renderings }
    const { mediaType, control, isBinary = false } = module.file(registry, request)
    return {
      status: 200,
      data,
      file: { mediaType, isBinary, text: typeof data === 'string' ? data : JSON.stringify(data) },
      headers: { 'Cache-Control': control }
    }
  }
  const { slices } = module
  if (slices !== undefined) {
    const built = singleFlight(() => runInSlices(slices(registry)))
    return { when: 'slow', answer: async input => resultOf(input, await built()) }
  }
  return {
    when: module.live === true ? 'live' : 'pure',
    answer: (input: PlanInput, { now }: Moment) =>
      resultOf(
        input,
        module.build(
          inLanguage(registry, input.language),
          { params: input.params, query: input.query },
          observations(now)
        )
      )
  }
}

const fields = {
  method: Type.Optional(OnlyGet),
  serves: Type.Enum(discoveryDocuments, { examples: ['manifest'], description: 'Which document.' })
}

/**
 * Without a name, takes the first document that is not served yet and has no path parameters. A document that is served
 * already gives its contract, formats and example.
 */
const scaffold: Scaffold = ({ id, path, document: name }, { registry }) => {
  const isNew = (one: string): boolean =>
    surfaceOf(registry, one) === undefined && discoveryModules.get(one)?.input?.params === undefined
  const document =
    name === undefined ? (discoveryDocuments.find(isNew) ?? 'manifest') : discoveryDocuments.find(one => one === name)
  if (document === undefined)
    throw new ScaffoldError(
      `There is no discovery document \`${name ?? ''}\`. Documents: ${discoveryDocuments.join(', ')}.`
    )
  const served = surfaceOf(registry, document)
  const placeholders = served?.route.placeholders ?? []
  return {
    path: path ?? [defaultPath(id), ...placeholders.map(placeholder => `{${placeholder}}`)].join('/'),
    provenance: 'computed',
    contract: served?.contract ?? 'envelope',
    formats: served?.formats ?? ['json'],
    fields: { serves: document },
    ...(placeholders.length === 0
      ? {}
      : { examples: [{ title: 'An example', params: served?.examples[0]?.params ?? {} }] })
  }
}

export const discovery = defineKind<ManifestWith<typeof fields>, DiscoveryAnswer, 'registry' | 'observations'>({
  name: 'discovery',
  meaning: 'A document that is computed from all manifests.',
  reaches: ['registry', 'observations'],
  fields,
  renamed: { document: 'serves' },
  holds: contents,
  ownFormats: ({ manifest: { serves } }) => Object.keys(discoveryModules.get(serves)?.renderings ?? {}),
  contracts,
  code: ({ manifest: { serves } }, { extended, service }) => {
    const module = discoveryModules.get(serves)
    return module === undefined
      ? undefined
      : {
          what: `The document \`${serves}\``,
          ...module.input,
          reply: extended(serves, schemaFor(service, module.schema))
        }
  },
  answer: ({ manifest }) => ({ serves: manifest.serves }),
  facts: ({ serves }) => {
    const { mediaType } = discoveryModules.get(serves) ?? {}
    return { serves, containsSelf: true, ...(mediaType === undefined ? {} : { mediaType }) }
  },
  compile: compileDiscovery,
  scaffold
})
