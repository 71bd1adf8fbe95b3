/** Contracts of kinds whose answer is declared. `math-mirror` is not one, because only code computes its hashes. */
export const declaredContracts = ['envelope', 'bare'] as const
