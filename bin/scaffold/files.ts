import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { KindModule } from '../../core/kinds/index.ts'
import { wordsOf } from '../../core/kinds/rights.ts'
import { ScaffoldError, type Files, type Parts, type Place, type Wanted } from '../../core/kinds/scaffold.ts'
import { UsageError } from '../config.ts'
import { manifestText } from './yaml.ts'

function partsOf({ scaffold }: KindModule, wanted: Wanted, place: Place): Parts {
  try {
    return scaffold(wanted, place)
  } catch (error) {
    throw error instanceof ScaffoldError ? new UsageError(error.message) : error
  }
}

/**
 * The files of a new surface: valid without a change, with the vocabulary of the service they join. `today` is
 * `YYYY-MM-DD`.
 */
export function filesOf(kind: KindModule, wanted: Wanted, place: Place & Readonly<{ today: string }>): Files {
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
