import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { methodsOf } from '../../manifest/normalise.ts'
import { placeholdersOf } from '../../manifest/route.ts'
import { report } from '../../source/report.ts'
import type { Pointer } from '../../source/source-file.ts'
import { reportUnknown, type ReferenceRule } from './rule.ts'

/** A surface that `service.yaml` names. `followed`: it is a link, so its path must have no placeholders. */
type Target = Readonly<{ id: string; pointer: Pointer; followed: boolean }>

/**
 * M409, M410: each surface that `service.yaml` names must exist, and a link target must answer GET without
 * placeholders.
 */
export const serviceTargets: ReferenceRule = ({ service, serviceSource, manifests, names }) => {
  const targets: Target[] = [
    ...service.links.flatMap(({ surface }, index) =>
      surface === undefined ? [] : [{ id: surface, pointer: ['links', index, 'surface'], followed: true }]
    ),
    ...Object.entries(service.suggestions).map(([name, id]) => ({
      id,
      pointer: ['suggestions', name],
      followed: true
    })),
    ...service.index.flatMap(({ surfaces }, index) =>
      surfaces.map((id, at) => ({ id, pointer: ['index', index, 'surfaces', at], followed: false }))
    )
  ]
  const byId = new Map(manifests.map(({ id, manifest }) => [id, manifest]))
  return targets.flatMap(({ id, pointer, followed }): Diagnostic[] => {
    const found = byId.get(id)
    if (found === undefined) {
      return names.surfaces.has(id)
        ? []
        : [reportUnknown(serviceSource, 'M409', pointer, 'surface', id, names.surfaces)]
    }
    if (!followed) return []
    if (!methodsOf(found).includes('GET'))
      return [
        report(serviceSource, 'M410', pointer, `\`${id}\` does not answer GET, so it cannot be a link target.`, {
          hint: 'Name a surface that answers GET.'
        })
      ]
    return placeholdersOf(found.path).length === 0
      ? []
      : [
          report(
            serviceSource,
            'M410',
            pointer,
            `A surface named here has no placeholder, but \`${id}\` answers \`${found.path}\`.`,
            { hint: 'Name another surface.' }
          )
        ]
  })
}
