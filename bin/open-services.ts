import type { SubsystemState } from '../core/discovery/discovery.ts'
import type { Progress, RootServices, ServiceLog } from '../core/handler/root-services.ts'
import type { Registry } from '../core/registry/registry.ts'
import type { Config } from './config.ts'
import type { LoadedRoot, Services } from './roots.ts'

/** The services of all roots as one value. A root without code has none. */
export async function openServices (roots: readonly LoadedRoot[], registry: Registry, config: Config, log: ServiceLog): Promise<RootServices> {
  const opened: RootServices[] = []
  for (const { openServices: open } of roots) {
    if (open === undefined) continue
    opened.push(await open({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, service: registry.service, corpora: registry.corpora, log }))
  }
  return {
    services: Object.assign({}, ...opened.map(root => root.services)) as Services,
    prepare: async (progress: Progress) => { for (const root of opened) await root.prepare(progress) },
    health: async () => Object.assign({}, ...await Promise.all(opened.map(root => root.health()))) as Record<string, SubsystemState>,
    close: async () => { await Promise.all(opened.map(root => root.close())) }
  }
}
