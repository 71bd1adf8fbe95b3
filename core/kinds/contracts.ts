/** What a declared answer can keep: no code computes the hashes of a structural document. */
export const declaredContracts = ['envelope', 'bare'] as const
