import type { Format } from '../vocabulary/words.ts'

/** Formats that render any document. */
export const textFormats: readonly Format[] = ['json', 'md', 'txt', 'html']
/** Formats that render one thing with members of its own. */
export const documentFormats: readonly Format[] = [...textFormats, 'svg', 'xenoform', 'anthropic', 'openai', 'gemini', 'cohere']
/** What a declared answer can keep: no code computes the hashes of a structural document. */
export const declaredContracts = ['envelope', 'bare'] as const
