import type { Example, Surface } from '../../core/manifest/surface.ts'
import type { Registry } from '../../core/registry/registry.ts'

export type PageExample = Readonly<{ surface: Surface; example: Example }>

/** Every example of every page that is opened with GET, those that fail too, and none that leads to another page. */
export const pageExamples = ({ surfaces }: Registry): readonly PageExample[] =>
  surfaces
    .filter(({ page, route }) => page !== undefined && route.methods.includes('GET'))
    .flatMap(surface =>
      surface.examples
        .filter(({ expect: { status } }) => status < 300 || status >= 400)
        .map(example => ({ surface, example }))
    )
