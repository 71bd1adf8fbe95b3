import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { packageFolder } from '../../bin/roots.ts'

const running = resolve(import.meta.dirname, '../..')

/** Makes what a person wrote in a root runnable, as their build would: plain JavaScript beside each file, which imports the framework that runs here. */
export function compileRoot (root: string): void {
  if (extname(import.meta.filename) === '.ts') return
  const files = readdirSync(join(root, 'surfaces'), { recursive: true, encoding: 'utf8' }).filter(file => /\.[jt]s$/.test(file)).map(file => resolve(root, 'surfaces', file))
  for (const file of files) {
    const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true } })
    const code = outputText.replace(/(from ')pantry(?:\/([a-z]+))?(')/g, (_, before: string, door: string | undefined, after: string) => `${before}${relative(dirname(file), join(running, 'bin', 'door', door ?? 'index'))}.js${after}`).replace(/(from ')(\.[^']+)\.ts(')/g, (_, before: string, name: string, after: string) => {
      const inProject = relative(packageFolder, resolve(dirname(file), name))
      const target = /^(?:core|surfaces|bin|migrations)\//.test(inProject) ? relative(dirname(file), join(running, inProject)) : name
      return `${before}${target}.js${after}`
    })
    writeFileSync(file.replace(/\.ts$/, '.js'), code)
  }
}
