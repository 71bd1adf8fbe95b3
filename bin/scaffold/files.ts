import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Document, isCollection, isMap, isScalar, isSeq, stringify } from 'yaml'
import type { KindModule } from '../../core/kinds/index.ts'
import {
  ScaffoldError,
  manifestWordsOf,
  methodOf,
  type Files,
  type ScaffoldParts,
  type ScaffoldPlace,
  type ScaffoldRequest
} from '../../core/kinds/scaffold.ts'
import { templateTexts } from '../../core/vocabulary/template-texts.ts'
import { UsageError } from '../config.ts'
import { migrationFile } from './migration.ts'

function partsOf({ scaffold }: KindModule, wanted: ScaffoldRequest, place: ScaffoldPlace): ScaffoldParts {
  try {
    return scaffold(wanted, place)
  } catch (error) {
    throw error instanceof ScaffoldError ? new UsageError(error.message) : error
  }
}

/**
 * Generates the files of a new surface, which are valid and use the vocabulary of the service. `today` is `YYYY-MM-DD`.
 */
export function filesOf(
  kind: KindModule,
  wanted: ScaffoldRequest,
  place: ScaffoldPlace & Readonly<{ today: string }>
): Files {
  const { id } = wanted
  const {
    path,
    tier,
    fields,
    provenance,
    contract = 'envelope',
    formats = ['json'],
    examples,
    files = {},
    migration
  } = partsOf(kind, wanted, place)
  const { license, source, freshness } = manifestWordsOf(place.registry.service, tier)
  const method = 'method' in fields ? undefined : methodOf(id)
  const tag = (id.split(/[/.]/, 1)[0] ?? '').replaceAll('_', '-')
  const manifest = manifestText(
    kind,
    {
      kind: kind.name,
      path,
      ...(method === undefined ? {} : { method }),
      summary: templateTexts.surface,
      tags: [/^[a-z]/.test(tag) ? tag : kind.name],
      access: 'public',
      carries_pii: false,
      requires_consent: false,
      freshness,
      license,
      sources: [source],
      provenance,
      since: place.today,
      contract,
      formats,
      ...fields,
      ...(examples === undefined ? {} : { examples })
    },
    existsSync(join(place.folder, 'manifests', 'schema.json'))
      ? `${'../'.repeat(id.split('/').length - 1)}schema.json`
      : undefined
  )
  return {
    [`manifests/${id}.yaml`]: manifest,
    ...files,
    ...(migration === undefined ? {} : migrationFile(migration, place))
  }
}

const style = { lineWidth: 0, singleQuote: true } as const
const maxWidth = 100

/** Writes a value on one line if it fits or is a list, otherwise one line per member. */
function layOut(node: unknown, indent: number): void {
  if (!isCollection(node)) return
  const line = stringify(node.toJSON(), { ...style, collectionStyle: 'flow' })
  if (indent + line.length <= maxWidth || isSeq(node)) node.flow = true
  else for (const { key, value } of node.items) layOut(value, indent + String(key).length + 4)
}

/** Writes a manifest, with the description from the schema above each field. */
function manifestText(
  { meaning, schema }: KindModule,
  fields: Readonly<Record<string, unknown>>,
  schemaPath: string | undefined
): string {
  const document = new Document(fields)
  for (const { key, value } of isMap(document.contents) ? document.contents.items : []) {
    const name = isScalar(key) ? String(key.value) : ''
    const hover = schema.properties[name]?.['description']
    if (isScalar(key) && typeof hover === 'string') key.commentBefore = ` ${hover}`
    if (name === 'examples' && isSeq(value)) for (const item of value.items) layOut(item, 0)
    else layOut(value, name.length + 2)
  }
  const head = [...(schemaPath === undefined ? [] : [`# yaml-language-server: $schema=${schemaPath}`]), `# ${meaning}`]
  return `${head.join('\n')}\n${document.toString(style)}`
}
