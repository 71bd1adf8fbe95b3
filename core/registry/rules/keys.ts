import { counted } from '../../diagnostics/diagnostic.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from '../draft.ts'

/** M445: keys of entries that are served in a segment of a path should hold no `/`. */
export const slashInKeys: SurfaceRule = function* (surfaces, { corpora }) {
  for (const { surface, file } of surfaces) {
    const { shows, route } = surface
    if (shows?.as !== 'one' || route.placeholders.length === 0) continue
    const keys = [...(corpora.get(shows.corpus)?.corpus.byKey.keys() ?? [])].filter(key => key.includes('/'))
    const [first] = keys
    if (first === undefined) continue
    const hold = `${counted(keys.length, 'key')} of \`${shows.corpus}\` ${keys.length === 1 ? 'holds' : 'hold'} \`/\``
    yield report(
      file.source,
      'M445',
      ['path'],
      `${hold}: \`${first}\` is served only as \`${encodeURIComponent(first)}\`.`,
      {
        hint: 'Give the entries a key without `/`, and keep this one as another field. Where it stays, each proxy before the service must pass `%2F` on as it is.'
      }
    )
  }
}
