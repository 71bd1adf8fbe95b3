import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { isObject, type JsonObject } from '../../../core/canonical/json.ts'
import { packageFolder } from '../../project.ts'
import { objects, operationsIn, textOf, type ClientOperation } from './operations.ts'
import { comment, memberText, nameText } from './type-text.ts'

/**
 * The package.json members of a client package. `engines` and `license` apply to the client code, not to the data that
 * the service returns.
 */
export type ClientPackage = Readonly<{
  name: string
  version: string
  license: string
  engines: Readonly<Record<string, string>>
}>

/** Returns the client runtime as JavaScript, without types. */
const runtime = (): string =>
  ts.transpileModule(readFileSync(join(packageFolder, 'bin', 'release', 'client', 'runtime.ts'), 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }
  }).outputText

const signature = ({ name, summary, inputType, needsInput, answerType }: ClientOperation): string =>
  `${comment(summary, '  ')}  ${nameText(name)} (input${needsInput ? '' : '?'}: ${inputType}, init?: Init): Promise<${answerType}>\n`

const declarations = (
  schemas: JsonObject,
  operations: readonly ClientOperation[],
  baseUrl: string
): string => `/** What the contract names: \`Schemas['Error']\` is the type of an error. */
export interface Schemas {
${Object.entries(schemas)
  .map(([name, schema]) => memberText(name, schema, true, '  '))
  .join('')}}

/** \`fetch\` as the project knows it: of \`lib.dom\`, of \`@types/node\`, or of neither. */
type Fetch = typeof globalThis extends { fetch: infer Known extends (...given: never) => unknown } ? Known : (url: string, init: Record<string, unknown>) => Promise<unknown>

/** What \`fetch\` is given beside the request, such as \`signal\`. */
export type Init = Omit<NonNullable<Parameters<Fetch>[1]>, 'method' | 'body' | 'headers'> & { headers?: Record<string, string> }

/** Each function resolves to the body of the answer, and rejects with a ServiceError where the service refuses. */
export interface Client {
${operations.map(signature).join('')}}

/** A refusal of the service. \`status\` is that of HTTP, and \`body\` what it sent: JSON with an \`error\`, or text. */
export declare class ServiceError extends Error {
  readonly status: number
  readonly body: unknown
  constructor (status: number, body: unknown)
}

/** Asks ${baseUrl} where \`baseUrl\` names no other origin. \`headers\` go with every request. */
export declare function createClient (options?: { baseUrl?: string, headers?: Record<string, string>, fetch?: Fetch }): Client
`

const readme = (name: string, title: string, example: string): string => `# ${name}

A typed client of ${title}, made from its OpenAPI document. It has a function for each operation, asks with \`fetch\`, and depends on no other package.

    import { createClient, ServiceError } from '${name}'
    const client = createClient()
    const answer = await client.${example}()
`

/** Generates the files of a client package, by name, from an OpenAPI 3.1 document alone. */
export function clientFiles(document: JsonObject, about: ClientPackage): Readonly<Record<string, string>> {
  const operations = operationsIn(document)
  const { info, servers, components } = document
  const title = isObject(info) ? textOf(info.title) : about.name
  const [server] = objects(servers).map(({ url }) => textOf(url))
  const schemas = isObject(components) && isObject(components.schemas) ? components.schemas : {}
  const table = operations.map(({ name, call }) => `  ${nameText(name)}: ${JSON.stringify(call)}`).join(',\n')
  const packageFile = {
    ...about,
    description: `A typed client of ${title}.`,
    type: 'module',
    types: './index.d.ts',
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    files: ['index.js', 'index.d.ts', 'runtime.js']
  }
  return {
    'package.json': `${JSON.stringify(packageFile, null, 2)}\n`,
    'README.md': readme(
      about.name,
      title,
      operations.find(({ call: [, path] }) => path === '/api/v1')?.name ?? 'get_root'
    ),
    'runtime.js': runtime(),
    'index.js': `import { clientOf, ServiceError } from './runtime.js'\n\nconst table = {\n${table}\n}\n\nexport { ServiceError }\nexport const createClient = options => clientOf(table, { baseUrl: ${JSON.stringify(server)}, ...options })\n`,
    'index.d.ts': declarations(schemas, operations, server ?? '')
  }
}
