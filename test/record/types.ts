import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { packageFolder } from '../../bin/project.ts'
import type { Part, Row } from './rows.ts'

const doors = (): readonly (readonly [name: string, file: string])[] => {
  const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, { types: string }>>
  }
  return Object.entries(exports).map(([name, { types }]) => [`pantry${name.slice(1)}`, join(packageFolder, types)])
}

const whole: ts.TypeFormatFlags =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.InTypeAlias |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType

async function* rows(): AsyncGenerator<Row> {
  const { config } = ts.readConfigFile(join(packageFolder, 'tsconfig.json'), file => ts.sys.readFile(file)) as {
    config: object
  }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, packageFolder)
  const all = doors()
  const program = ts.createProgram(
    all.map(([, file]) => file),
    { ...options, noEmit: true }
  )
  const checker = program.getTypeChecker()
  /** A type is known by its name, wherever its file lies. */
  const textOf = (type: ts.Type, at: ts.Node): string =>
    checker.typeToString(type, at, whole).replace(/import\("[^"]*"\)\./g, '')
  /** A symbol has a number that the compiler gave it. */
  const nameOf = ({ name }: ts.Symbol): string => name.replace(/^__@(.*)@\d+$/, '[$1]')
  const shapeOf = (type: ts.Type, at: ts.Node): string => {
    const text = textOf(type, at)
    // A type that is shown by its name says nothing of what it holds.
    return /^\w+(?:<.*>)?$/.test(text) && type.getProperties().length > 0
      ? `${text} { ${type
          .getProperties()
          .map(member => `${nameOf(member)}: ${textOf(checker.getTypeOfSymbolAtLocation(member, at), at)}`)
          .join('; ')} }`
      : text
  }
  for (const [door, file] of all) {
    const source = program.getSourceFile(file)
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
    if (source === undefined || module === undefined) throw new Error(`${file} is no module.`)
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const facts: Record<string, string> = {}
      if (symbol.flags & ts.SymbolFlags.Value)
        facts['value'] = shapeOf(checker.getTypeOfSymbolAtLocation(symbol, source), source)
      if (symbol.flags & ts.SymbolFlags.Type) facts['type'] = shapeOf(checker.getDeclaredTypeOfSymbol(symbol), source)
      yield { key: `${door} ${exported.name}`, facts }
    }
  }
}

export const types: Part = { name: 'types', about: 'what `pantry/*` exports, with its types', rows }
