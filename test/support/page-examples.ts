import type { Example, Surface } from '../../core/manifest/surface.ts'
import type { Registry } from '../../core/registry/registry.ts'

export type PageExample = Readonly<{ surface: Surface; example: Example }>

/** Every example of every page that is opened with GET, those that fail too. */
export const pageExamples = ({ surfaces }: Registry): readonly PageExample[] =>
  surfaces
    .filter(({ page, route }) => page !== undefined && route.methods.includes('GET'))
    .flatMap(surface => surface.examples.map(example => ({ surface, example })))
