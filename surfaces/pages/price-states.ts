import type { Signal } from '../prices/schemas.ts'

type State = Readonly<{ id: string; name: string; state: string; license: string; reason: string }>

/** Converts price signals to source states. */
export const statesOf = (signals: readonly Signal[]): State[] =>
  signals.map(({ source_id: id, label: name, state, license, detail: reason }) => ({
    id,
    name,
    state,
    license,
    reason
  }))
