/** A check of the verification failed. */
export class Unproven extends Error {}

export const demand = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Unproven(otherwise)
}
