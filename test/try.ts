import { loadRegistry } from '../core/registry/load.ts'
import { formatDiagnostics } from '../core/diagnostics/format.ts'
import { discoveryModules } from '../core/discovery/index.ts'
const root = (name: string, folder: string) => ({ name, folder, handlers: new Map(), handlerFiles: new Map(), problems: [] })
for (let i = 0; i < 3; i++) {
  const t0 = performance.now()
  const { registry, diagnostics } = loadRegistry({ roots: [root('standard', 'core/standard'), ...process.argv.slice(2).map(f => root(f, f))], discovery: discoveryModules })
  process.stderr.write(`${performance.now() - t0} ms ${registry?.surfaces.length}\n`)
  if (i === 0) process.stdout.write(formatDiagnostics(diagnostics, 'pretty') + '\n')
}
