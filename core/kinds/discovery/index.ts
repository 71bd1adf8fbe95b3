import { Type } from '../../canonical/type.ts'
import { discoveryDocuments, discoveryModules } from '../../discovery/index.ts'
import { surfaceOf } from '../../discovery/pointers.ts'
import { schemaFor } from '../../discovery/schema-for.ts'
import { OnlyGet, type ManifestWith } from '../../manifest/manifest.ts'
import { contents } from '../../format/format.ts'
import { contracts } from '../../vocabulary/words.ts'
import { defineKind } from '../kind.ts'
import { defaultPath, ScaffoldError, type Scaffold } from '../scaffold.ts'
import { compileDiscovery, type DiscoveryAnswer } from './source.ts'

const fields = {
  method: Type.Optional(OnlyGet),
  serves: Type.Enum(discoveryDocuments, { examples: ['manifest'], description: 'Which document.' })
}

/**
 * Scaffolds a surface for a discovery document. If the document is already served, its contract, formats and example
 * are copied. Without a document name, the first document that is not yet served is chosen.
 */
const scaffold: Scaffold = ({ id, path, document: name }, { registry }) => {
  const names = discoveryDocuments
  const chosen =
    name === undefined
      ? (names.find(
          one => surfaceOf(registry, one) === undefined && discoveryModules.get(one)?.input?.params === undefined
        ) ?? 'manifest')
      : names.find(one => one === name)
  if (chosen === undefined)
    throw new ScaffoldError(`There is no discovery document \`${name ?? ''}\`. Documents: ${names.join(', ')}.`)
  const served = surfaceOf(registry, chosen)
  const placeholders = served?.route.placeholders ?? []
  return {
    path: path ?? [defaultPath(id), ...placeholders.map(placeholder => `{${placeholder}}`)].join('/'),
    provenance: 'computed',
    contract: served?.contract ?? 'envelope',
    formats: served?.formats ?? ['json'],
    fields: { serves: chosen },
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
  facts: ({ serves }) => ({ serves, containsSelf: true }),
  compile: compileDiscovery,
  scaffold
})
