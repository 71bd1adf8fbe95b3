import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { errorCodesOf } from '../../core/manifest/service-defaults.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const sourceText = ['core', 'surfaces']
  .flatMap(top =>
    readdirSync(join(packageFolder, top), { recursive: true, withFileTypes: true })
      .filter(file => file.isFile() && file.name.endsWith('.ts') && file.name !== 'error-codes.ts')
      .map(file => readFileSync(join(file.parentPath, file.name), 'utf8'))
  )
  .join('\n')

const manifestText = readdirSync(join(packageFolder, 'manifests'), { recursive: true, withFileTypes: true })
  .filter(file => file.isFile() && file.name.endsWith('.yaml') && file.name !== 'service.yaml')
  .map(file => readFileSync(join(file.parentPath, file.name), 'utf8'))
  .join('\n')

/** Codes that are for surfaces that are declared later. A listed code that is used by now fails below. */
const later: readonly string[] = []

t.test('exactly the codes are published', async t => {
  const { get, registry } = await serveGeneration(t, await generationOf(t, ['.']))
  const { data } = (await (await get('/api/v1/diagnostic')).json()) as {
    data: { error_codes: { code: string; status: number; meaning: string }[] }
  }
  t.strictSame(
    data.error_codes.map(({ code, status, meaning }) => [code, status, meaning]),
    Object.entries(errorCodesOf(registry.service)).map(([code, { status, meaning }]) => [code, status, meaning])
  )
})

t.test('every code is used, or listed as coming', async t => {
  const { registry } = await generationOf(t, ['.'])
  for (const code of Object.keys(errorCodesOf(registry.service))) {
    const used = new RegExp(`['"]${code}['"]`).test(sourceText) || new RegExp(`code: ${code}\\b`).test(manifestText)
    t.equal(used, !later.includes(code), code)
  }
})

t.test('what is not found is called what its answer calls it, and by no name of a corpus', async t => {
  const { get, registry } = await serveGeneration(t, await generationOf(t, ['.']))
  const entries = registry.surfaces.filter(({ kind }) => kind === 'entry')
  t.ok(entries.length > 10)
  for (const { route, shows } of entries) {
    const path = route.path.replace(/\{\w+\}/, 'zzz')
    const { error } = (await (await get(path)).json()) as { error: { message: string } }
    t.equal(error.message, `There is no ${shows?.as === 'one' ? shows.member : '?'} \`zzz\` here.`, path)
  }
})
