import type { JsonSchema } from '../../canonical/json.ts'
import { propertiesOf, requiredOf } from '../../manifest/entry-fields.ts'
import { handlerIdOf } from '../../manifest/handler-id.ts'
import { placeholdersOf } from '../../manifest/route.ts'
import { report } from '../../source/report.ts'
import type { Draft } from '../draft.ts'
import type { ManifestFile } from '../../manifest/manifest-file.ts'
import type { ReferenceRule } from './rule.ts'

/** The parameters that the code behind a surface declares; `undefined` where there is no code, or none that could be read. */
function declaredBy ({ id, manifest }: ManifestFile, { handlers, discovery }: Draft): { what: string, params: JsonSchema | undefined } | undefined {
  if (manifest.kind === 'discovery') return { what: `The document \`${manifest.document}\``, params: discovery.get(manifest.document)?.input?.params }
  if (manifest.kind !== 'handler') return undefined
  const handler = handlerIdOf(id, manifest)
  const shape = handlers.get(handler)
  return shape === undefined ? undefined : { what: `The handler \`${handler}\``, params: shape.params }
}

/** M411, M412: placeholders and the path parameters of the code are the same names, all of them required. */
export const declaredParams: ReferenceRule = draft => draft.manifests.flatMap(file => {
  const declared = declaredBy(file, draft)
  if (declared === undefined) return []
  const { source, manifest } = file
  const names = Object.keys(propertiesOf(declared.params ?? {}))
  const placeholders = placeholdersOf(manifest.path)
  const unread = placeholders.filter(name => !names.includes(name))
  const missing = names.filter(name => !placeholders.includes(name))
  const optional = placeholders.filter(name => names.includes(name) && !requiredOf(declared.params ?? {}).includes(name))
  return [
    ...unread.map(name => report(source, 'M411', ['path'], `${declared.what} declares no parameter \`${name}\`.`, { hint: names.length === 0 ? 'Declare it, or remove the placeholder.' : `It declares ${names.map(one => `\`${one}\``).join(', ')}.` })),
    ...optional.map(name => report(source, 'M411', ['path'], `${declared.what} declares \`${name}\` as optional, but a placeholder always has a value.`, { hint: 'Make it required.' })),
    ...missing.map(name => report(source, 'M412', ['path'], `The path has no placeholder for the parameter \`${name}\` of ${declared.what.charAt(0).toLowerCase()}${declared.what.slice(1)}.`, { hint: `Write \`{${name}}\` where its value stands.` }))
  ]
})
