import { needsNothing } from '../../manifest/examples.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from './rule.ts'

/** M417: a surface with a placeholder, a body or a required parameter must have an example. */
export const examplePresent: SurfaceRule = surfaces =>
  surfaces.flatMap(({ surface, file }) =>
    surface.examples.length > 0 || needsNothing(surface.route, surface.input)
      ? []
      : [
          report(file.source, 'M417', ['path'], 'The surface has no example.', {
            hint:
              surface.input.body === undefined
                ? 'Add `examples:` with a value for each parameter.'
                : 'Add `examples:` with a body that is accepted.'
          })
        ]
  )
