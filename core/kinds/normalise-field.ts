import { Type } from '../canonical/type.ts'
import { normaliseSteps } from '../manifest/surface.ts'

export const NormaliseSteps = Type.Array(Type.Enum(normaliseSteps), { minItems: 1, uniqueItems: true })
