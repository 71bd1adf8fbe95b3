import { Document, isCollection, isMap, isScalar, isSeq, stringify } from 'yaml'
import type { KindModule } from '../../core/kinds/index.ts'

const style = { lineWidth: 0, singleQuote: true } as const
const widest = 100

/** Formats a node on one line if it fits, otherwise with one line per member. */
function layOut(node: unknown, indent: number): void {
  if (!isCollection(node)) return
  const line = stringify(node.toJSON(), { ...style, collectionStyle: 'flow' })
  if (indent + line.length <= widest || isSeq(node)) node.flow = true
  else for (const { key, value } of node.items) layOut(value, indent + String(key).length + 4)
}

/** Formats a manifest with a comment above each field: the field's description in the schema. */
export function manifestText(
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
