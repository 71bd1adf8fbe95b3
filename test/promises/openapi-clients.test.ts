// test: long. Generators of clients and the types of vendors, installed apart: `npm ci --prefix test/tools`.
import { execFile } from 'node:child_process'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { packageFolder } from '../../bin/project.ts'
import { mcpTools } from '../../core/kinds/mcp/tools.ts'
import { discoveryModules } from '../../core/discovery/index.ts'
import { build } from '../core/discovery/fixture.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const tools = join(packageFolder, 'test', 'tools', 'node_modules')
const skip = existsSync(join(tools, 'orval')) ? false : 'the generators are not installed: npm ci --prefix test/tools'
const run = promisify(execFile)
const { registry } =
  skip === false
    ? await import('../support/registry.ts').then(({ registryOf }) => registryOf())
    : { registry: undefined }

const program = async (folder: string, script: string, ...args: string[]): Promise<string> =>
  (await run(process.execPath, [script, ...args], { cwd: folder, maxBuffer: 2 ** 26 })).stdout

/** Compiles under `strict`, and returns what the compiler says. */
async function compile(folder: string, files: readonly string[]): Promise<string> {
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'ES2022',
        module: 'commonjs',
        moduleResolution: 'node10',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        outDir: 'out',
        rootDir: '.',
        skipLibCheck: true,
        types: []
      },
      files
    })
  )
  return await program(folder, join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.').catch(
    (error: unknown) => (error as { stdout: string }).stdout
  )
}

t.test(
  'three generators make clients that compile, a parser takes the document, and one client makes ten calls',
  { skip },
  async t => {
    const folder = t.testdir({ 'openapi.json': JSON.stringify(build('openapi', { registry: registry! })) })
    symlinkSync(tools, join(folder, 'node_modules'))
    await program(folder, join(tools, 'openapi-typescript', 'bin', 'cli.js'), 'openapi.json', '-o', 'types.ts')
    await program(
      folder,
      join(tools, '@hey-api', 'openapi-ts', 'bin', 'run.js'),
      '-i',
      'openapi.json',
      '-o',
      'hey',
      '-c',
      '@hey-api/client-fetch',
      '--no-log-file'
    )
    await program(
      folder,
      join(tools, 'orval', 'dist', 'bin', 'orval.js'),
      '--input',
      'openapi.json',
      '--output',
      'orval/api.ts',
      '--client',
      'fetch'
    )
    t.equal(await compile(folder, ['types.ts', 'hey/index.ts', 'hey/client.gen.ts', 'orval/api.ts']), '')
    writeFileSync(
      join(folder, 'parse.mjs'),
      "import { validate } from '@scalar/openapi-parser'\nimport { readFileSync } from 'node:fs'\nconst { valid, errors } = await validate(readFileSync('openapi.json', 'utf8'))\nconsole.log(JSON.stringify({ valid, errors }))\n"
    )
    t.match(JSON.parse(await program(folder, 'parse.mjs')), { valid: true })

    const { url } = await bundledDatabase(t)
    const service = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
    const require = createRequire(join(folder, 'package.json'))
    type Call = (options?: object) => Promise<{ data?: unknown; response: Response }>
    const sdk = require('./out/hey/index.js') as Record<string, Call>
    const { client } = require('./out/hey/client.gen.js') as { client: { setConfig: (config: object) => void } }
    client.setConfig({ baseUrl: service.url })
    const sku = 'op-op01-001-en'
    const calls: readonly (readonly [string, object])[] = [
      ['getUniversalGames', {}],
      ['getUniversalGame', { path: { token: 'op' } }],
      ['getUniversalSets', { path: { game: 'op' } }],
      ['getUniversalCard', { path: { sku } }],
      ['getCardsEvidence', { path: { sku } }],
      ['postCardsBatch', { body: { skus: [sku] } }],
      ['getTools', { query: { profile: 'core' } }],
      ['getStatus', {}],
      ['getMetaTime', {}],
      ['getPlayFormats', {}]
    ]
    for (const [name, options] of calls) {
      const { data, response } = await sdk[name]!(options)
      t.equal(response.status, 200, name)
      t.type(data, 'object', name)
    }
  }
)

t.test('every form of the tools has the type that its vendor publishes', { skip }, async t => {
  const types: Readonly<Record<string, readonly [string, string]>> = {
    anthropic: ["import type Anthropic from '@anthropic-ai/sdk'", 'Anthropic.Tool[]'],
    openai: ["import type OpenAI from 'openai'", 'OpenAI.Chat.Completions.ChatCompletionFunctionTool[]'],
    'openai-responses': ["import type OpenAI from 'openai'", 'OpenAI.Responses.FunctionTool[]'],
    gemini: ["import type { Tool } from '@google/genai'", 'Tool[]'],
    cohere: ["import type { Cohere } from 'cohere-ai'", 'Cohere.ToolV2[]']
  }
  const folder = t.testdir()
  symlinkSync(tools, join(folder, 'node_modules'))
  const { renderings = {} } = discoveryModules.get('tools')!
  t.same(Object.keys(renderings).sort(), Object.keys(types).sort())
  for (const [name, render] of Object.entries(renderings)) {
    const { tools: listed } = render!(registry!, { params: {}, query: {} }) as unknown as { tools: readonly object[] }
    // Types of schemas are enumerations of the SDK there, whose values are upper case in code and either in JSON.
    const text =
      name === 'gemini'
        ? JSON.stringify(listed).replaceAll(
            /"type":"(\w+)"/g,
            (_, type: string) => `"type":"${type.toUpperCase()}" as any`
          )
        : JSON.stringify(listed)
    writeFileSync(join(folder, `${name}.ts`), `${types[name]![0]}\nexport const tools: ${types[name]![1]} = ${text}\n`)
  }
  t.equal(
    await compile(
      folder,
      Object.keys(types).map(name => `${name}.ts`)
    ),
    ''
  )
})

t.test('the core profile takes less than 4,000 tokens in every form', { skip }, async t => {
  const { encode } = createRequire(join(tools, 'x.js'))('gpt-tokenizer/encoding/o200k_base') as {
    encode: (text: string) => number[]
  }
  for (const [name, render] of Object.entries(discoveryModules.get('tools')!.renderings!)) {
    const { tools: listed } = render!(registry!, { params: {}, query: { profile: 'core' } }) as unknown as {
      tools: readonly object[]
    }
    const count = encode(JSON.stringify(listed)).length
    t.ok(count < 4000, `${name}: ${count}`)
  }
})

t.test('the tools of the Model Context Protocol take less than 4,000 tokens', { skip }, async t => {
  const { encode } = createRequire(join(tools, 'x.js'))('gpt-tokenizer/encoding/o200k_base') as {
    encode: (text: string) => number[]
  }
  const listed = mcpTools(
    registry!,
    (registry!.byId.get('agents/mcp.post')?.answer as { tools: Record<string, string> }).tools
  ).map(({ name, description, inputSchema, readOnly }) => ({
    name,
    description,
    inputSchema,
    annotations: { readOnlyHint: readOnly }
  }))
  const count = encode(JSON.stringify(listed)).length
  t.ok(listed.length > 10 && count < 4000, `${listed.length} tools, ${count} tokens`)
  t.comment(`${listed.length} tools, ${count} tokens`)
})
