import { quotedList } from '../../diagnostics/diagnostic.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from '../draft.ts'
import { operationsOf, surfaceNamesOf } from '../operations.ts'

const maxShown = 6

const record = 'Run `pantry test --record`, and commit the file.'

/**
 * M436: a recorded name must be that of an operation, and of a tool if it was one, unless it is deprecated. M437: each
 * operation should have a recorded name. M438: the file must have the form that the command writes. A service without
 * the file has none of these rules.
 */
export const recordedNames: SurfaceRule = function* (all, { recorded, names: known }) {
  if (recorded === undefined) return
  const { source, names } = recorded
  if (names === undefined) {
    const hint = 'Take it from version control, or write `{}` in it and run `pantry test --record`.'
    yield report(source, 'M438', [], 'The file does not have the form in which names are recorded.', { hint })
    return
  }
  const surfaces = all.flatMap(({ surface }) => (surface.formOf === undefined ? [surface] : []))
  const operations = operationsOf({ surfaces, names })
  const used = new Map(operations.map(({ name, surface }) => [name, surface]))
  const tools = new Set(surfaceNamesOf({ surfaces, names }).values())
  // A surface whose file has errors is still there.
  const isBroken = (id: string): boolean => known.surfaces.has(id) && !surfaces.some(surface => surface.id === id)
  for (const [name, { surface, method, path, tool, deprecated }] of Object.entries(names)) {
    if (deprecated !== undefined || isBroken(surface)) continue
    const isTool = tool !== true || tools.has(name)
    if (used.has(name) && isTool) continue
    const now = operations.find(one => one.method === method && one.surface.route.path === path)?.name
    const message = used.has(name)
      ? `The tool of \`${surface}\` is no longer named \`${name}\`.`
      : now === undefined
        ? `\`${name}\` was ${method} ${path}, which is no longer served.`
        : `\`${name}\` was ${method} ${path}, which is named \`${now}\` now.`
    const hint =
      now === undefined
        ? 'Bring the surface back with `deprecation`, record that, and remove it later; or delete this line, which breaks callers of the name.'
        : 'Keep the old name; or give it `"deprecated"` with the date, which keeps it from being used for anything else.'
    yield report(source, 'M436', [name], message, { on: 'key', hint })
  }
  const missing = operations.map(({ name }) => name).filter(name => !Object.hasOwn(names, name))
  if (missing.length === 0) return
  const more = missing.length > maxShown ? ` and ${missing.length - maxShown} more` : ''
  const [have, shown] = [missing.length === 1 ? 'is' : 'are', quotedList(missing.slice(0, maxShown))]
  yield report(source, 'M437', [], `${shown}${more} ${have} not recorded.`, { hint: record })
}
