import type { KindModule } from '../../core/kinds/index.ts'

/** A value as YAML on one line: flow style, strings quoted where they must be. */
function flow (value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null) return `{ ${Object.entries(value).map(([key, member]) => `${flow(key)}: ${flow(member)}`).join(', ')} }`
  const isWord = typeof value === 'string' && /^([A-Za-z/][A-Za-z0-9/ _.-]*[A-Za-z0-9./]|\d{4}-\d{2}-\d{2})$/.test(value) && !/^(true|false|null|yes|no|on|off)$/i.test(value)
  if (isWord) return value
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value)
}

const widest = 100

/** A field on one line, or with its members below it where that would be too long. */
function field (name: string, value: unknown, indent: string): string[] {
  const line = `${indent}${name}: ${flow(value)}`
  if (line.length <= widest || typeof value !== 'object' || value === null || Array.isArray(value)) return [line]
  return [`${indent}${name}:`, ...Object.entries(value).flatMap(([key, member]) => field(flow(key), member, `${indent}  `))]
}

/** A manifest with the meaning of each field above it, in the words of the schema that checks it. */
export function manifestText ({ meaning, schema }: KindModule, fields: Readonly<Record<string, unknown>>, schemaPath: string | undefined): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    const hover = schema.properties[name]?.['description']
    const comment = typeof hover === 'string' ? [`# ${hover}`] : []
    if (Array.isArray(value) && name === 'examples') return [...comment, `${name}:`, ...value.map(item => `  - ${flow(item)}`)]
    return [...comment, ...field(name, value, '')]
  })
  return [
    ...(schemaPath === undefined ? [] : [`# yaml-language-server: $schema=${schemaPath}`]),
    `# ${meaning}`,
    ...lines,
    ''
  ].join('\n')
}
