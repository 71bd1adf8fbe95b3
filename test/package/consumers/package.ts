import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packageFolder } from '../../../bin/project.ts'
import { domainWord } from '../../support/domain-word.ts'

const staged = join(packageFolder, 'dist', 'package')

type PackageFile = Readonly<{
  version: string
  exports: object
  dependencies: Readonly<Record<string, string>>
  devDependencies: Readonly<Record<string, string>>
}>
const read = (folder: string): PackageFile =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile

/**
 * What is wrong with the files of the package: it holds the framework, and nothing of its first service or of how that
 * is tested and built.
 */
export function mistakesInPackage(): readonly string[] {
  const files = readdirSync(staged, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name))
  const [made, own] = [read(staged), read(packageFolder)]
  const versions = { ...own.devDependencies, ...own.dependencies }
  const top = [...new Set(files.map(file => relative(staged, file).split('/')[0] ?? ''))].sort().join(' ')
  const exported = JSON.stringify(made.exports).match(/\.\/[^"]+\.(?:js|ts)\b/g) ?? []
  return [
    ...(files.length > 500 ? [] : [`There are ${files.length} files only.`]),
    ...files.flatMap(file => {
      const word = domainWord(readFileSync(file, 'utf8'))
      return word === undefined ? [] : [`${relative(staged, file)} says "${word}".`]
    }),
    ...files
      .filter(file => /\.test\.|\/release\//.test(file))
      .map(file => `${relative(staged, file)} is of the project.`),
    ...(top === 'LICENSE README.md bin core docs package.json' ? [] : [`The package holds ${top}.`]),
    ...exported.filter(file => !files.includes(join(staged, file))).map(file => `${file} is exported and not there.`),
    ...(made.version === own.version ? [] : [`Its version is ${made.version}.`]),
    ...Object.entries(made.dependencies)
      .filter(([name, version]) => versions[name] !== version)
      .map(([name, version]) => `${name} ${version} is not the version of the project.`),
    ...(/\.test|dist\//.exec(JSON.stringify(made)) ?? []).map(found => `package.json says "${found}".`)
  ]
}
