import { Document, isCollection, isMap, isScalar, isSeq, stringify } from 'yaml'
import type { KindModule } from '../../core/kinds/index.ts'

const style = { lineWidth: 0, singleQuote: true } as const
const widest = 100

/** One line for what fits into one, and otherwise one for each member. */
function layOut(node: unknown, indent: number): void {
  if (!isCollection(node)) return
  const line = stringify(node.toJSON(), { ...style, collectionStyle: 'flow' })
  if (indent + line.length <= widest || isSeq(node)) node.flow = true
  else for (const { key, value } of node.items) layOut(value, indent + String(key).length + 4)
}

/** A manifest with the meaning of each field above it, in the words of the schema that checks it. */
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
