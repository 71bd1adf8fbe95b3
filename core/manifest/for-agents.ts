import { agent } from '../access/agent.ts'
import { accessTable, admitsEveryone } from '../access/index.ts'
import type { Service } from './service.ts'
import type { Surface } from './surface.ts'

/**
 * Whether MCP tools may offer a surface: an agent's key can be admitted, the default format is not HTML, and the
 * manifest does not say `agent: never`.
 */
export const isForAgents = ({ access, formats, agent: wanted }: Surface, service: Service): boolean =>
  wanted !== 'never' &&
  formats[0] !== 'html' &&
  (admitsEveryone(access) ||
    access.some(name => accessTable(service.access)[name]?.credential?.name === agent.credential?.name))
