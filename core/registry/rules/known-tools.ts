import { suggestion } from '../../diagnostics/suggest.ts'
import { isForAgents } from '../../manifest/for-agents.ts'
import { parseTarget } from '../../manifest/target.ts'
import { surfaceAt } from '../../manifest/surface.ts'
import { report } from '../../source/report.ts'
import { reportUnknown, type SurfaceRule } from './rule.ts'

/**
 * M431: each tool that an MCP endpoint offers must be a surface that agents may call, and each resource a surface that
 * answers GET. Manifests with errors are accepted as targets.
 */
export const knownTools: SurfaceRule = (surfaces, { manifests, names, service }) => {
  const served = surfaces.map(({ surface }) => surface)
  const byId = new Map(served.map(surface => [surface.id, surface]))
  const paths = manifests.map(({ manifest: { path } }) => path)
  return surfaces.flatMap(({ surface: { offers }, file: { source } }) => [
    ...Object.entries(offers?.tools ?? {}).flatMap(([name, id]) => {
      const surface = byId.get(id)
      if (surface === undefined)
        return names.surfaces.has(id)
          ? []
          : [reportUnknown(source, 'M431', ['tools', name], 'surface', id, names.surfaces)]
      return isForAgents(surface, service)
        ? []
        : [
            report(
              source,
              'M431',
              ['tools', name],
              `\`${id}\` is no tool: it is a page, not for agents, or says \`agent: never\`.`
            )
          ]
    }),
    ...Object.entries(offers?.resources ?? {}).flatMap(([name, path]) => {
      const target = parseTarget(path)
      if (paths.includes(path) || (target !== undefined && surfaceAt(served, target) !== undefined)) return []
      return [
        report(source, 'M431', ['resources', name], `No surface answers \`${path}\`.`, {
          hint: suggestion(path, paths)
        })
      ]
    })
  ])
}
