import { codeReads } from './rules/code-reads.ts'
import { contentFits } from './rules/content-fits.ts'
import { corpusReferences } from './rules/corpus-references.ts'
import { declaredParams } from './rules/declared-params.ts'
import { envelopeMembers } from './rules/envelope-members.ts'
import { exampleExpectations } from './rules/example-expectations.ts'
import { enforcedLimits } from './rules/enforced-limits.ts'
import { examplePresent } from './rules/example-present.ts'
import { exampleRequests } from './rules/example-requests.ts'
import { formRights } from './rules/form-rights.ts'
import { knownContent } from './rules/known-content.ts'
import { knownLocations } from './rules/known-locations.ts'
import { knownMethodology } from './rules/known-methodology.ts'
import { knownSuccessor } from './rules/known-successor.ts'
import { knownTools } from './rules/known-tools.ts'
import { knownWords } from './rules/known-words.ts'
import { offeredFormats } from './rules/offered-formats.ts'
import { openRights } from './rules/open-rights.ts'
import { reachableRoutes } from './rules/reachable-routes.ts'
import type { ReferenceRule, SurfaceRule } from './rules/rule.ts'
import { serviceTargets } from './rules/service-targets.ts'
import { shownSurfaces } from './rules/shown-surfaces.ts'
import { soundFiles, soundHandlers } from './rules/sound-handlers.ts'
import { uniqueRoutes } from './rules/unique-routes.ts'

/**
 * Rules about references between files. Each rule checks as much as it can, whatever the others found. A manifest that
 * breaks one does not become a surface.
 */
export const referenceRules: readonly ReferenceRule[] = [
  knownWords,
  offeredFormats,
  knownContent,
  knownMethodology,
  knownSuccessor,
  soundHandlers,
  soundFiles,
  corpusReferences,
  codeReads,
  serviceTargets,
  envelopeMembers,
  enforcedLimits,
  contentFits,
  declaredParams,
  openRights
]

/** Rules that compare finished surfaces. */
export const surfaceRules: readonly SurfaceRule[] = [
  uniqueRoutes,
  reachableRoutes,
  examplePresent,
  exampleRequests,
  exampleExpectations,
  knownLocations,
  knownTools,
  shownSurfaces,
  formRights
]
