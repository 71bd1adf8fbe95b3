import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import { methodsOf } from '../../manifest/normalise.ts'
import { placeholdersOf } from '../../manifest/route.ts'
import { report } from '../../source/report.ts'
import type { Pointer } from '../../source/source-file.ts'
import type { ReferenceRule } from './rule.ts'

type Target = Readonly<{ id: string, pointer: Pointer, placeholders: number }>

/** M409, M410: each surface that `service.yaml` names exists and can be followed as a link. */
export const serviceTargets: ReferenceRule = ({ service, serviceSource, manifests, names }) => {
  const target = (id: string, ...pointer: (string | number)[]): Target => ({ id, pointer, placeholders: 0 })
  const targets: Target[] = [
    ...service.links.flatMap(({ surface }, index) => surface === undefined ? [] : [target(surface, 'links', index, 'surface')]),
    ...Object.entries(service.suggestions).map(([name, id]) => target(id, 'suggestions', name)),
    ...service.index.flatMap(({ surfaces }, index) => surfaces.map((id, at) => ({ ...target(id, 'index', index, 'surfaces', at), placeholders: Infinity }))),
    ...(service.wake === undefined ? [] : [{ ...target(service.wake.entry, 'wake', 'entry'), placeholders: 1 }, target(service.wake.protocol, 'wake', 'protocol')])
  ]
  const byId = new Map(manifests.map(({ id, manifest }) => [id, manifest]))
  return targets.flatMap(({ id, pointer, placeholders }): Diagnostic[] => {
    const found = byId.get(id)
    if (found === undefined) {
      return names.surfaces.has(id) ? [] : [report(serviceSource, 'M409', pointer, `There is no surface \`${id}\`.`, { hint: suggestion(id, [...names.surfaces]) })]
    }
    if (placeholders === Infinity) return []
    if (!methodsOf(found).includes('GET')) return [report(serviceSource, 'M410', pointer, `\`${id}\` does not answer GET, so it cannot be a link target.`, { hint: 'Name a surface that answers GET.' })]
    const wanted = placeholders === 0 ? 'no placeholder' : 'exactly one placeholder'
    return placeholdersOf(found.path).length === placeholders ? [] : [report(serviceSource, 'M410', pointer, `A surface named here has ${wanted}, but \`${id}\` answers \`${found.path}\`.`, { hint: 'Name another surface.' })]
  })
}
