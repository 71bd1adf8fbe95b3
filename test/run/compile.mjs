// Makes plain JavaScript of what changed since last time, in `.test`: `npm test` runs that. Types are not checked (`npm
// run typecheck` does); they are replaced by blanks, so every line and column stays where it is and a stack trace needs
// no source map.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '../..')
const out = join(project, '.test')
const stamp = join(out, 'compiled-by')
const notCode = /\/node_modules\/|\/test\/fixture\/|\.d\.ts$/

const filesBelow = (folder, ending) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(file => file.isFile() && file.name.endsWith(ending))
        .map(file => join(file.parentPath, file.name))
    : []
const timeOf = file => Math.floor(statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
const outputOf = source => join(out, relative(project, source).replace(/\.tsx?$/, '.js'))

const compiler = [import.meta.filename, join(project, 'package-lock.json')].map(timeOf).join(' ')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== compiler) rmSync(out, { recursive: true, force: true })

const sources = ['core', 'surfaces', 'migrations', 'bin', 'test']
  .flatMap(top => ['.ts', '.tsx'].flatMap(ending => filesBelow(join(project, top), ending)))
  .filter(file => !notCode.test(file.slice(project.length)))
const wanted = new Set(sources.map(outputOf))
for (const file of filesBelow(out, '.js').filter(file => !wanted.has(file))) {
  rmSync(file)
  // Some lists are those of a folder, so an empty folder must go as well.
  for (let folder = dirname(file); readdirSync(folder).length === 0; folder = dirname(folder)) rmdirSync(folder)
}

// An output carries the time of its source: equal is fresh, also after a checkout that brings an old file back.
const stale = sources.filter(source => Math.abs(timeOf(outputOf(source)) - timeOf(source)) > 1)
if (stale.length > 0) {
  const [{ default: ts }, { blankSourceFile }] = await Promise.all([import('typescript'), import('ts-blank-space')])
  for (const source of stale) {
    const time = timeOf(source)
    const text = readFileSync(source, 'utf8')
    const output = outputOf(source)
    const refuse = ({ pos }) => {
      throw new Error(`${source}: syntax at ${text.slice(0, pos).split('\n').length} cannot be erased`)
    }
    const code = source.endsWith('.tsx')
      ? ofViews(ts, source, text)
      : blankSourceFile(ts.createSourceFile(source, text, ts.ScriptTarget.ES2022, false, ts.ScriptKind.TS), refuse)
    mkdirSync(dirname(output), { recursive: true })
    writeFileSync(output, withPaths(source, code, ts.preProcessFile(code, true, true).importedFiles))
    utimesSync(output, time / 1000, time / 1000)
  }
}
mkdirSync(out, { recursive: true })
writeFileSync(stamp, compiler)

/** The elements of a view are calls, so its lines are others; the map is in the file. */
function ofViews(ts, source, text) {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    jsx: ts.JsxEmit.ReactJSX,
    jsxImportSource: 'preact',
    verbatimModuleSyntax: true,
    inlineSourceMap: true
  }
  return ts.transpileModule(text, { fileName: source, compilerOptions }).outputText
}

/**
 * Imports name what was made: `.js`, and for test files, which share a process, the part of `tap` that belongs to the
 * one that runs.
 */
function withPaths(source, code, imports) {
  const isTest = source.startsWith(join(project, 'test')) && dirname(source) !== import.meta.dirname
  const shared = relative(dirname(source), join(import.meta.dirname, 'tap.js'))
  const edits = imports.map(({ fileName, pos, end }) => ({
    at: code.indexOf(fileName, pos),
    length: fileName.length,
    name: fileName.startsWith('.')
      ? fileName.replace(/\.tsx?$/, '.js')
      : fileName === 'tap' && isTest
        ? shared.startsWith('.')
          ? shared
          : `./${shared}`
        : fileName
  }))
  return edits
    .reverse()
    .reduce((text, { at, length, name }) => text.slice(0, at) + name + text.slice(at + length), code)
}
