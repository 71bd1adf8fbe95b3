// test: long. The schema of workflows that GitHub publishes, in a package installed apart: `npm ci --prefix
// test/tools`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import t from 'tap'
import { packageFolder } from '../bin/project.ts'
import { scratchFolder } from './support/scratch.ts'
import { everyFile } from './support/source-code.ts'

const parser = join(packageFolder, 'test/tools/node_modules/@actions/workflow-parser/dist/index.js')
const skip = existsSync(parser) ? false : 'the schema is not installed: npm ci --prefix test/tools'

type Parser = Readonly<{
  NoOperationTraceWriter: new () => object
  parseWorkflow: (
    file: Readonly<{ name: string; content: string }>,
    trace: object
  ) => Readonly<{ context: Readonly<{ errors: Readonly<{ getErrors: () => readonly Error[] }> }> }>
}>

t.test('every workflow is valid by the schema of GitHub', { skip }, async t => {
  // The package imports JSON as bundlers do, and Node does not.
  const outfile = join(scratchFolder(t), 'parser.mjs')
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" }
  await build({
    entryPoints: [parser],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner,
    logLevel: 'error'
  })
  const { parseWorkflow, NoOperationTraceWriter } = (await import(pathToFileURL(outfile).href)) as Parser
  const mistakesIn = (name: string, content: string): readonly string[] =>
    parseWorkflow({ name, content }, new NoOperationTraceWriter())
      .context.errors.getErrors()
      .map(({ message }) => message)
  const files = everyFile(packageFolder, '.github/workflows')
  t.ok(files.length > 1, files.join(', '))
  for (const file of files) {
    const text = readFileSync(join(packageFolder, file), 'utf8')
    t.strictSame(mistakesIn(file, text), [], file)
    t.not(mistakesIn(file, text.replaceAll('timeout-minutes', 'timeout')).length, 0, 'a mistake is found')
  }
})
