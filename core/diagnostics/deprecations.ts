/**
 * What still works although it has a successor: the code of the warning, and the version from which on it is a mistake.
 * `docs/upgrading.md` says what to write instead; a release of that version is refused while it is here.
 */
export const endOf = { H114: '0.3.0' } as const
