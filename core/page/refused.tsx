import type { VNode } from 'preact'

/** Why a form was refused, with the way back. `reason` is a sentence, `back` a path. */
export const Refused = ({ reason, back }: Readonly<{ reason: string; back: string }>): VNode => (
  <>
    <p class="mistake" role="alert">
      <strong>{reason}</strong>
    </p>
    <p>
      <a href={back}>Back</a>
    </p>
  </>
)
