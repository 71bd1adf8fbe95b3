import { needsNothing } from '../../manifest/examples.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from './rule.ts'

/** M417: a surface that cannot be tried without knowing a value shows one that works. A form is tried on its page. */
export const examplePresent: SurfaceRule = surfaces =>
  surfaces.flatMap(({ surface, file }) =>
    surface.formOf !== undefined || surface.examples.length > 0 || needsNothing(surface.route, surface.input)
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
