/**
 * A process that answers many distinct requests: `flood <megabytes>`. In turn it asks each surface of the library that
 * answers with more than 4 KB, with an undeclared query parameter that is another each time, until it was given so many
 * bytes. Says `answered`, unless memory ends.
 */
import { readRegistry } from '../../../bin/read-registry.ts'
import { joinTables, loadRoots } from '../../../bin/roots.ts'
import { compileGeneration } from '../../../core/plan/generation.ts'
import { kinds } from '../../../core/kinds/index.ts'
import { library } from '../../support/serve-root.ts'
import { planRequest } from '../../support/plan-request.ts'

const [megabytes = '0'] = process.argv.slice(2)
const roots = await loadRoots([library])
const { registry } = readRegistry(roots)
if (registry === undefined) throw new Error('The library has errors.')
const { index } = compileGeneration({
  registry,
  kinds,
  handlers: joinTables(roots),
  services: {},
  observe: now => ({ now, startedAt: now, subsystems: {} }),
  onFault: () => undefined
})

async function ask(path: string, search: string): Promise<number> {
  const match = index.find('GET', path)
  if (match === undefined || !('value' in match)) throw new Error(path)
  const { body } = await match.value.answer(planRequest(path, { search, params: match.params }))
  return body.length
}

const paths: string[] = []
for (const { route } of registry.surfaces) {
  if (route.methods.includes('GET') && route.placeholders.length === 0 && (await ask(route.path, '')) > 4096)
    paths.push(route.path)
}

let given = 0
for (let number = 0; given < Number(megabytes) * 1024 * 1024; number += 1) {
  given += await ask(paths[number % paths.length] ?? '/', `z=${number}`)
}
process.stdout.write('answered')
