import { agent } from '../access/agent.ts'
import { accessTable, admitsEveryone } from '../access/index.ts'
import type { Service } from './service.ts'
import type { Surface } from './surface.ts'

/**
 * Whether some key may ask a surface, and a program reads its answer: tools of the Model Context Protocol lead to it.
 */
export const isForAgents = ({ access, formats, agent: wanted }: Surface, service: Service): boolean =>
  wanted !== 'never' &&
  formats[0] !== 'html' &&
  (admitsEveryone(access) ||
    access.some(name => accessTable(service.access)[name]?.credential?.name === agent.credential?.name))
