import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { KindModule } from '../../core/kinds/index.ts'
import { wordsOf } from '../../core/kinds/rights.ts'
import {
  ScaffoldError,
  type Files,
  type Parts,
  type ScaffoldPlace,
  type ScaffoldRequest
} from '../../core/kinds/scaffold.ts'
import { UsageError } from '../config.ts'
import { manifestText } from './yaml.ts'

function partsOf({ scaffold }: KindModule, wanted: ScaffoldRequest, place: ScaffoldPlace): Parts {
  try {
    return scaffold(wanted, place)
  } catch (error) {
    throw error instanceof ScaffoldError ? new UsageError(error.message) : error
  }
}

/**
 * Generates the files of a new surface, which are valid as generated and use the vocabulary of the service. `today` is
 * `YYYY-MM-DD`.
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
    files = {}
  } = partsOf(kind, wanted, place)
  const { license, source, freshness } = wordsOf(place.registry.service, tier)
  const tag = (id.split(/[/.]/, 1)[0] ?? '').replaceAll('_', '-')
  const manifest = manifestText(
    kind,
    {
      kind: kind.name,
      path,
      summary: 'What the surface answers, in one sentence.',
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
  return { [`manifests/${id}.yaml`]: manifest, ...files }
}
