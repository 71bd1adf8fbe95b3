import { closed, Count, Path, Type } from 'pantry/data'
import { Waiting } from '../market/carry-out.ts'
import { Signal } from '../market/operating.ts'
import { LeftOut } from '../sources/left-out.ts'
import { WaitingReport } from './schemas.ts'

/** The schema of what waits for an operator. */
export const Desk = closed({
  auctions: Type.Array(closed({ ...Waiting.properties, page: Path })),
  reports: Type.Array(WaitingReport),
  signals: Type.Array(Signal),
  inbox: Count,
  cases: Count,
  left_out: Type.Array(LeftOut, { description: 'Rows that the last import of each source left out, by the reason.' })
})
