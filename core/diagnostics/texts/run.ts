import { error } from './entry.ts'

/** X1: mistakes that appear only at run time (`pantry validate --examples`, `pantry test`). */
export const runCodes = {
  X101: error(
    'The example is not answered as it says',
    'Examples are published, so each is run: the answer has the status of `expect.status`, the values of `expect.shows` at their JSON pointers, and the published shape. Correct the example, or what answers.',
    'shows: { /data/title: A bok }',
    'shows: { /data/title: A book }'
  )
} as const
